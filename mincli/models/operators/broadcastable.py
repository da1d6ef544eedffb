"""Whether operands broadcast as the text of an operator has it (ONNX's Broadcasting.md)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from mincli.errors import ShapeError, printable
from mincli.graphs.nodes import MAIN
from mincli.models.values import Value
from mincli.spec.shapes import broadcast_shapes, in_words


def broadcast_fault(node: onnx.NodeProto, opset: int | None, inputs: Sequence[Value]) -> ShapeError | None:
    """Return what is wrong with the shapes that a node has been given, if its operator broadcasts them to each other.

    The operator's text says whether it does: "multidirectional (i.e., Numpy-style) broadcasting".

    Args:
        node: whose operator has failed.
        opset: of ONNX's own domain; None if that is not imported.
        inputs: its values; None is one that is left out.
    """
    if node.domain not in MAIN or opset is None or not onnx.defs.has(node.op_type, opset):
        return None
    if "multidirectional" not in onnx.defs.get_schema(node.op_type, opset).doc:
        return None
    shapes = [value.shape for value in inputs if isinstance(value, np.ndarray)]
    try:
        broadcast_shapes(shapes, [printable(name) for name in node.input])
    except ShapeError as fault:
        return fault
    return None


def broadcast_to(array: NDArray[Any], shape: tuple[int, ...], name: str) -> NDArray[Any]:
    """Return an array broadcast to a shape, and never the other way (unidirectionally).

    Args:
        array: of the same rank or a lower one.
        shape: what it shall have.
        name: of the operand, for the message.

    Raises:
        ShapeError: it does not broadcast to that.
    """
    behind = shape[len(shape) - array.ndim :]
    if array.ndim > len(shape) or any(size not in (1, whole) for size, whole in zip(array.shape, behind, strict=True)):
        raise ShapeError(
            f"{name}, {in_words(array.shape)}, does not broadcast to {in_words(shape)}",
            details=["aligned from the right, each of its sizes is 1 or that of the shape"],
        )
    return np.broadcast_to(array, shape)
