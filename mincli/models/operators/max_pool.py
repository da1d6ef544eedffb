"""MaxPool, every version.

Padding never wins. Indices count the elements of the whole input, as if it were flat, row by row, or with
`storage_order` = 1 (from 8 on) column by column. `ceil_mode` (from 10 on) rounds the output's size up, but no window
starts in the padding at the end.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact
from mincli.models.operators.windows import taps, windows


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
        axes = windows(x.shape[2:], kernel_shape, auto_pad, ceil_mode, dilations, pads, strides)
        y = np.zeros((*x.shape[:2], *(axis.windows for axis in axes)), x.dtype)
        taken = np.full(y.shape, -1)
        flat = np.arange(math.prod(x.shape[2:])).reshape(x.shape[2:], order="F" if storage_order else "C")
        for source, target in taps(axes):
            values, so_far = x[source], y[target]
            better = (taken[target] < 0) | (values > so_far) | ((values != values) & (so_far == so_far))
            y[target] = np.where(better, values, so_far)
            taken[target] = np.where(better, flat[source], taken[target])
        channels = np.arange(math.prod(x.shape[:2])).reshape(*x.shape[:2], *(1,) * len(axes))
        return (y, taken + channels * math.prod(x.shape[2:]))
