"""The windows of a pooling operator, and what of the input is in each (AveragePool and LpPool, every version).

An output's size is floor((size + padding - reach) / stride) + 1, where `reach` is the kernel's with its dilation; with
`ceil_mode` it is rounded up, but no window starts in the padding at the end. `auto_pad` SAME_UPPER and SAME_LOWER have
ceil(size / stride) windows; what padding they need is shared, and an odd one is greater at the end, or at the start.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Axis(NamedTuple):
    """The windows along an axis.

    Attributes:
        size: of the axis.
        kernel: how many elements a window has.
        stride: from one window to the next.
        dilation: from one element of a window to the next.
        start: the padding at the start.
        end: that at the end.
        windows: how many there are.
    """

    size: int
    kernel: int
    stride: int
    dilation: int
    start: int
    end: int
    windows: int

    def at(self, offset: int) -> NDArray[Any]:
        """Return where an element of each window is on the axis; in the padding it is negative, or beyond."""
        return np.arange(self.windows) * self.stride + offset * self.dilation - self.start

    def lengths(self, *, padded: bool) -> NDArray[Any]:
        """Return how many elements of each window are on the axis, or on it or its padding."""
        low, high = (-self.start, self.size + self.end) if padded else (0, self.size)
        places = np.stack([self.at(offset) for offset in range(self.kernel)])
        lengths: NDArray[Any] = ((places >= low) & (places < high)).sum(axis=0)
        return lengths


def windows(
    shape: Sequence[int],
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> list[Axis]:
    """Return the windows along each axis.

    Args:
        shape: of the axes behind the second.
        kernel_shape: the attribute.
        auto_pad: the attribute.
        ceil_mode: the attribute.
        dilations: the attribute, None if it is left out.
        pads: the attribute, None if it is left out.
        strides: the attribute, None if it is left out.
    """
    rank = len(kernel_shape)
    pads = (pads if auto_pad == "NOTSET" else None) or [0] * 2 * rank
    columns = (shape, kernel_shape, strides or [1] * rank, dilations or [1] * rank, pads[:rank], pads[rank:])
    return [_axis(*column, auto_pad=auto_pad, ceil_mode=ceil_mode) for column in zip(*columns, strict=True)]


def _axis(
    size: int, kernel: int, stride: int, dilation: int, start: int, end: int, *, auto_pad: str, ceil_mode: int
) -> Axis:
    reach = (kernel - 1) * dilation + 1
    if auto_pad.startswith("SAME"):
        count = math.ceil(size / stride)
        padding = max((count - 1) * stride + reach - size, 0)
        start = padding // 2 if auto_pad == "SAME_UPPER" else padding - padding // 2
        end = padding - start
    else:
        room = size + start + end - reach
        count = (math.ceil(room / stride) if ceil_mode else room // stride) + 1
        if ceil_mode and (count - 1) * stride >= size + start:
            count -= 1
    return Axis(size, kernel, stride, dilation, start, end, count)


def taps(axes: Sequence[Axis]) -> Iterator[tuple[Any, Any]]:
    """Yield, for each element of the kernel, the index of what it meets in the input, and that of its windows."""
    for place in itertools.product(*(range(axis.kernel) for axis in axes)):
        at = [axis.at(offset) for axis, offset in zip(axes, place, strict=True)]
        inside = [(index >= 0) & (index < axis.size) for axis, index in zip(axes, at, strict=True)]
        source = np.ix_(*(index[valid] for index, valid in zip(at, inside, strict=True)))
        yield (..., *source), (..., *np.ix_(*map(np.flatnonzero, inside)))
