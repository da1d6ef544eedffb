"""MaxRoiPool 1 and 22: each region is cut into `pooled_shape` parts, whose maxima are taken.

A region is (batch, x1, y1, x2, y2), times `spatial_scale` and rounded, its ends included; a part of no element is 0.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class MaxRoiPool(Exact):
    """ONNX MaxRoiPool 1 and 22."""

    def _run(
        self, x: NDArray[Any], rois: NDArray[Any], pooled_shape: Sequence[int], spatial_scale: float = 1.0
    ) -> tuple[NDArray[Any]]:
        y = np.zeros((len(rois), x.shape[1], *pooled_shape), x.dtype)
        for number, (batch, *corners) in enumerate(rois):
            x1, y1, x2, y2 = (int(np.floor(corner * spatial_scale + 0.5)) for corner in corners)
            for place in itertools.product(*map(range, pooled_shape)):
                rows, columns = _part(place[0], pooled_shape[0], y1, y2), _part(place[1], pooled_shape[1], x1, x2)
                part = x[int(batch), :, rows, columns]
                if part.size:
                    y[number, :, place[0], place[1]] = part.max(axis=(1, 2))
        return (y,)


def _part(index: int, count: int, first: int, last: int) -> slice:
    size = max(last - first + 1, 1) / count
    return slice(max(int(np.floor(index * size)) + first, 0), max(int(np.ceil((index + 1) * size)) + first, 0))
