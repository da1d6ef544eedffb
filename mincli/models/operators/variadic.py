"""Max, Sum and Mean.

Versions 1 and 6 take inputs of one shape, and 8 broadcasts them as NumPy does; Max-8 and Sum-8 are onnx's.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.errors import ShapeError, printable
from mincli.models.operators.exact import Exact
from mincli.spec.shapes import drawing


def _mean(*operands: NDArray[Any]) -> NDArray[Any]:
    return (reduce(np.add, operands) / len(operands)).astype(operands[0].dtype)


_FUNCTIONS: dict[str, Callable[..., NDArray[Any]]] = {
    "Max": lambda *operands: reduce(np.maximum, operands),
    "Sum": lambda *operands: reduce(np.add, operands),
    "Mean": _mean,
}
NAMES = tuple(_FUNCTIONS)
"""The operators that were so; Min as well, which is mincli's own."""


class Variadic(Exact):
    """ONNX Max, Sum and Mean 1 and 6: the inputs have one shape."""

    def _run(self, *operands: NDArray[Any]) -> tuple[NDArray[Any]]:
        shapes = [operand.shape for operand in operands]
        if any(shape != shapes[0] for shape in shapes):
            raise ShapeError(
                "until opset 7 it needs equal shapes",
                details=[
                    *drawing(shapes, [printable(name) for name in self.onnx_node.input]),
                    "broadcasting is allowed from opset 8 on",
                ],
            )
        return (np.asarray(_FUNCTIONS[self.onnx_node.op_type](*operands)),)


class Mean8(Exact):
    """ONNX Mean 8 and 13: the inputs broadcast, whichever is the smaller."""

    def _run(self, *operands: NDArray[Any]) -> tuple[NDArray[Any]]:
        return (np.asarray(_mean(*operands)),)
