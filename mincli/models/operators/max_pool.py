"""MaxPool, every version.

Padding never wins. Indices count the elements of the whole input, as if it were flat, row by row, or with
`storage_order` = 1 (from 8 on) column by column. `ceil_mode` (from 10 on) rounds the output's size up, but no window
starts in the padding at the end.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class MaxPool(Exact):
    """ONNX MaxPool 1, 8, 10, 11, 12 and 22."""

    def _run(
        self,
        x: NDArray[Any],
        kernel_shape: Sequence[int],
        auto_pad: str = "NOTSET",
        ceil_mode: int = 0,
        dilations: Sequence[int] | None = None,
        pads: Sequence[int] | None = None,
        storage_order: int = 0,
        strides: Sequence[int] | None = None,
    ) -> tuple[NDArray[Any], ...]:
        rank = len(kernel_shape)
        strides, dilations = strides or [1] * rank, dilations or [1] * rank
        given = (pads or [0] * 2 * rank) if auto_pad in ("NOTSET", "") else [0] * 2 * rank
        windows = [
            _windows(size, (kernel - 1) * dilation + 1, stride, start, end, auto_pad, ceil_mode)
            for size, kernel, dilation, stride, start, end in zip(
                x.shape[2:], kernel_shape, dilations, strides, given[:rank], given[rank:], strict=True
            )
        ]
        y = np.zeros((*x.shape[:2], *(count for _, count in windows)), x.dtype)
        taken = np.full(y.shape, -1)
        flat = np.arange(math.prod(x.shape[2:])).reshape(x.shape[2:], order="F" if storage_order else "C")
        for place in itertools.product(*map(range, kernel_shape)):
            at = [
                np.arange(count) * stride + offset * dilation - start
                for (start, count), stride, offset, dilation in zip(windows, strides, place, dilations, strict=True)
            ]
            inside = [(index >= 0) & (index < size) for index, size in zip(at, x.shape[2:], strict=True)]
            source = np.ix_(*(index[valid] for index, valid in zip(at, inside, strict=True)))
            target: list[Any] = list(np.ix_(*(np.flatnonzero(valid) for valid in inside)))
            values, so_far = x[:, :, *source], y[:, :, *target]
            better = (taken[:, :, *target] < 0) | (values > so_far) | ((values != values) & (so_far == so_far))
            y[:, :, *target] = np.where(better, values, so_far)
            taken[:, :, *target] = np.where(better, flat[source], taken[:, :, *target])
        channels = np.arange(math.prod(x.shape[:2])).reshape(*x.shape[:2], *(1,) * rank)
        return (y, taken + channels * math.prod(x.shape[2:]))


def _windows(
    size: int, reach: int, stride: int, start: int, end: int, auto_pad: str, ceil_mode: int
) -> tuple[int, int]:
    """Return the padding at the start of an axis, and how many windows there are along it.

    Args:
        size: of the axis.
        reach: of a window, with its dilation.
        stride: from one window to the next.
        start: the padding at the start, unless `auto_pad` says it.
        end: that at the end.
        auto_pad: the attribute.
        ceil_mode: the attribute.
    """
    if auto_pad.startswith("SAME"):
        count = math.ceil(size / stride)
        padding = max((count - 1) * stride + reach - size, 0)
        return padding // 2 if auto_pad == "SAME_UPPER" else padding - padding // 2, count
    room = size + start + end - reach
    count = (math.ceil(room / stride) if ceil_mode else room // stride) + 1
    if ceil_mode and (count - 1) * stride >= size + start:
        count -= 1
    return start, count
