"""BatchNormalization until opset 13.

The number of outputs says what is computed: with Y alone it is inference, which normalizes by the given mean and
variance; with the statistics as well it is training (versions 1, 6, 7 and 9, "Output case #1" and "#2"). `spatial` = 0
(until version 7) has a mean and a variance per element instead of per channel.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class BatchNormalization(Exact):
    """ONNX BatchNormalization 1, 6, 7 and 9."""

    def _run(
        self,
        x: NDArray[Any],
        scale: NDArray[Any],
        bias: NDArray[Any],
        mean: NDArray[Any],
        variance: NDArray[Any],
        epsilon: float = 1e-5,
        momentum: float = 0.9,
        spatial: int = 1,
        is_test: int = 0,
    ) -> tuple[NDArray[Any], ...]:
        training = sum(map(bool, self.onnx_node.output)) > 1 and not is_test
        if not training:
            return (_normalized(x, scale, bias, mean, variance, epsilon, spatial),)
        axes = (0, *range(2, x.ndim)) if spatial else (0,)
        own_mean, own_variance = x.mean(axis=axes), x.var(axis=axes)
        y = _normalized(x, scale, bias, own_mean, own_variance, epsilon, spatial)
        running = [
            (old.reshape(new.shape) * momentum + new * (1 - momentum)).astype(x.dtype)
            for old, new in ((mean, own_mean), (variance, own_variance))
        ]
        return (y, *running, own_mean.astype(x.dtype), own_variance.astype(x.dtype))


def _normalized(
    x: NDArray[Any],
    scale: NDArray[Any],
    bias: NDArray[Any],
    mean: NDArray[Any],
    variance: NDArray[Any],
    epsilon: float,
    spatial: int,
) -> NDArray[Any]:
    shape = (-1, *(1,) * (x.ndim - 2)) if spatial and x.ndim > 1 else x.shape[1:]
    scale, bias, mean, variance = (array.reshape(shape) for array in (scale, bias, mean, variance))
    normalized: NDArray[Any] = scale * (x - mean) / np.sqrt(variance + epsilon) + bias
    return normalized.astype(x.dtype)
