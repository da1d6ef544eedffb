"""LRN: each element is divided by the squares of those around it in its channel's neighbours.

`x / (bias + alpha / size * s) ** beta`, where s is the sum of the squares over the channels from
`c - floor((size - 1) / 2)` to `c + ceil((size - 1) / 2)`, of a tensor N x C x D1 x ... x Dk.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class LRN(Exact):
    """ONNX LRN 1 and 13."""

    def _run(
        self, x: NDArray[Any], size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0
    ) -> tuple[NDArray[Any]]:
        squares = np.square(x.astype(np.result_type(x.dtype, np.float32)))  # float16 is soon exceeded
        sums = np.empty_like(squares)
        for channel in range(x.shape[1]):
            first = max(channel - (size - 1) // 2, 0)
            sums[:, channel] = squares[:, first : channel + size // 2 + 1].sum(axis=1)
        return ((x / (bias + alpha / size * sums) ** beta).astype(x.dtype),)
