"""Squeeze: takes away axes of size 1, in any order; without axes, all of them.

The axes are an attribute until 11, and an input from 13 on, which may be empty: then none is taken away. Negative ones
are allowed from 11 on.
"""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from mincli.errors import ShapeError
from mincli.models.operators.axes import from_the_front
from mincli.models.operators.exact import Exact
from mincli.spec.shapes import in_words


def _squeezed(data: NDArray[Any], axes: Sequence[int], *, negative: bool = True) -> tuple[NDArray[Any]]:
    places = from_the_front(axes, data.ndim, negative=negative)
    for place in places:
        if data.shape[place] != 1:
            raise ShapeError(
                f"axis {place} of {in_words(data.shape)} cannot be taken away", details=["only axes of size 1 can"]
            )
    return (data.squeeze(places),)


class Squeeze1(Exact):
    """ONNX Squeeze 1: "list of non-negative integers"."""

    negative = False

    def _run(self, data: NDArray[Any], axes: Sequence[int] | None = None) -> tuple[NDArray[Any]]:
        return _squeezed(data, axes, negative=self.negative) if axes else (data.squeeze(),)


class Squeeze11(Squeeze1):
    """ONNX Squeeze 11."""

    negative = True


class Squeeze13(Exact):
    """ONNX Squeeze 13 and later."""

    def _run(self, data: NDArray[Any], axes: NDArray[Any] | None = None) -> tuple[NDArray[Any]]:
        return (data.squeeze(),) if axes is None else _squeezed(data, axes.reshape(-1).tolist())
