"""What runs models: `reference`, mincli's own, and `onnxruntime`, an extra, in a process of its own."""

from collections.abc import Mapping
from typing import Protocol

from mincli.models.evaluate import Observer
from mincli.models.load import Model
from mincli.models.values import Value

REFERENCE = "reference"
"""The engine that says which node has run, and how long it took."""
ENGINES = (REFERENCE, "onnxruntime")


class Engine(Protocol):
    """A model that is ready to run."""

    def run(
        self, feeds: Mapping[str, Value], *, everything: bool = False, observer: Observer | None = None
    ) -> dict[str, Value]:
        """Run the model.

        Args:
            feeds: the inputs by name.
            everything: return all values of the main graph, not only its outputs.
            observer: is told of each node that has run, where the engine can tell.

        Returns:
            The outputs by name, in the order of the graph; with `everything` then the other values in the order in
            which they were made.

        Raises:
            ModelError: values that a node may not have.
            EngineError: an operator failed; of its kinds, `CrashError` and `TimeLimitError`.
        """


def prepare(model: Model, engine: str) -> Engine:
    """Make a model ready to run on an engine, one of `ENGINES`.

    Raises:
        ModelError: a node breaks the rules of ONNX.
        EngineError: the engine is not installed; of its kinds, `KernelError`, `RefusedModelError`, `CrashError` and
            `TimeLimitError`.
    """
    if engine == "onnxruntime":
        from mincli.models.engines.onnxruntime import OnnxRuntime

        return OnnxRuntime(model)
    from mincli.models.engines.reference import Reference

    return Reference(model)
