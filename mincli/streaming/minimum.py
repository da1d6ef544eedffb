"""Element-wise minimum of whole tensors."""

from collections.abc import Sequence

import numpy as np

from mincli import kernels
from mincli.spec.dtypes import ElementType
from mincli.streaming.execute import Progress, run
from mincli.streaming.origins import Origins
from mincli.streaming.plan import SCRATCH, Limits, Plan, cut_into_blocks
from mincli.streaming.space import aligned_strides, make_space
from mincli.tensors.target import Target, TargetView
from mincli.tensors.tensor import Array, Region, Tensor, View, strides_of

BATCH = 8
"""Inputs that are held at once; further ones are folded into the result batch by batch."""


def make_plan(inputs: Sequence[Tensor], shape: tuple[int, ...], limits: Limits) -> Plan:
    """Plan the minimum of `inputs`, which broadcast to `shape`.

    Raises:
        UsageError: the memory is too little for blocks of one element.
    """
    strides = [aligned_strides(tensor.shape, tensor.strides, len(shape)) for tensor in inputs]
    space = make_space(shape, [*strides, aligned_strides(shape, strides_of(shape), len(shape))])
    buffers = min(len(inputs), BATCH) + _results(len(inputs)) + SCRATCH
    in_place = all(tensor.in_place for tensor in inputs)
    return cut_into_blocks(space, inputs[0].element.itemsize, buffers, limits, in_place=in_place)


def _results(inputs: int) -> int:
    """Return how many results a thread holds: its own, and of many inputs two to fold batches between."""
    return 1 if inputs <= BATCH else 3


def minimum(
    inputs: Sequence[Tensor],
    target: Target,
    plan: Plan,
    *,
    progress: Progress | None = None,
    origins: Origins | None = None,
) -> None:
    """Write the minimum of tensors to `target`.

    Args:
        inputs: tensors of one element type that broadcast to the target's shape.
        target: of that element type.
        plan: of these inputs and that shape (`make_plan`).
        progress: is told how many blocks are done.
        origins: counts where the elements came from, at the cost of a second look at each input.
    """
    shape, (*strides, out_strides) = plan.space
    views = [tensor.view(shape, steps) for tensor, steps in zip(inputs, strides, strict=True)]
    out = target.view(shape, out_strides)
    run(plan, [_Worker(views, out, target.element, plan.buffer, origins) for _ in range(plan.threads)], progress)


class _Worker:
    """Reads a block of each input, folds them batch by batch, and writes the result."""

    def __init__(
        self,
        inputs: Sequence[View],
        out: TargetView,
        element: ElementType,
        nbytes: int,
        origins: Origins | None,
    ) -> None:
        self.inputs, self.out, self.element, self.origins = inputs, out, element, origins
        self.buffers = [np.empty(nbytes, np.uint8) for _ in inputs[:BATCH]]
        self.read: dict[int, tuple[tuple[int, ...], Array]] = {}
        self.results = [np.empty(nbytes, np.uint8) for _ in range(_results(len(inputs)))]

    def work(self, region: Region) -> None:
        place = self.out.place(region)
        result = self._result(0, region) if place is None else place
        folded: list[Array] = []
        for start in range(0, len(self.inputs), BATCH):
            stop = min(start + BATCH, len(self.inputs))
            operands = [self._operand(number, region) for number in range(start, stop)]
            last = stop == len(self.inputs)
            destination = result if last else self._result(1 + start // BATCH % 2, region)
            kernels.minimum([*folded, *operands], destination, self.element)
            folded = [destination]
        if place is None:
            self.out.write(region, result)
        if self.origins:
            again = (self._operand(number, region) for number in range(len(self.inputs)))
            self.origins.count(again, result, self.element)

    def _operand(self, number: int, region: Region) -> Array:
        """Read a block of an input, unless it is the one that its buffer holds: a broadcast operand's, say."""
        view, slot = self.inputs[number], number % BATCH
        key = (number, *(region[axis].start for axis in view.axes))
        held, array = self.read.get(slot, (None, None))
        if array is None or held != key:
            array = view.read(region, self.buffers[slot])
            self.read[slot] = key, array
        return array

    def _result(self, number: int, region: Region) -> Array:
        extents = [part.stop - part.start for part in region]
        nbytes = self.element.nbytes(extents)
        return self.results[number][:nbytes].view(self.element.storage).reshape(extents)

    def finish(self) -> None:
        """Each block was written when it was computed."""
