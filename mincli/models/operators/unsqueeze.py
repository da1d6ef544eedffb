"""Unsqueeze 1 and 11: axes are places in the output, in any order; negative ones from 11 on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.axes import from_the_front
from mincli.models.operators.exact import Exact


class Unsqueeze11(Exact):
    """ONNX Unsqueeze 11."""

    negative = True

    def _run(self, data: NDArray[Any], axes: Sequence[int] = ()) -> tuple[NDArray[Any]]:
        return (np.expand_dims(data, from_the_front(axes, data.ndim + len(axes), negative=self.negative)),)


class Unsqueeze1(Unsqueeze11):
    """ONNX Unsqueeze 1: "list of non-negative integers"."""

    negative = False
