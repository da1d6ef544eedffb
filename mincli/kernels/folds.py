"""Reduce an array by a ufunc along axes, by the method that suits its shape.

`ufunc.reduce` pays some 50 ns for each run of its innermost loop, so it is quick when the runs are long and up to
fifty times slower when they are short. One axis at a time, each shrinking what is left, the outermost first unless the
innermost is long, the array is seen as (outer, length, inner):

| shape | method |
|---|---|
| inner >= LONG, or inner = 1 and length >= LONG | `ufunc.reduce`: its runs are long |
| length * inner >= SHORT | fold the upper half of `length` onto the lower half, and look again |
| else | sliding minima: combine the flat array with itself, shifted by 1, 2, 4, ... rows |

LONG and SHORT are in bytes.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

LONG = 512
SHORT = 256


def fold(ufunc: np.ufunc, array: NDArray[Any], axes: Sequence[int]) -> NDArray[Any]:
    """Return `array` reduced by an idempotent ufunc (minimum or maximum) along `axes`, which keep the extent 1.

    Args:
        ufunc: np.minimum or np.maximum.
        array: any shape without zero-size axes.
        axes: non-negative, distinct, at least one.
    """
    if array.strides[-1] != array.itemsize:
        array = np.ascontiguousarray(array)
    for axis in sorted(axes, reverse=_is_long_row(array.shape, axes, array.itemsize)):
        before, length, after = array.shape[:axis], array.shape[axis], array.shape[axis + 1 :]
        inner = prod(after)
        if _has_long_runs(length, inner * array.itemsize, array.itemsize):
            array = ufunc.reduce(array, axis=axis, keepdims=True)
        else:
            rows = np.ascontiguousarray(array).reshape(prod(before), length, inner)
            array = _fold_rows(ufunc, rows).reshape(*before, 1, *after)
    return array


def reads_once(shape: Sequence[int], axes: Sequence[int], itemsize: int) -> bool:
    """Whether `fold` reads a C-order array of `shape` once and copies none of it: its first step is `ufunc.reduce`."""
    first = max(axes) if _is_long_row(shape, axes, itemsize) else min(axes)
    return _has_long_runs(shape[first], prod(shape[first + 1 :]) * itemsize, itemsize)


def _is_long_row(shape: Sequence[int], axes: Sequence[int], itemsize: int) -> bool:
    return max(axes) == len(shape) - 1 and shape[-1] * itemsize >= LONG


def _has_long_runs(length: int, inner: int, itemsize: int) -> bool:
    """Whether `ufunc.reduce` suits a reduction over `length` of runs of `inner` bytes."""
    return inner >= LONG or (inner == itemsize and length * itemsize >= LONG)


def _fold_rows(ufunc: np.ufunc, array: NDArray[Any]) -> NDArray[Any]:
    """Reduce a contiguous (outer, length, inner) array to (outer, inner)."""
    while array[:1].nbytes >= SHORT and array.shape[1] > 1:
        length = array.shape[1]
        half = length // 2
        folded = ufunc(array[:, :half], array[:, half : 2 * half])
        if length % 2:
            ufunc(folded[:, :1], array[:, -1:], out=folded[:, :1])
        array = folded
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
    shape, strides = (outer, inner), (length * inner * array.itemsize, array.itemsize)
    first = np.ndarray(shape, array.dtype, flat, 0, strides)
    last = np.ndarray(shape, array.dtype, flat, (length - window) * inner * array.itemsize, strides)
    result: NDArray[Any] = ufunc(first, last)
    return result
