"""Minimum of float16 and bfloat16 through the order of their bit patterns.

NumPy has no vector code for 16-bit floats, but fast code for 16-bit integers. Read as unsigned integers the
patterns of the non-negative floats ascend with their values, and those of the negative ones, which all lie
above (sign bit set), descend. So of some patterns without a positive NaN the minimum is

- the greatest, if that has the sign bit set: the most negative value, -0 rather than +0, and a negative NaN first;
- the least otherwise.

A positive NaN, the one pattern that this order misplaces, is first turned into a negative one.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.spec.dtypes import BFLOAT16_INF, FLOAT16_INF, ElementType

SIGN = np.uint16(0x8000)


def infinity(element: ElementType) -> int:
    """Return the bit pattern of +inf of a half type: all patterns above it, up to 0x7fff, are NaN."""
    return FLOAT16_INF if element.name == "float16" else BFLOAT16_INF


def minimum(operands: Sequence[NDArray[Any]], out: NDArray[Any], inf: int) -> None:
    """Write the minimum of two or more arrays of bit patterns to `out` (see `kernels.minimum.minimum`)."""
    greatest = np.empty_like(out)
    least_yet = greatest_yet = _without_positive_nan(operands[0], inf)
    for operand in operands[1:]:
        patterns = _without_positive_nan(operand, inf)
        least_yet = np.minimum(least_yet, patterns, out=out)
        greatest_yet = np.maximum(greatest_yet, patterns, out=greatest)
    _select(out, greatest)


def partial(block: NDArray[Any], fold: Callable[[np.ufunc, NDArray[Any]], NDArray[Any]], inf: int) -> NDArray[Any]:
    """Reduce bit patterns; `fold(ufunc, block)` reduces `block` by a ufunc of integers."""
    block = _without_positive_nan(block, inf)
    greatest = fold(np.maximum, block)
    if greatest.min(initial=SIGN) == SIGN:
        return greatest
    least = fold(np.minimum, block)
    _select(least, greatest)
    return least


def _select(least: NDArray[Any], greatest: NDArray[Any]) -> None:
    """Set `least` to `greatest` where that is negative, by integer arithmetic; `greatest` is overwritten."""
    signed = greatest.view(np.int16)
    np.minimum(signed, np.zeros_like(signed), out=signed)  # ten times as fast as with a scalar zero
    np.maximum(least, greatest, out=least)


def _without_positive_nan(patterns: NDArray[Any], inf: int) -> NDArray[Any]:
    """Return `patterns` with every positive NaN made negative; the array itself if there is none."""
    signed = patterns.view(np.int16)
    if signed.max(initial=0) <= inf:
        return patterns
    negative = patterns.copy()
    np.bitwise_or(negative, SIGN, out=negative, where=signed > inf)
    return negative
