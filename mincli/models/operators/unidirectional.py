"""Unidirectional broadcasting: one operand takes the shape of another, and never the other way (Broadcasting.md)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.errors import ShapeError
from mincli.spec.shapes import in_words


def broadcast_to(array: NDArray[Any], shape: tuple[int, ...], name: str) -> NDArray[Any]:
    """Return an array broadcast to a shape.

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
