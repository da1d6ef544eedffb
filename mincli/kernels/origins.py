"""Where the elements of a minimum came from."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.spec.dtypes import ElementType


def is_nan(array: NDArray[Any], element: ElementType) -> NDArray[np.bool_]:
    """Return where an array of storage type holds NaN."""
    if element.is_half:
        nan = (array & 0x7FFF) > element.identity
    elif element.is_float:
        nan = np.isnan(array)
    else:
        nan = np.zeros(array.shape, np.bool_)
    return np.asarray(nan)


def origins(operands: Iterable[NDArray[Any]], result: NDArray[Any], element: ElementType) -> tuple[list[int], int]:
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
        same = operand.view(bits) == result.view(bits)
        same &= open_
        counts.append(int(np.count_nonzero(same)))
        open_ ^= same
    return counts, nan
