"""Unsqueeze: axes are places in the output, in any order.

They are an attribute until 11, and an input from 13 on; negative ones are allowed from 11 on.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.axes import from_the_front
from mincli.models.operators.exact import Exact


def _unsqueezed(data: NDArray[Any], axes: Sequence[int], *, negative: bool = True) -> tuple[NDArray[Any]]:
    return (np.expand_dims(data, from_the_front(axes, data.ndim + len(axes), negative=negative)),)


class Unsqueeze1(Exact):
    """ONNX Unsqueeze 1: "list of non-negative integers"."""

    negative = False

    def _run(self, data: NDArray[Any], axes: Sequence[int]) -> tuple[NDArray[Any]]:
        return _unsqueezed(data, axes, negative=self.negative)


class Unsqueeze11(Unsqueeze1):
    """ONNX Unsqueeze 11."""

    negative = True


class Unsqueeze13(Exact):
    """ONNX Unsqueeze 13 and later."""

    def _run(self, data: NDArray[Any], axes: NDArray[Any]) -> tuple[NDArray[Any]]:
        return _unsqueezed(data, axes.reshape(-1).tolist())
