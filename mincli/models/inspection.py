"""What is in the tensors of a run, which node makes NaN or infinity out of finite inputs, and where the time goes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray

from mincli.graphs.nodes import node_label
from mincli.models.finite import NonFinite, Protos, counts, non_finite, tensors_in, wrong_in
from mincli.models.load import Model
from mincli.models.nodes import captured, initializers
from mincli.models.values import Value, element_of


class Statistics(NamedTuple):
    """What a tensor holds.

    Attributes:
        name: of the tensor; elements of a sequence have their index behind it.
        maker: "input", "initializer", or the node in words.
        element: the name of its element type.
        shape: its shape.
        minimum, maximum, mean: of the elements that are finite; None if there are none, or they have no order.
        nan: how many elements are NaN.
        inf: how many are infinite.
    """

    name: str
    maker: str
    element: str
    shape: tuple[int, ...]
    minimum: float | int | None
    maximum: float | int | None
    mean: float | None
    nan: int
    inf: int


class Timing(NamedTuple):
    """The time that a node, or all nodes of an operator, took.

    Attributes:
        name: of the operator, or the node in words.
        calls: how many runs of it were timed.
        seconds: of wall time, all together.
    """

    name: str
    calls: int
    seconds: float


class Inspector:
    """Watches the nodes of one run (see `evaluate.Observer`).

    Args:
        stats: say what each tensor holds.
        finite: look for the first node that makes NaN or infinity out of finite elements (see `finite.non_finite`).
        functions: of the model, whose constants are given and not made.
        progress: is told how many nodes have run.

    Attributes:
        statistics: a row per tensor that was seen, if that is asked for.
        non_finite: what the first node that makes NaN or infinity makes, if that is asked for.
        timings: of each node: its operator, the node in words, its seconds.
    """

    def __init__(
        self,
        *,
        stats: bool,
        finite: bool,
        functions: Protos | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.statistics: list[Statistics] = []
        self.non_finite: NonFinite | None = None
        self.timings: list[tuple[str, str, float]] = []
        self._stats = stats
        self._finite = finite
        self._functions = functions or {}
        self._progress = progress

    def given(self, values: Mapping[str, Value], maker: str) -> None:
        """Take values that no node makes."""
        if self._stats:
            for name, value in values.items():
                self.statistics += statistics(name, maker, value)

    def __call__(self, node: onnx.NodeProto, inputs: Sequence[Value], outputs: Sequence[Value], seconds: float) -> None:
        """Take a node that has run."""
        label = node_label(len(self.timings), node)
        self.timings.append((node.op_type, label, seconds))
        made = {name: value for name, value in zip(node.output, outputs, strict=False) if name}
        if self._stats:
            for name, value in made.items():
                self.statistics += statistics(name, label, value)
        if self._finite and self.non_finite is None:
            self.non_finite = non_finite(node, label, inputs, made, self._functions)
        if self._progress:
            self._progress(len(self.timings))


def replay(model: Model, values: Mapping[str, Value], inspector: Inspector) -> None:
    """Tell an inspector of all nodes, from the values that they made: of an engine that tells nothing while it runs.

    Args:
        model: that has run.
        values: all values of the main graph.
        inspector: to tell.
    """
    known = initializers(model.proto.graph) | dict(values)
    for node in model.proto.graph.node:
        inputs = [known.get(name) for name in (*node.input, *captured(node))]
        inspector(node, inputs, [known.get(name) for name in node.output], 0.0)


def by_operator(timings: Iterable[tuple[str, str, float]]) -> list[Timing]:
    """Add up timings by operator, the longest first."""
    return _added((operator, seconds) for operator, _, seconds in timings)


def by_node(timings: Iterable[tuple[str, str, float]]) -> list[Timing]:
    """Add up timings by node, the longest first."""
    return _added((label, seconds) for _, label, seconds in timings)


def _added(timings: Iterable[tuple[str, float]]) -> list[Timing]:
    totals: dict[str, Timing] = {}
    for name, seconds in timings:
        so_far = totals.get(name, Timing(name, 0, 0.0))
        totals[name] = Timing(name, so_far.calls + 1, so_far.seconds + seconds)
    return sorted(totals.values(), key=lambda timing: -timing.seconds)


def statistics(name: str, maker: str, value: Value) -> Iterator[Statistics]:
    """Yield what each tensor of a value holds."""
    for full_name, array in tensors_in(name, value):
        element = element_of(array)
        wrong = wrong_in(array)
        nan, inf = counts(array, wrong)
        minimum = maximum = mean = None
        if array.dtype.kind not in "OSUc" and array.size > nan + inf:
            finite = array if wrong is None else array[~wrong]
            if array.dtype.kind not in "biuf" or array.dtype.itemsize < 4:  # what NumPy counts slowly, or not at all
                finite = finite.astype("f4" if wrong is not None else "i8")
            minimum, maximum = finite.min().item(), finite.max().item()
            mean = _mean(finite)
        yield Statistics(full_name, maker, element.name, array.shape, minimum, maximum, mean, nan, inf)


def _mean(values: NDArray[Any]) -> float:
    """Return the mean; the sum of great floats may leave their range, their mean does not."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(values.mean(dtype="f8"))
    return mean if np.isfinite(mean) else float((values / values.size).sum(dtype="f8"))
