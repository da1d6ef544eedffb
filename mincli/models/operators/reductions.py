"""Reductions of which onnx's evaluator has the rules, but not the type or the value.

ReduceSumSquare has the type of its input, also of 32-bit integers. ReduceLogSumExp of infinities alone is infinite.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx.reference.ops.op_reduce_log_sum_exp import ReduceLogSumExp_18
from onnx.reference.ops.op_reduce_sum_square import ReduceSumSquare_18


class ReduceSumSquare(ReduceSumSquare_18):  # type: ignore[misc]
    """ONNX ReduceSumSquare 1, 11, 13 and 18."""

    def _run(self, data: NDArray[Any], *axes: NDArray[Any] | None, **attributes: Any) -> tuple[NDArray[Any]]:
        (result,) = super()._run(data, *axes, **attributes)
        return (np.asarray(result, data.dtype),)


class ReduceLogSumExp(ReduceLogSumExp_18):  # type: ignore[misc]
    """ONNX ReduceLogSumExp 1, 11, 13, 18 and 28."""

    def _run(self, data: NDArray[Any], *axes: NDArray[Any] | None, **attributes: Any) -> tuple[NDArray[Any]]:
        (result,) = super()._run(data, *axes, **attributes)
        if np.isnan(result).any() and not np.isnan(data).any():
            # it has subtracted a maximum of -inf from itself
            result = np.where(np.isnan(result), data.dtype.type(-np.inf), result)
        return (np.asarray(result, data.dtype),)
