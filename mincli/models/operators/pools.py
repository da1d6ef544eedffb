"""AveragePool and LpPool, every version; NaN is a value, and padding is none.

A window's sum is divided by the number of its elements that are in the input; `count_include_pad` = 1 (from 7 on)
counts those in the padding as well, but not what `ceil_mode` (from 10 on) lets stand out behind it.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact
from mincli.models.operators.windows import Axis, taps, windows


def _sums(x: NDArray[Any], axes: Sequence[Axis]) -> NDArray[Any]:
    sums = np.zeros((*x.shape[:2], *(axis.windows for axis in axes)), np.result_type(x.dtype, np.float32))
    for source, target in taps(axes):
        sums[target] += x[source]
    return sums


class AveragePool(Exact):
    """ONNX AveragePool 1, 7, 10, 11, 19 and 22."""

    def _run(self, x: NDArray[Any], count_include_pad: int = 0, **attributes: Any) -> tuple[NDArray[Any]]:
        axes = windows(x.shape[2:], **attributes)
        counts = reduce(np.multiply.outer, [axis.lengths(padded=bool(count_include_pad)) for axis in axes])
        return ((_sums(x, axes) / counts).astype(x.dtype),)


class LpPool(Exact):
    """ONNX LpPool 1, 2, 11, 18 and 22: the p-th root of the sum of |x| to the power of `p`."""

    def _run(self, x: NDArray[Any], p: float = 2, **attributes: Any) -> tuple[NDArray[Any]]:
        powers = np.abs(x.astype(np.result_type(x.dtype, np.float32))) ** p
        return ((_sums(powers, windows(x.shape[2:], **attributes)) ** (1 / p)).astype(x.dtype),)
