"""Operators that were experimental in the domain "" until opset 8 or 9, as onnx 1.2 to 1.4 documented them.

Today's schemas know them no longer (Affine, DynamicSlice, ImageScaler, ParametricSoftplus, ScaledTanh), or only later
versions of them (ThresholdedRelu from 10, MeanVarianceNormalization from 9, which means the same).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class Affine(Exact):
    """Affine 1: `alpha * x + beta`."""

    def run(self, x: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the output."""
        alpha, beta = getattr(self, "alpha", 1.0), getattr(self, "beta", 0.0)
        return [(alpha * x + beta).astype(x.dtype)]


class DynamicSlice(Exact):
    """DynamicSlice 1: Slice with its starts, ends and axes as inputs."""

    def run(
        self, data: NDArray[Any], starts: NDArray[Any], ends: NDArray[Any], axes: NDArray[Any] | None = None
    ) -> list[NDArray[Any]]:
        """Return the slice."""
        cut = [slice(None)] * data.ndim
        for axis, start, end in zip(range(len(starts)) if axes is None else axes, starts, ends, strict=True):
            cut[int(axis)] = slice(int(start), int(end))
        return [data[tuple(cut)]]


class ImageScaler(Exact):
    """ImageScaler 1: `scale * x + bias`, with a bias per channel."""

    def run(self, x: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the output."""
        bias = np.array(getattr(self, "bias", [0.0] * x.shape[1]), x.dtype).reshape(-1, 1, 1)
        return [(x * getattr(self, "scale", 1.0) + bias).astype(x.dtype)]


class ParametricSoftplus(Exact):
    """ParametricSoftplus 1: `alpha * ln(exp(beta * x) + 1)`."""

    def run(self, x: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the output."""
        return [(self.alpha * np.logaddexp(self.beta * x, 0)).astype(x.dtype)]


class ScaledTanh(Exact):
    """ScaledTanh 1: `alpha * tanh(beta * x)`."""

    def run(self, x: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the output."""
        return [(self.alpha * np.tanh(self.beta * x)).astype(x.dtype)]


class ThresholdedRelu(Exact):
    """ThresholdedRelu 1: x where it is greater than `alpha`, 0 elsewhere."""

    def run(self, x: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the output."""
        return [np.where(x > self.alpha, x, x.dtype.type(0))]


class MeanVarianceNormalization(Exact):
    """MeanVarianceNormalization 1, 9 and 13, of every float type: the function of 9 and 13 is for float alone."""

    def run(self, x: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the output."""
        chosen: Sequence[int] = self.axes or (0, 2, 3)
        axes, wide = tuple(chosen), x.astype(np.result_type(x.dtype, np.float32))
        centred = wide - wide.mean(axes, keepdims=True)
        return [(centred / (wide.std(axes, keepdims=True) + 1e-9)).astype(x.dtype)]
