"""Element-wise minimum of any number of arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.kernels import halves
from mincli.kernels.halves import PIECE
from mincli.spec.dtypes import ElementType


def minimum(operands: Sequence[NDArray[Any]], out: NDArray[Any], element: ElementType) -> None:
    """Write the minimum of `operands` to `out`.

    Args:
        operands: at least one array of the storage type of `element`, of the rank of `out`, and along each axis of
            its extent or 1.
        out: the result, of the same type; it must not share memory with an operand.
        element: any type with a storage type.

    >>> from mincli.spec.dtypes import BY_NAME
    >>> out = np.empty(2, "f4")
    >>> minimum([np.array([0.0, np.nan], "f4"), np.array([-0.0, 1.0], "f4")], out, BY_NAME["float"])
    >>> out
    array([-0., nan], dtype=float32)
    """
    if len(operands) == 1:
        np.copyto(out, operands[0])
    elif out.nbytes <= PIECE or not (element.is_float or len(operands) > 2):
        _minimum(operands, out, element)
    else:
        axis = next(axis for axis, extent in enumerate(out.shape) if extent > 1)
        step = max(1, out.shape[axis] * PIECE // out.nbytes)
        for start in range(0, out.shape[axis], step):
            piece = (slice(None),) * axis + (slice(start, start + step),)
            _minimum([array if array.shape[axis] == 1 else array[piece] for array in operands], out[piece], element)


def _minimum(operands: Sequence[NDArray[Any]], out: NDArray[Any], element: ElementType) -> None:
    if element.is_half:
        return halves.minimum(operands, out, element)
    first, second, *others = operands
    np.minimum(first, second, out=out)
    for operand in others:
        np.minimum(out, operand, out=out)
    if element.is_float:
        _order_zeros(operands, out)
    return None


def _order_zeros(operands: Sequence[NDArray[Any]], out: NDArray[Any]) -> None:
    """Where `out` is +0 and an operand is -0, make it -0: NumPy gives the zero of one operand, by its position."""
    if not has_plus_zero(out):
        return
    # The minimum has a sign bit if and only if an operand has one, so theirs can be added wherever it is no NaN.
    signs = signed_bits(operands[0])
    for operand in operands[1:]:
        signs = signs | signed_bits(operand)
    signs &= np.iinfo(signs.dtype).min
    bits = signed_bits(out)
    bits |= signs


def has_plus_zero(floats: NDArray[Any]) -> bool:
    """Whether a +0 is among `floats`: its bit pattern is the least of all, and a minimum is the quickest search."""
    return not floats.view(f"u{floats.dtype.itemsize}").min(initial=1)


def signed_bits(floats: NDArray[Any]) -> NDArray[np.signedinteger]:
    """Return the bit patterns of `floats` as signed integers of their size, without a copy."""
    return floats.view(f"i{floats.dtype.itemsize}")
