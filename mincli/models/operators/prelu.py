"""PRelu: x where it is not negative, else slope * x.

Until version 6 "if Slope is of size 1, the value is shared across different channels": any other vector has a slope for
each channel, which is axis 1. From 7 on the slope broadcasts to x (unidirectionally): a vector is along the last axis.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.errors import ShapeError
from mincli.models.operators.broadcastable import broadcast_to
from mincli.models.operators.exact import Exact
from mincli.spec.shapes import in_words


class PRelu(Exact):
    """ONNX PRelu 7, 9 and 16."""

    def _run(self, x: NDArray[Any], slope: NDArray[Any]) -> tuple[NDArray[Any]]:
        slope = broadcast_to(slope, x.shape, "the slope")
        return (np.where(x < 0, x * slope, x).astype(x.dtype),)


class PRelu1(PRelu):
    """ONNX PRelu 1 and 6."""

    def _run(self, x: NDArray[Any], slope: NDArray[Any]) -> tuple[NDArray[Any]]:
        if slope.size == 1:
            slope = slope.reshape(())
        elif slope.ndim == 1 and x.ndim > 1:
            if slope.size != x.shape[1]:
                raise ShapeError(
                    f"the slope has {slope.size} elements, and x, {in_words(x.shape)}, has {x.shape[1]} channels",
                    details=["until opset 6, a slope of one axis has an element for each channel (axis 1), or one"],
                )
            slope = slope.reshape(-1, *(1,) * (x.ndim - 2))
        return super()._run(x, slope)
