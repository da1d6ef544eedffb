"""Det: of matrices of any float type; LAPACK has no 16-bit ones."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class Det(Exact):
    """ONNX Det 11 and 22."""

    def _run(self, x: NDArray[Any]) -> tuple[NDArray[Any]]:
        return (np.asarray(np.linalg.det(x.astype(np.result_type(x.dtype, np.float32))), x.dtype),)
