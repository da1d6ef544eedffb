"""The binary operators before opset 7, whose shapes are equal unless `broadcast` is set.

Then the second operand's shape is a contiguous part of the first one's, from `axis` on; without `axis` it is the last
part (Add, Sub, Mul and Div 1 and 6; Pow, And, Or, Xor, Equal, Greater and Less 1).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.errors import ShapeError
from mincli.models.operators.exact import Exact
from mincli.spec.shapes import in_words


def _quotient(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Divide; integers towards zero."""
    if a.dtype.kind not in "iu":
        return np.asarray(a / b)
    quotient = a // b
    return np.asarray(quotient + ((a % b != 0) & ((a < 0) != (b < 0))).astype(a.dtype))


_FUNCTIONS: dict[str, Callable[..., NDArray[Any]]] = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": _quotient,
    "Pow": np.power,
    "And": np.logical_and,
    "Or": np.logical_or,
    "Xor": np.logical_xor,
    "Equal": np.equal,
    "Greater": np.greater,
    "Less": np.less,
}
NAMES = tuple(_FUNCTIONS)
"""The operators that were so."""


class Binary(Exact):
    """A binary operator of opset 1 to 6."""

    def _run(
        self, a: NDArray[Any], b: NDArray[Any], axis: int | None = None, broadcast: int = 0
    ) -> tuple[NDArray[Any]]:
        if broadcast:
            start = a.ndim - b.ndim if axis is None else axis % max(a.ndim, 1)
            fits = start >= 0 and all(
                size in (1, a.shape[start + place]) if start + place < a.ndim else False
                for place, size in enumerate(b.shape)
            )
            if not fits:
                raise ShapeError(
                    f"{in_words(b.shape)} is no part of {in_words(a.shape)} from axis {start} on",
                    details=["until opset 6, broadcasting is of the second operand along a part of the first"],
                )
            b = b.reshape((*b.shape, *(1,) * (a.ndim - start - b.ndim)))
        elif a.shape != b.shape:
            raise ShapeError(
                f"the shapes {in_words(a.shape)} and {in_words(b.shape)} differ",
                details=["until opset 6, they have to be equal unless the attribute broadcast is 1"],
            )
        return (np.asarray(_FUNCTIONS[self.onnx_node.op_type](a, b)),)
