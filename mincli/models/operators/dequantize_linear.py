"""DequantizeLinear 10 and 13: `(x - x_zero_point) * x_scale` in float.

The scale is one number; from 13 on also a vector along `axis`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class DequantizeLinear(Exact):
    """ONNX DequantizeLinear 10 and 13."""

    def _run(
        self, x: NDArray[Any], scale: NDArray[Any], zero_point: NDArray[Any] | None = None, axis: int = 1
    ) -> tuple[NDArray[Any]]:
        shape: tuple[int, ...] = ()
        if scale.ndim and scale.size > 1:
            shape = (-1, *(1,) * (x.ndim - 1 - axis % x.ndim))
        steps = x.astype(np.int64)
        if zero_point is not None:
            steps -= zero_point.reshape(shape)
        return ((steps.astype(np.float32) * scale.reshape(shape)).astype(np.float32),)
