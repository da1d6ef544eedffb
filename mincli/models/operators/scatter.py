"""Scatter 9, which ScatterElements replaces from opset 11 on."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class Scatter(Exact):
    """ONNX Scatter 9: `output[.., indices[.., i, ..], ..] = updates[.., i, ..]` along `axis`."""

    def _run(
        self, data: NDArray[Any], indices: NDArray[Any], updates: NDArray[Any], axis: int = 0
    ) -> tuple[NDArray[Any]]:
        output = data.copy()
        places: list[NDArray[Any]] = list(np.indices(indices.shape))
        places[axis] = indices
        output[tuple(places)] = updates
        return (output,)
