"""Reduce an array by a ufunc along axes, by the method that suits its shape.

`ufunc.reduce` pays some 50 ns for each run of its innermost loop, so it is quick when the runs are long and up to
fifty times slower when they are short. A long last axis goes to `ufunc.reduce` with all the others. Else one axis at a
time, the outermost first, each shrinking what is left, the array is seen as (outer, length, inner):

| shape | method |
|---|---|
| inner >= LONG, or inner = 1 and length >= LONG_ROW | `ufunc.reduce`: its runs are long |
| length * inner >= SHORT | fold the upper half of `length` onto the lower half, and look again |
| else | sliding minima: combine the flat array with itself, shifted by 1, 2, 4, ... rows |

LONG, LONG_ROW and SHORT are in bytes.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

LONG = 512
LONG_ROW = {"i": 512, "u": 512, "f": 640}
SHORT = 256
AT_ONCE = 512 << 10
"""Bytes that are folded to the end before the next: what several passes look at then stays in the cache."""


def fold(ufunc: np.ufunc, array: NDArray[Any], axes: Sequence[int]) -> NDArray[Any]:
    """Return `array` reduced by an idempotent ufunc (minimum or maximum) along `axes`, which keep the extent 1.

    Args:
        ufunc: np.minimum or np.maximum.
        array: any shape without zero-size axes.
        axes: non-negative, distinct, at least one.
    """
    if array.strides[-1] != array.itemsize:
        array = np.ascontiguousarray(array)
    if _are_long_rows(array.shape, axes, array.dtype):
        result: NDArray[Any] = ufunc.reduce(array, axis=tuple(axes), keepdims=True)
        return result
    for axis in sorted(axes):
        before, length, after = array.shape[:axis], array.shape[axis], array.shape[axis + 1 :]
        inner = prod(after)
        if _has_long_runs(length, inner, array.dtype):
            array = ufunc.reduce(array, axis=axis, keepdims=True)
        else:
            rows = np.ascontiguousarray(array).reshape(prod(before), length, inner)
            array = np.empty((*before, 1, *after), array.dtype)
            results, step = array.reshape(len(rows), inner), max(1, AT_ONCE // rows[:1].nbytes)
            for start in range(0, len(rows), step):
                _fold_rows(ufunc, rows[start : start + step], results[start : start + step])
    return array


def reads_once(shape: Sequence[int], axes: Sequence[int], dtype: np.dtype[Any]) -> bool:
    """Whether `fold` reads a C-order array of `shape` once and copies none of it: its first step is `ufunc.reduce`."""
    first = min(axes)
    return _are_long_rows(shape, axes, dtype) or _has_long_runs(shape[first], prod(shape[first + 1 :]), dtype)


def _are_long_rows(shape: Sequence[int], axes: Sequence[int], dtype: np.dtype[Any]) -> bool:
    """Whether the last axis is reduced, and long."""
    return max(axes) == len(shape) - 1 and _has_long_runs(shape[-1], 1, dtype)


def _has_long_runs(length: int, inner: int, dtype: np.dtype[Any]) -> bool:
    """Whether `ufunc.reduce` suits a reduction over `length` of runs of `inner` elements."""
    return inner * dtype.itemsize >= LONG or (inner == 1 and length * dtype.itemsize >= LONG_ROW[dtype.kind])


def _fold_rows(ufunc: np.ufunc, array: NDArray[Any], out: NDArray[Any]) -> None:
    """Reduce a contiguous (outer, length, inner) array to (outer, inner)."""
    while array[:1].nbytes >= SHORT and array.shape[1] > 1:
        length = array.shape[1]
        half = length // 2
        folded = ufunc(array[:, :half], array[:, half : 2 * half])
        if length % 2:
            ufunc(folded[:, :1], array[:, -1:], out=folded[:, :1])
        array = folded
    _slide(ufunc, array, out)


def _slide(ufunc: np.ufunc, array: NDArray[Any], out: NDArray[Any]) -> None:
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
    shape, strides = (outer, inner), (length * inner * array.itemsize, array.itemsize)
    first = np.ndarray(shape, array.dtype, flat, 0, strides)
    last = np.ndarray(shape, array.dtype, flat, (length - window) * inner * array.itemsize, strides)
    ufunc(first, last, out=out)
