"""NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss.

The loss of a sample is `-x[n, target, ...]` times the weight of its class; samples whose target is `ignore_index`,
whatever its value, count neither in the sum nor in the mean, which is weighted.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.errors import InputError
from mincli.models.operators.exact import Exact


def _loss(
    x: NDArray[Any], target: NDArray[Any], weight: NDArray[Any] | None, ignore_index: int | None, reduction: str
) -> NDArray[Any]:
    classes = x.shape[1]
    ignored = np.zeros(target.shape, bool) if ignore_index is None else target == ignore_index
    labels = np.where(ignored, 0, target)
    if labels.size and not 0 <= labels.min() <= labels.max() < classes:
        raise InputError(
            f"the targets are {labels.min()} to {labels.max()}, and there are {classes} classes",
            details=[f"a target is 0 to {classes - 1}, or ignore_index"],
        )
    weights = np.where(ignored, 0, np.ones(target.shape) if weight is None else weight[labels])
    chosen = np.take_along_axis(x, np.expand_dims(labels, 1), 1).squeeze(1)
    losses = np.where(ignored, 0, -chosen * weights)
    if reduction == "none":
        return losses.astype(x.dtype)
    total = losses.sum()
    return np.asarray(total / weights.sum() if reduction == "mean" else total, x.dtype)


class NegativeLogLikelihoodLoss(Exact):
    """ONNX NegativeLogLikelihoodLoss 12, 13 and 22: x are the logarithms of probabilities."""

    def _run(
        self,
        x: NDArray[Any],
        target: NDArray[Any],
        weight: NDArray[Any] | None = None,
        ignore_index: int | None = None,
        reduction: str = "mean",
    ) -> tuple[NDArray[Any]]:
        return (_loss(x, target, weight, ignore_index, reduction),)


class SoftmaxCrossEntropyLoss(Exact):
    """ONNX SoftmaxCrossEntropyLoss 12 and 13: their Softmax is taken first, and is an output, too, as logarithms."""

    def _run(
        self,
        scores: NDArray[Any],
        labels: NDArray[Any],
        weights: NDArray[Any] | None = None,
        ignore_index: int | None = None,
        reduction: str = "mean",
    ) -> tuple[NDArray[Any], ...]:
        x = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
        return _loss(x, labels, weights, ignore_index, reduction), x.astype(scores.dtype)
