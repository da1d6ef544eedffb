"""GatherElements 11 and 13: the indices have the rank of the data, and may be fewer along every axis."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class GatherElements(Exact):
    """ONNX GatherElements 11 and 13: `output[.., i, ..] = data[.., indices[.., i, ..], ..]` along `axis`."""

    def _run(self, data: NDArray[Any], indices: NDArray[Any], axis: int = 0) -> tuple[NDArray[Any]]:
        places: list[NDArray[Any]] = list(np.indices(indices.shape))
        places[axis] = indices
        return (data[tuple(places)],)
