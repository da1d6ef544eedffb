"""Gemm: alpha * A' * B' + beta * C, where A' and B' are transposed if `transA` and `transB` say so.

Until version 6 C has the shape of the product, unless `broadcast` is set. From 7 on it always broadcasts to it, and
from 11 on it may be left out.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.errors import ShapeError
from mincli.models.operators.broadcastable import broadcast_to
from mincli.models.operators.exact import Exact
from mincli.spec.shapes import in_words


class Gemm(Exact):
    """ONNX Gemm 1, 6, 7, 9, 11 and 13."""

    def _run(
        self,
        a: NDArray[Any],
        b: NDArray[Any],
        c: NDArray[Any] | None = None,
        alpha: float = 1.0,
        beta: float = 1.0,
        transA: int = 0,  # noqa: N803 - the names of the attributes
        transB: int = 0,  # noqa: N803
        broadcast: int = 1,  # until 6 an attribute, whose default is 0
    ) -> tuple[NDArray[Any]]:
        left, right = a.T if transA else a, b.T if transB else b
        if left.ndim != 2 or right.ndim != 2 or left.shape[1] != right.shape[0]:
            raise ShapeError(
                f"A', {in_words(left.shape)}, and B', {in_words(right.shape)}, cannot be multiplied",
                details=["A' is M x K, and B' is K x N"],
            )
        y = _scaled(left @ right, alpha)
        if c is not None:
            if not broadcast and c.shape != y.shape:
                raise ShapeError(
                    f"C is {in_words(c.shape)}, and the product is {in_words(y.shape)}",
                    details=["until opset 6, they have to be equal unless the attribute broadcast is 1"],
                )
            y = y + _scaled(broadcast_to(c, y.shape, "C"), beta)
        return (y.astype(a.dtype),)


def _scaled(array: NDArray[Any], factor: float) -> NDArray[Any]:
    return array if factor == 1 else array * np.float64(factor) if array.dtype.kind in "iu" else array * factor
