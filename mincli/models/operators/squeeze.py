"""Squeeze 1 and 11: takes away axes of size 1, in any order; all of them if none is given. Negative ones from 11 on."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from mincli.errors import ShapeError
from mincli.models.operators.axes import from_the_front
from mincli.models.operators.exact import Exact
from mincli.spec.shapes import in_words


class Squeeze11(Exact):
    """ONNX Squeeze 11."""

    negative = True

    def _run(self, data: NDArray[Any], axes: Sequence[int] | None = None) -> tuple[NDArray[Any]]:
        if not axes:
            return (data.squeeze(),)
        places = from_the_front(axes, data.ndim, negative=self.negative)
        for place in places:
            if data.shape[place] != 1:
                raise ShapeError(
                    f"axis {place} of {in_words(data.shape)} cannot be taken away",
                    details=["only axes of size 1 can"],
                )
        return (data.squeeze(places),)


class Squeeze1(Squeeze11):
    """ONNX Squeeze 1: "list of non-negative integers"."""

    negative = False
