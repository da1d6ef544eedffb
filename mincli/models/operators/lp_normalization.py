"""LpNormalization: where the norm is 0, so is the output."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class LpNormalization(Exact):
    """ONNX LpNormalization 1 and 22: by the sum of the absolute values, or the root of the sum of the squares."""

    def _run(self, x: NDArray[Any], axis: int = -1, p: int = 2) -> tuple[NDArray[Any]]:
        norm = np.sqrt((x * x).sum(axis, keepdims=True)) if p == 2 else np.abs(x).sum(axis, keepdims=True)
        return (np.where(norm == 0, 0, x / norm).astype(x.dtype),)
