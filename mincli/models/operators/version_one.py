"""Operators of the first opsets whose attributes became inputs, or whose defaults have gone, since.

Clip 1, Concat 1, Reshape 1, Tile 1, and Dropout 1, 6 and 7.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class Clip1(Exact):
    """ONNX Clip 1: `min` and `max` are attributes, and may be left out."""

    def _run(self, x: NDArray[Any], max: float | None = None, min: float | None = None) -> tuple[NDArray[Any]]:  # noqa: A002 - the names of the attributes
        return (np.clip(x, min, max).astype(x.dtype),)


class Concat1(Exact):
    """ONNX Concat 1: the axis is 1 if left out."""

    def _run(self, *inputs: NDArray[Any], axis: int | None = None) -> tuple[NDArray[Any]]:
        return (np.concatenate(inputs, 1 if axis is None else axis),)


class Reshape1(Exact):
    """ONNX Reshape 1: the shape is an attribute; 0 keeps a dimension, -1 is what remains."""

    def _run(self, data: NDArray[Any], shape: Sequence[int] = ()) -> tuple[NDArray[Any]]:
        return (data.reshape([data.shape[axis] if size == 0 else size for axis, size in enumerate(shape or ())]),)


class Tile1(Exact):
    """ONNX Tile 1: `tiles` times along one axis."""

    def _run(self, x: NDArray[Any], tiles: NDArray[Any], axis: NDArray[Any]) -> tuple[NDArray[Any]]:
        repeats = [1] * x.ndim
        repeats[int(axis.item())] = int(tiles.item())
        return (np.tile(x, repeats),)


class Dropout1(Exact):
    """ONNX Dropout 1 and 6: `is_test` says whether it is inference, which changes nothing."""

    def _run(self, data: NDArray[Any], ratio: float = 0.5, is_test: int = 0) -> tuple[NDArray[Any], ...]:
        if not is_test and ratio:
            raise ValueError("it is in training mode, which is random: set is_test to 1, or ratio to 0")
        return data, np.ones(data.shape, data.dtype)


class Dropout7(Exact):
    """ONNX Dropout 7: always inference; the mask has the data's type."""

    def _run(self, data: NDArray[Any], ratio: float = 0.5) -> tuple[NDArray[Any], ...]:
        return data, np.ones(data.shape, data.dtype)
