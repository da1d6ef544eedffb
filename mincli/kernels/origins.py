"""Where the elements of a minimum came from."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from mincli.kernels import halves
from mincli.spec.dtypes import ElementType

Array = NDArray[np.generic]


def is_nan(array: Array, element: ElementType) -> NDArray[np.bool_]:
    """Return where an array of storage type holds NaN."""
    if element.is_half:
        return (array & 0x7FFF) > halves.infinity(element)  # type: ignore[no-any-return, operator]
    if element.is_float:
        return np.isnan(array)  # type: ignore[no-any-return, call-overload]
    return np.zeros(array.shape, np.bool_)


def origins(operands: Iterable[Array], result: Array, element: ElementType) -> tuple[list[int], int]:
    """Count, for each operand, the elements of `result` that are bit for bit its own and no earlier operand's.

    Args:
        operands: what `result` is the minimum of, each broadcastable to its shape; looked at one after the other.
        result: their minimum.
        element: their type.

    Returns:
        The counts, and the number of NaNs in `result`, which no operand is counted for.
    """
    bits = f"u{result.itemsize}"
    open_ = ~is_nan(result, element)
    nan = result.size - int(np.count_nonzero(open_))
    counts = []
    for operand in operands:
        same = open_ & (operand.view(bits) == result.view(bits))
        counts.append(int(np.count_nonzero(same)))
        open_ &= ~same
    return counts, nan
