"""GlobalMaxPool and GlobalLpPool: one value per channel, over all axes behind the second, whatever their number."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class GlobalMaxPool(Exact):
    """ONNX GlobalMaxPool 1 and 22."""

    def _run(self, x: NDArray[Any]) -> tuple[NDArray[Any]]:
        return (x.max(axis=tuple(range(2, x.ndim)), keepdims=True),)


class GlobalLpPool(Exact):
    """ONNX GlobalLpPool 1, 2 and 22: the p-th root of the sum of |x| to the power of `p`."""

    def _run(self, x: NDArray[Any], p: float = 2) -> tuple[NDArray[Any]]:
        powers = (np.abs(x) ** p).sum(axis=tuple(range(2, x.ndim)), keepdims=True)
        return ((powers ** (1 / p)).astype(x.dtype),)
