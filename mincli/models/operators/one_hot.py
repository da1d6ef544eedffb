"""OneHot 9 and 11: `depth` is a scalar or one element; 11 counts negative indices from the end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class OneHot(Exact):
    """ONNX OneHot 11: indices in [-depth, depth - 1]; others make no element hot."""

    from_the_end = True
    """Whether negative indices count from the end."""

    def _run(
        self, indices: NDArray[Any], depth: NDArray[Any], values: NDArray[Any], axis: int = -1
    ) -> tuple[NDArray[Any]]:
        size, indices = int(depth.item()), indices.astype(np.int64)  # of floats the whole part counts
        if axis < 0:
            axis += indices.ndim + 1
        classes = np.arange(size).reshape(-1, *(1,) * (indices.ndim - axis))
        off, on = values
        chosen = np.expand_dims(indices, axis)
        hot = chosen == classes
        if self.from_the_end:
            hot |= chosen == classes - size
        return (np.where(hot, on, off),)


class OneHot9(OneHot):
    """ONNX OneHot 9: an index out of [0, depth - 1] makes no element hot."""

    from_the_end = False
