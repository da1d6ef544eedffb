"""The reference engine, in this process."""

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import onnx

from mincli.models.evaluate import Observer, evaluator
from mincli.models.load import Model
from mincli.models.values import Value


class Reference:
    """A model ready to run on the reference engine (see `engines.Engine`)."""

    def __init__(self, model: Model) -> None:
        self._evaluator = evaluator(model)
        self._outputs = [value.name for value in model.proto.graph.output]

    def run(
        self, feeds: Mapping[str, Value], *, everything: bool = False, observer: Observer | None = None
    ) -> dict[str, Value]:
        made: dict[str, Value] = {}

        def keep(node: onnx.NodeProto, inputs: Sequence[Value], outputs: Sequence[Value], seconds: float) -> None:
            if everything:
                made.update((name, value) for name, value in zip(node.output, outputs, strict=False) if name)
            if observer:
                observer(node, inputs, outputs, seconds)

        watching = keep if everything or observer else None
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # NumPy's, of the mean of nothing
            outputs = self._evaluator.run(self._outputs, feeds, observer=watching)
        values = dict(zip(self._outputs, outputs, strict=True)) | made
        return {name: _whole(value) for name, value in values.items()}


def _whole(value: Value) -> Value:
    """Return scalars of NumPy, which its operations give in place of arrays of rank 0, as such arrays."""
    if isinstance(value, list):
        return [_whole(element) for element in value]
    return np.asarray(value) if isinstance(value, np.generic) else value
