"""NaN and infinity: where they are in values, and which of them a node makes rather than passes on."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from mincli.graphs.functions import Key, key_of
from mincli.graphs.nodes import MAIN, graphs_in
from mincli.models.nodes import initializers
from mincli.models.values import Value, element_of

ELEMENT_WISE = frozenset((
    "Abs", "Acos", "Acosh", "Add", "Asin", "Asinh", "Atan", "Atanh", "Cast", "CastLike", "Ceil", "Celu", "Clip", "Cos",
    "Cosh", "Div", "Dropout", "Elu", "Erf", "Exp", "Floor", "Gelu", "HardSigmoid", "HardSwish", "Identity",
    "LeakyRelu", "Log", "Max", "Mean", "Min", "Mish", "Mod", "Mul", "Neg", "Pow", "Reciprocal", "Relu", "Round", "Selu",
    "Shrink", "Sigmoid", "Sign", "Sin", "Sinh", "Softplus", "Softsign", "Sqrt", "Sub", "Sum", "Swish", "Tan", "Tanh",
    "ThresholdedRelu", "Where",
))  # fmt: skip
"""Operators of ONNX's own domain each element of whose output is computed from those at its place in the inputs."""

Protos = Mapping[Key, onnx.FunctionProto]
"""The functions of a model (see `graphs.functions.by_key`)."""


class NonFinite(NamedTuple):
    """Elements of an output that a node makes NaN or infinite: all that they are computed from is finite.

    Attributes:
        node: in words.
        name: of the output.
        nan: how many elements it makes NaN.
        inf: how many it makes infinite.
        place: the index of the first of them.
    """

    node: str
    name: str
    nan: int
    inf: int
    place: tuple[int, ...]


def non_finite(
    node: onnx.NodeProto, label: str, inputs: Sequence[Value], outputs: Mapping[str, Value], functions: Protos
) -> NonFinite | None:
    """Return the first output with elements that a node makes NaN or infinite out of finite ones; None if it has none.

    An element is computed from the elements at its place (element-wise operators), from those along the axes
    (Reduce*), or, in all other operators and where the shapes do not show it, from everything that the node takes. So
    what only passes through a node is never taken for made; what Conv, say, makes beside what it passes on is not seen.

    Args:
        node: that has run.
        label: the node in words.
        inputs: the values that it took, also those that its subgraphs took from around it.
        outputs: that it gave, by name.
        functions: of the model.
    """
    found = [(name, array, wrong) for name, array, wrong in _wrong_tensors(outputs) if wrong.any()]
    if not found or _any_wrong(list(_constants([node], functions))):
        return None
    for name, array, wrong in found:
        made = np.asarray(wrong & ~_reached(node, inputs, array.shape, of_onnx=key_of(node) not in functions))
        if made.any():
            index = np.unravel_index(int(made.argmax()), array.shape)
            return NonFinite(label, name, *counts(array, made), tuple(int(axis) for axis in index))
    return None


def tensors_in(name: str, value: Value) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the tensors of a value: of sequences and maps with the index or key behind the name."""
    if isinstance(value, np.ndarray):
        yield name, value
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from tensors_in(f"{name}[{index}]", element)
    elif isinstance(value, dict):
        for key, element in value.items():
            yield from tensors_in(f"{name}[{key!r}]", np.asarray(element))


def wrong_in(array: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Return where an array is NaN or infinite; None if its type has neither."""
    if array.dtype.kind in "OSUb" or element_of(array).is_integer:
        return None
    with np.errstate(all="ignore"):
        return np.asarray(~np.isfinite(array))


def counts(array: NDArray[Any], wrong: NDArray[np.bool_] | None) -> tuple[int, int]:
    """Return how many of the elements that are wrong are NaN, and how many infinite."""
    if wrong is None or not wrong.any():
        return 0, 0
    nan = int(np.count_nonzero(np.isnan(array[wrong])))
    return nan, int(np.count_nonzero(wrong)) - nan


def _reached(
    node: onnx.NodeProto, inputs: Sequence[Value], shape: tuple[int, ...], *, of_onnx: bool
) -> NDArray[np.bool_]:
    """Return which elements of an output are computed from NaN or infinity; it broadcasts to the shape."""
    everything = np.asarray(_any_wrong(inputs))
    known = of_onnx and node.domain in MAIN and not any(isinstance(value, list | dict) for value in inputs)
    if not known or not everything:
        return everything
    if node.op_type in ELEMENT_WISE:
        reached = _at_their_places(node, inputs)
    elif node.op_type.startswith("Reduce"):
        reached = _along_axes(node, inputs, shape)
    else:
        return everything
    return reached if reached is not None and reached.shape == shape else everything


def _at_their_places(node: onnx.NodeProto, inputs: Sequence[Value]) -> NDArray[np.bool_] | None:
    if any(attribute.name == "axis" for attribute in node.attribute):  # until opset 6: no broadcasting of NumPy's
        return None
    arrays = [array for array in inputs if array is not None]
    try:
        reached = np.zeros(np.broadcast_shapes(*(array.shape for array in arrays)), bool)
    except ValueError:
        return None
    for array in arrays:
        wrong = _given_wrong(array)
        if wrong is not None:
            reached |= wrong
    return reached


def _along_axes(node: onnx.NodeProto, inputs: Sequence[Value], shape: tuple[int, ...]) -> NDArray[np.bool_] | None:
    wrong = wrong_in(inputs[0])
    axes = [axis for attribute in node.attribute if attribute.name == "axes" for axis in attribute.ints]
    if len(inputs) > 1 and inputs[1] is not None:
        axes = inputs[1].reshape(-1).tolist()
    if wrong is None or (not axes and wrong.shape == shape):  # nothing is reduced
        return wrong
    try:
        reached = np.asarray(wrong.any(axis=tuple(axes) or None, keepdims=True))
    except ValueError:  # no such axes: numpy.exceptions.AxisError is one
        return None
    return reached.reshape(shape) if reached.size == prod(shape) else None


def _wrong_tensors(values: Mapping[str, Value]) -> Iterator[tuple[str, NDArray[Any], NDArray[np.bool_]]]:
    for name, value in values.items():
        for full_name, array in tensors_in(name, value):
            wrong = wrong_in(array)
            if wrong is not None:
                yield full_name, array, wrong


def _any_wrong(values: Sequence[Value]) -> bool:
    wrongs = (_given_wrong(array) for value in values for _, array in tensors_in("", value))
    return any(wrong is not None and wrong.any() for wrong in wrongs)


def _given_wrong(array: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Return where an input is NaN or infinite, or a string that says so, which Cast passes on."""
    if array.dtype.kind not in "OU":
        return wrong_in(array)
    said = [str(text).strip().lstrip("+-").lower() in ("nan", "inf", "infinity") for text in array.reshape(-1).tolist()]
    return np.array(said, bool).reshape(array.shape)


def _constants(nodes: Sequence[onnx.NodeProto], functions: Protos) -> Iterator[Value]:
    """Yield the numbers that nodes, their subgraphs and functions bring along: a constant is given, not made."""
    for node in nodes:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.TENSOR:
                yield numpy_helper.to_array(attribute.t)
            elif attribute.type in (onnx.AttributeProto.FLOAT, onnx.AttributeProto.FLOATS):
                yield np.array([attribute.f, *attribute.floats], "f4")
            for graph in graphs_in(attribute):
                yield from initializers(graph).values()
                yield from _constants(graph.node, functions)
        function = functions.get(key_of(node))
        if function is not None:
            yield from _constants(function.node, functions)
