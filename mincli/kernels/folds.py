"""Reduce an array by a ufunc along axes, by the method that suits its shape.

`ufunc.reduce` is quick when the innermost loop is long, and up to fifty times slower when it is short. One axis
at a time, outermost first (each shrinks what is left), the array is seen as (outer, length, inner):

| shape | method |
|---|---|
| inner >= LONG, or inner = 1 and length >= LONG | `ufunc.reduce`: its innermost loop is long |
| length * inner >= 2 * LONG | fold the upper half of `length` onto the lower half, and look again |
| else | sliding minima: combine the flat array with itself, shifted by 1, 2, 4, ... rows |
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

LONG = 128
"""Elements from which on an innermost loop of a ufunc is long."""


def fold(ufunc: np.ufunc, array: NDArray[Any], axes: Sequence[int]) -> NDArray[Any]:
    """Return `array` reduced by an idempotent ufunc (minimum or maximum) along `axes`, which keep the extent 1.

    Args:
        ufunc: np.minimum or np.maximum.
        array: any shape without zero-size axes.
        axes: non-negative, distinct, at least one.
    """
    array = np.ascontiguousarray(array)
    for axis in sorted(axes):
        before, after = array.shape[:axis], array.shape[axis + 1 :]
        array = _fold_middle(ufunc, array.reshape(prod(before), array.shape[axis], prod(after)))
        array = array.reshape(*before, 1, *after)
    return array


def _fold_middle(ufunc: np.ufunc, array: NDArray[Any]) -> NDArray[Any]:
    """Reduce a contiguous (outer, length, inner) array to (outer, inner)."""
    _outer, length, inner = array.shape
    if inner >= LONG or (inner == 1 and length >= LONG):
        result: NDArray[Any] = ufunc.reduce(array, axis=1)
        return result
    if length * inner >= 2 * LONG:
        half = length // 2
        folded = ufunc(array[:, :half], array[:, half : 2 * half])
        if length % 2:
            ufunc(folded[:, :1], array[:, -1:], out=folded[:, :1])
        return _fold_middle(ufunc, folded)
    return _slide(ufunc, array)


def _slide(ufunc: np.ufunc, array: NDArray[Any]) -> NDArray[Any]:
    """Reduce (outer, length, inner) by sliding windows, whose loops run over the whole flat array.

    After the step with shift s, each element holds the result of a window of 2s rows from its own on; two
    windows then cover the whole length, overlapping where length is no power of two.
    """
    outer, length, inner = array.shape
    flat, window = array.reshape(-1), 1
    while 2 * window < length:
        shift = window * inner
        flat = ufunc(flat[:-shift], flat[shift:])
        window *= 2
    strides = (length * inner * array.itemsize, array.itemsize)
    first = as_strided(flat, (outer, inner), strides)
    last = as_strided(flat[(length - window) * inner :], (outer, inner), strides)
    result: NDArray[Any] = ufunc(first, last)
    return result
