"""Unique 11.

Without `axis`, of all elements; else of the parts along it. `sorted` = 0 has them in the order in which they are met.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class Unique(Exact):
    """ONNX Unique 11."""

    def _run(
        self,
        x: NDArray[Any],
        axis: int | None = None,
        sorted: int = 1,  # noqa: A002 - the name of the attribute
    ) -> tuple[NDArray[Any], ...]:
        y, indices, inverse, counts = np.unique(
            x, return_index=True, return_inverse=True, return_counts=True, axis=axis
        )
        order = np.arange(len(indices)) if sorted else indices.argsort()
        return (
            y.take(order, axis=axis or 0),
            indices[order].astype(np.int64),
            order.argsort()[inverse.reshape(-1)].astype(np.int64),
            counts[order].astype(np.int64),
        )
