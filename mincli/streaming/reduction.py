"""Minimum of a whole tensor along axes."""

import threading
from collections.abc import Sequence
from math import prod

import numpy as np

from mincli import kernels
from mincli.spec.dtypes import ElementType
from mincli.spec.shapes import reduced_shape
from mincli.streaming.execute import Progress, run
from mincli.streaming.origins import Origins
from mincli.streaming.plan import SCRATCH, Limits, Plan, cut_into_blocks
from mincli.streaming.space import aligned_strides, make_space
from mincli.tensors.target import Target, TargetView
from mincli.tensors.tensor import Array, Region, Tensor, View, strides_of


def make_plan(tensor: Tensor, axes: Sequence[int], limits: Limits) -> Plan:
    """Plan the minimum of `tensor` along `axes`.

    Args:
        tensor: any tensor.
        axes: non-negative and distinct, as `spec.shapes.reduced_axes` gives them; none copies the tensor.
        limits: threads and memory.

    Raises:
        UsageError: the memory is too little for blocks of one element.
    """
    kept = reduced_shape(tensor.shape, axes, keepdims=True)
    shape = tensor.shape if prod(tensor.shape) else kept
    rank, itemsize = len(shape), tensor.element.itemsize
    strides = [aligned_strides(shape, tensor.strides, rank), aligned_strides(kept, strides_of(kept), rank)]
    space = make_space(shape, strides)
    in_place = tensor.in_place and space.strides[0] == strides_of(space.shape)
    in_place = in_place and kernels.reads_once(space.shape, space.reduced, tensor.element)
    # A block, a part and an accumulator, and one to combine two of these, besides what the kernel needs.
    return cut_into_blocks(space, itemsize, 1 if in_place else 4 + SCRATCH, limits, in_place=in_place)


def reduce_min(
    tensor: Tensor,
    target: Target,
    plan: Plan,
    *,
    progress: Progress | None = None,
    origins: Origins | None = None,
) -> None:
    """Write the minimum of `tensor` along axes to `target`.

    Args:
        tensor: any tensor; the minimum over no elements is the identity of its type.
        target: of the reduced shape, with or without the reduced axes.
        plan: of this tensor and the axes (`make_plan`).
        progress: is told how many blocks are done.
        origins: counts the NaNs of the result.
    """
    shape, (strides, out_strides) = plan.space
    view = tensor.view(shape, strides) if prod(tensor.shape) else _Identities(target.element)
    results = _Results(target.view(shape, out_strides), plan, target.element, origins)
    run(plan, [_Worker(view, results, plan, target.element) for _ in range(plan.threads)], progress)


class _Identities(View):
    """What is reduced where there are no elements."""

    def __init__(self, element: ElementType) -> None:
        self.axes, self._element = (), element

    def read(self, region: Region, buffer: Array) -> Array:
        return kernels.identity(tuple(part.stop - part.start for part in region), self._element)


class _Results:
    """Blocks of the output that parts are still coming for."""

    def __init__(self, out: TargetView, plan: Plan, element: ElementType, origins: Origins | None) -> None:
        self.out, self.element, self.origins = out, element, origins
        self.parts = plan.blocks_per_result
        self.pending: dict[tuple[int, ...], tuple[Array, int]] = {}
        self.lock = threading.Lock()

    def add(self, key: tuple[int, ...], region: Region, array: Array, parts: int) -> None:
        """Combine what a worker found in `parts` blocks; write the result when all blocks are in."""
        with self.lock:
            if key in self.pending:
                other, others = self.pending.pop(key)
                array, parts = kernels.combine(other, array, self.element), parts + others
            if parts < self.parts:
                self.pending[key] = array, parts
                return
        self.out.write(region, array)
        if self.origins:
            self.origins.count([], array, self.element)


class _Worker:
    """Reads blocks and folds those of one block of the output into an accumulator, until another one's turn comes."""

    def __init__(self, view: View, results: _Results, plan: Plan, element: ElementType) -> None:
        self.view, self.results, self.element, self.reduced = view, results, element, plan.space.reduced
        self.kept = [axis for axis in range(len(plan.space.shape)) if axis not in self.reduced]
        self.buffer = np.empty(plan.buffer, np.uint8)
        self.key: tuple[int, ...] | None = None
        self.region: Region = ()
        self.accumulator: Array | None = None
        self.parts = 0

    def work(self, region: Region) -> None:
        key = tuple(region[axis].start for axis in self.kept)
        if key != self.key:
            self.finish()
            self.key, self.region = key, region
        part = kernels.partial(self.view.read(region, self.buffer), self.reduced, self.element)
        self.accumulator = part if self.accumulator is None else kernels.combine(self.accumulator, part, self.element)
        self.parts += 1

    def finish(self) -> None:
        if self.key is not None and self.accumulator is not None:
            self.results.add(self.key, self.region, self.accumulator, self.parts)
        self.key, self.accumulator, self.parts = None, None, 0
