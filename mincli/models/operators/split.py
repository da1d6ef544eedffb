"""Split: into parts along an axis, whose sizes are given, or equal.

The sizes are an attribute until version 11 (in 1 it may be an input as well), and an input from 13 on; they add up to
the axis. Without them the parts are equal. From 18 on either they or `num_outputs` are given, never both; with
`num_outputs` the last part may be smaller.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.errors import InputError, ShapeError, counted
from mincli.models.operators.exact import Exact

_ONE_OF_THEM = "from opset 18 on, it has one of them"


class _Split(Exact):
    def parts(self, data: NDArray[Any], axis: int | None, sizes: Sequence[int]) -> tuple[NDArray[Any], ...]:
        """Return the parts of these sizes along an axis, 0 if it is left out."""
        axis, outputs = axis or 0, len(self.onnx_node.output)
        if len(sizes) != outputs or min(sizes) < 0 or sum(sizes) != data.shape[axis]:
            raise ShapeError(
                f"axis {axis} has {counted(data.shape[axis], 'element')}, and the sizes of the parts are "
                + ", ".join(map(str, sizes)),
                details=[f"each of its {counted(outputs, 'output')} has a size, and they add up to the axis"],
            )
        return tuple(np.split(data, list(accumulate(sizes))[:-1], axis))

    def equal(self, data: NDArray[Any], axis: int | None) -> list[int]:
        """Return the sizes of equal parts."""
        outputs = len(self.onnx_node.output)
        size, rest = divmod(data.shape[axis or 0], outputs)
        if rest:
            raise ShapeError(
                f"axis {axis or 0} has {counted(data.shape[axis or 0], 'element')}, "
                f"which are not {counted(outputs, 'equal part')}",
                details=["without split, the parts are equal"],
            )
        return [size] * outputs


class Split1(_Split):
    """ONNX Split 1: the sizes are an attribute or an input."""

    def _run(
        self,
        data: NDArray[Any],
        sizes: NDArray[Any] | None = None,
        split: Sequence[int] | None = None,
        axis: int | None = None,
    ) -> tuple[NDArray[Any], ...]:
        given = split if sizes is None else [int(size) for size in sizes]
        return self.parts(data, axis, given or self.equal(data, axis))


class Split2(_Split):
    """ONNX Split 2 and 11: the sizes are an attribute."""

    def _run(self, data: NDArray[Any], axis: int = 0, split: Sequence[int] | None = None) -> tuple[NDArray[Any], ...]:
        return self.parts(data, axis, split or self.equal(data, axis))


class Split13(_Split):
    """ONNX Split 13: the sizes are an input."""

    def _run(self, data: NDArray[Any], split: NDArray[Any] | None = None, axis: int = 0) -> tuple[NDArray[Any], ...]:
        return self.parts(data, axis, self.equal(data, axis) if split is None else split.tolist())


class Split18(_Split):
    """ONNX Split 18: the sizes are an input, or `num_outputs` says how many parts there are."""

    def _run(
        self, data: NDArray[Any], split: NDArray[Any] | None = None, axis: int = 0, num_outputs: int | None = None
    ) -> tuple[NDArray[Any], ...]:
        if split is not None and num_outputs is not None:
            raise InputError("it has the input split and the attribute num_outputs", details=[_ONE_OF_THEM])
        if split is not None:
            return self.parts(data, axis, split.tolist())
        if num_outputs is None:
            raise InputError("it has neither the input split nor the attribute num_outputs", details=[_ONE_OF_THEM])
        size = -(-data.shape[axis] // num_outputs)
        return self.parts(data, axis, [*[size] * (num_outputs - 1), data.shape[axis] - size * (num_outputs - 1)])
