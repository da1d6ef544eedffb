"""Minimum of float16 and bfloat16 through the order of their bit patterns.

NumPy has no vector code for 16-bit floats, but fast code for 16-bit integers. Read as unsigned integers the
patterns of the non-negative floats ascend with their values, and those of the negative ones, which all lie
above (sign bit set), descend. So of some patterns without a positive NaN the minimum is

- the greatest, if that has the sign bit set: the most negative value, -0 rather than +0, and a negative NaN first;
- the least otherwise.

A positive NaN, the one pattern that this order misplaces, is first turned into a negative one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.kernels.folds import fold
from mincli.spec.dtypes import ElementType

SIGN = np.uint16(0x8000)
PIECE = 256 << 10
"""Bytes of a result that are finished before the next: what several passes look at then stays in the cache."""
_ZEROS = np.zeros(PIECE // 2, np.int16)
"""As many as a piece has: a minimum with a scalar takes ten times as long as with them."""


def minimum(operands: Sequence[NDArray[Any]], out: NDArray[Any], element: ElementType) -> None:
    """Write the minimum of two or more arrays of bit patterns to `out` (see `kernels.minimum.minimum`)."""
    greatest = np.empty_like(out)
    least_yet = greatest_yet = _without_positive_nan(operands[0], element)
    for operand in operands[1:]:
        patterns = _without_positive_nan(operand, element)
        least_yet = np.minimum(least_yet, patterns, out=out)
        greatest_yet = np.maximum(greatest_yet, patterns, out=greatest)
    _select(out, greatest)


def partial(block: NDArray[Any], axes: Sequence[int], element: ElementType) -> NDArray[Any]:
    """Return the minimum of bit patterns along axes (see `kernels.reduction.partial`)."""
    block = _without_positive_nan(block, element)
    greatest = fold(np.maximum, block, axes)
    if greatest.min(initial=SIGN) == SIGN:
        return greatest
    least = fold(np.minimum, block, axes)
    _select(least, greatest)
    return least


def _select(least: NDArray[Any], greatest: NDArray[Any]) -> None:
    """Set `least` to `greatest` where that is negative, by integer arithmetic; `greatest` is overwritten."""
    signed = greatest.view(np.int16)
    zeros = _ZEROS[: signed.size].reshape(signed.shape) if signed.size <= _ZEROS.size else np.zeros_like(signed)
    np.minimum(signed, zeros, out=signed)
    np.maximum(least, greatest, out=least)


def _without_positive_nan(patterns: NDArray[Any], element: ElementType) -> NDArray[Any]:
    """Return `patterns` with every positive NaN made negative; the array itself if there is none."""
    signed = patterns.view(np.int16)
    infinity = element.identity  # the patterns above it, up to 0x7fff, are the positive NaNs
    if signed.max(initial=0) <= infinity:
        return patterns
    negative = patterns.copy()
    np.bitwise_or(negative, SIGN, out=negative, where=signed > infinity)
    return negative
