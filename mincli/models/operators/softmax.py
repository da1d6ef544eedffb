"""Softmax and Hardmax until opset 12, and LogSoftmax.

Versions 1 and 11 coerce the input into a matrix: the axes before `axis` (default 1) are its rows, and each row is one
distribution. From 13 on, `axis` alone is normalized.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


def _rows(x: NDArray[Any], axis: int) -> NDArray[Any]:
    if axis < 0:
        axis += x.ndim
    return x.reshape(math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))


def _log_softmax(x: NDArray[Any], axis: int) -> NDArray[Any]:
    """Return the logarithm of the softmax along an axis, which is not empty."""
    lowered = x - x.max(axis, keepdims=True)
    return np.asarray((lowered - np.log(np.exp(lowered).sum(axis, keepdims=True))).astype(x.dtype))


class Softmax(Exact):
    """ONNX Softmax 1 and 11."""

    def _run(self, x: NDArray[Any], axis: int = 1) -> tuple[NDArray[Any]]:
        rows = _rows(x, axis)
        if not x.size:
            return (x.copy(),)
        powers = np.exp(rows - rows.max(axis=1, keepdims=True))
        return ((powers / powers.sum(axis=1, keepdims=True)).reshape(x.shape).astype(x.dtype),)


class LogSoftmax(Exact):
    """ONNX LogSoftmax 1 and 11."""

    def _run(self, x: NDArray[Any], axis: int = 1) -> tuple[NDArray[Any]]:
        rows = _rows(x, axis)
        if not x.size:
            return (x.copy(),)
        return (_log_softmax(rows, 1).reshape(x.shape),)


class LogSoftmax13(Exact):
    """ONNX LogSoftmax 13, without the logarithm of a Softmax that has become 0."""

    def _run(self, x: NDArray[Any], axis: int = -1) -> tuple[NDArray[Any]]:
        if not x.size:
            return (x.copy(),)
        return (_log_softmax(x, axis),)


class Hardmax(Exact):
    """ONNX Hardmax 1 and 11: 1 at the first maximum of each row, 0 elsewhere."""

    def _run(self, x: NDArray[Any], axis: int = 1) -> tuple[NDArray[Any]]:
        rows = _rows(x, axis)
        ones = np.zeros_like(rows)
        if x.size:
            ones[np.arange(len(rows)), rows.argmax(axis=1)] = 1
        return (ones.reshape(x.shape),)
