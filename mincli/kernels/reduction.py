"""Minimum along axes, in parts: `partial` of each block, `combine` the parts.

Reduced axes keep the extent 1 throughout; whoever stores the result drops them (`spec.shapes.reduced_shape`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.kernels import folds, halves
from mincli.kernels.minimum import has_plus_zero, minimum, signed_bits
from mincli.spec.dtypes import ElementType


def identity(shape: tuple[int, ...], element: ElementType) -> NDArray[Any]:
    """Return the minimum of nothing: +inf, the greatest integer or True, in an array of `shape`."""
    return np.full(shape, element.identity, element.storage)


def partial(block: NDArray[Any], axes: Sequence[int], element: ElementType) -> NDArray[Any]:
    """Return the minimum of `block` along `axes`.

    Args:
        block: an array of the storage type of `element`, with at least one element.
        axes: the axes to reduce, non-negative and distinct; may be empty.
        element: any type with a storage type.

    Returns:
        A new array with extent 1 at `axes`.

    >>> from mincli.spec.dtypes import BY_NAME
    >>> partial(np.array([[3, 1], [2, 5]], "i4"), [1], BY_NAME["int32"])
    array([[1],
           [2]], dtype=int32)
    """
    if not axes:
        return block.copy()
    if element.is_half:
        return halves.partial(block, axes, element)
    result = folds.fold(np.minimum, block, axes)
    if element.is_float:
        _order_zeros(block, result, axes)
    return result


def reads_once(shape: Sequence[int], axes: Sequence[int], element: ElementType) -> bool:
    """Whether `partial` of a C-order block of `shape` reads it once and copies none of it.

    Then the block can be large and needs no buffers beside it.
    """
    return not axes or (not element.is_half and folds.reads_once(shape, axes, np.dtype(element.storage)))


def combine(accumulator: NDArray[Any], part: NDArray[Any], element: ElementType) -> NDArray[Any]:
    """Return the minimum of two partial results of the same shape."""
    out = np.empty_like(accumulator)
    minimum([accumulator, part], out, element)
    return out


def _order_zeros(block: NDArray[Any], result: NDArray[Any], axes: Sequence[int]) -> None:
    """Where `result` is +0 and `block` has a -0 there, make it -0."""
    if not has_plus_zero(result):
        return
    bits = signed_bits(result)
    # Where the minimum is zero no element is negative, so the least integer there is that of -0, if there is one.
    least = folds.fold(np.minimum, signed_bits(block), axes)
    np.copyto(bits, least, where=bits == 0)
