"""NonMaxSuppression 10 and 11: the limits are one element each, of rank 0 or 1."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx.reference.ops.op_non_max_suppression import NonMaxSuppression as Onnxs


class NonMaxSuppression(Onnxs):  # type: ignore[misc]
    """ONNX NonMaxSuppression 10 and 11."""

    def _run(
        self, boxes: NDArray[Any], scores: NDArray[Any], *limits: NDArray[Any] | None, **attributes: Any
    ) -> tuple[NDArray[Any]]:
        vectors = [None if limit is None else np.reshape(limit, -1) for limit in limits]
        result: tuple[NDArray[Any]] = super()._run(boxes, scores, *vectors, **attributes)
        return result
