"""Min and ReduceMin: mincli's own kernels, by the rules of the version that the opset means.

`lint` has held their nodes against that version.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli import api
from mincli.errors import AxesError
from mincli.models.operators.exact import Exact
from mincli.spec.operators import resolve


class Min(Exact):
    """ONNX Min 1, 6, 8, 12 and 13."""

    def _run(self, *operands: NDArray[Any], **_: Any) -> tuple[NDArray[Any]]:
        return (api.minimum(*operands, opset=self.opset),)


class ReduceMin(Exact):
    """ONNX ReduceMin 1, 11, 12, 13, 18 and 20."""

    def _run(
        self,
        data: NDArray[Any],
        axes: NDArray[Any] | list[int] | None = None,
        keepdims: int = 1,
        noop_with_empty_axes: int = 0,
    ) -> tuple[NDArray[Any]]:
        if isinstance(axes, np.ndarray) and (axes.dtype != np.int64 or axes.ndim != 1):
            raise AxesError(
                f"{resolve('ReduceMin', self.opset).label}: axes are {axes.dtype} of rank {axes.ndim}",
                details=["axes must be an int64 vector"],
            )
        result = api.reduce_min(data, axes, bool(keepdims), bool(noop_with_empty_axes), self.opset)
        return (result,)
