"""Flatten: into a matrix whose rows are the axes before `axis`; a negative one counts from the end from 11 on."""

from math import prod
from typing import Any

from numpy.typing import NDArray

from mincli.errors import AxesError
from mincli.models.operators.axes import NOT_YET_NEGATIVE
from mincli.models.operators.exact import Exact


class Flatten(Exact):
    """ONNX Flatten 11 and later: `axis` is -r to r."""

    negative = True

    def _run(self, x: NDArray[Any], axis: int = 1) -> tuple[NDArray[Any]]:
        low = -x.ndim if self.negative else 0
        if not low <= axis <= x.ndim:
            raise AxesError(
                f"the axis {axis} is out of range",
                details=[f"it is {low} to {x.ndim} at rank {x.ndim}{'' if self.negative else NOT_YET_NEGATIVE}"],
            )
        return (x.reshape(prod(x.shape[:axis]), prod(x.shape[axis:])),)


class Flatten1(Flatten):
    """ONNX Flatten 1 and 9: `axis` is 0 to r."""

    negative = False
