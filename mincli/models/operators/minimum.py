"""Min and ReduceMin: mincli's own kernels, by the rules of the version that the opset means.

`lint` has held their nodes against that version.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli import api
from mincli.errors import AxesError, ShapeError, printable
from mincli.models.operators.exact import Exact
from mincli.spec.operators import resolve


class Min(Exact):
    """ONNX Min 1, 6, 8, 12 and 13."""

    def _run(self, *operands: NDArray[Any], **_: Any) -> tuple[NDArray[Any]]:
        version, names = resolve("Min", self.opset), [printable(name) for name in self.onnx_node.input]
        try:
            return (api.minimum_of(operands, names, version),)
        except ShapeError as error:
            if version.label in error.message:
                raise
            raise ShapeError(f"{version.label}: {error.message}", details=error.details) from error


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
