"""CumSum 11 and 14: the axis is a scalar, or, as in ONNX's tests until 1.7, one element."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class CumSum(Exact):
    """ONNX CumSum 11 and 14."""

    def _run(self, x: NDArray[Any], axis: NDArray[Any], exclusive: int = 0, reverse: int = 0) -> tuple[NDArray[Any]]:
        along = int(axis.item())
        sums = np.moveaxis(x, along, 0)[:: -1 if reverse else 1]
        sums = np.cumsum(sums, axis=0, dtype=x.dtype)
        if exclusive and len(sums):
            sums = np.concatenate([np.zeros_like(sums[:1]), sums[:-1]])
        return (np.moveaxis(sums[:: -1 if reverse else 1], 0, along),)
