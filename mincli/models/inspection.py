"""What is in the tensors of a run, which node makes NaN or infinity out of finite inputs, and where the time goes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from mincli.graphs.nodes import node_label
from mincli.models.load import Model
from mincli.models.nodes import initializers
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


class NonFinite(NamedTuple):
    """An output of a node that holds NaN or infinity, while all its inputs and attributes are finite.

    Attributes:
        node: in words.
        name: of the output.
        nan: how many elements are NaN.
        inf: how many are infinite.
        place: the index of the first of them.
    """

    node: str
    name: str
    nan: int
    inf: int
    place: tuple[int, ...]


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
        finite: look for the first output that is NaN or infinite out of finite inputs.
        progress: is told how many nodes have run.

    Attributes:
        statistics: a row per tensor that was seen, if that is asked for.
        non_finite: the first output that is NaN or infinite out of finite inputs, if that is asked for.
        timings: of each node: its operator, the node in words, its seconds.
    """

    def __init__(self, *, stats: bool, finite: bool, progress: Callable[[int], None] | None = None) -> None:
        self.statistics: list[Statistics] = []
        self.non_finite: NonFinite | None = None
        self.timings: list[tuple[str, str, float]] = []
        self._stats = stats
        self._finite = finite
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
            self.non_finite = _non_finite(node, label, inputs, made)
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
        inputs = [known.get(name) for name in node.input]
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
    for full_name, array in _tensors(name, value):
        element = element_of(array)
        wrong = _wrong(array)
        nan, inf = _counts(array, wrong)
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


def _tensors(name: str, value: Value) -> Iterator[tuple[str, NDArray[Any]]]:
    if isinstance(value, np.ndarray):
        yield name, value
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from _tensors(f"{name}[{index}]", element)
    elif isinstance(value, dict):
        for key, element in value.items():
            yield from _tensors(f"{name}[{key!r}]", np.asarray(element))


def _wrong(array: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Return where an array is NaN or infinite; None if its type has neither."""
    if array.dtype.kind in "OSUbiu" or element_of(array).name.lstrip("u").startswith("int"):
        return None
    with np.errstate(all="ignore"):
        return np.asarray(~np.isfinite(array))


def _counts(array: NDArray[Any], wrong: NDArray[np.bool_] | None) -> tuple[int, int]:
    """Return how many elements are NaN, and how many infinite."""
    if wrong is None or not wrong.any():
        return 0, 0
    nan = int(np.count_nonzero(np.isnan(array)))
    return nan, int(np.count_nonzero(wrong)) - nan


def _non_finite(
    node: onnx.NodeProto, label: str, inputs: Sequence[Value], made: Mapping[str, Value]
) -> NonFinite | None:
    found = next(((name, array, wrong) for name, array, wrong in _wrong_tensors(made) if wrong.any()), None)
    if found is None or _any_wrong(inputs) or _any_wrong(list(_attribute_values(node))):
        return None
    name, array, wrong = found
    index = np.unravel_index(int(wrong.argmax()), array.shape)
    return NonFinite(label, name, *_counts(array, wrong), tuple(int(axis) for axis in index))


def _wrong_tensors(values: Mapping[str, Value]) -> Iterator[tuple[str, NDArray[Any], NDArray[np.bool_]]]:
    for name, value in values.items():
        for full_name, array in _tensors(name, value):
            wrong = _wrong(array)
            if wrong is not None:
                yield full_name, array, wrong


def _any_wrong(values: Sequence[Value]) -> bool:
    return any(wrong.any() for _, _, wrong in _wrong_tensors({str(n): value for n, value in enumerate(values)}))


def _attribute_values(node: onnx.NodeProto) -> Iterator[NDArray[Any]]:
    """Yield the numbers that a node brings along: a Constant of infinity is given, not made."""
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.TENSOR:
            yield numpy_helper.to_array(attribute.t)
        elif attribute.type in (onnx.AttributeProto.FLOAT, onnx.AttributeProto.FLOATS):
            yield np.array([attribute.f, *attribute.floats], "f4")
