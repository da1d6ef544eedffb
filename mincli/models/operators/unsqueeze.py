"""Unsqueeze 1 and 11: axes are places in the output, in any order; negative ones from 11 on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class Unsqueeze(Exact):
    """ONNX Unsqueeze 1 and 11."""

    def _run(self, data: NDArray[Any], axes: Sequence[int] = ()) -> tuple[NDArray[Any]]:
        return (np.expand_dims(data, tuple(axes)),)
