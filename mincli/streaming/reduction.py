"""Minimum of a whole tensor along axes."""

import threading
from collections.abc import Sequence
from math import prod

import numpy as np

from mincli import kernels
from mincli.kernels.folds import has_long_runs
from mincli.spec.dtypes import ElementType
from mincli.spec.shapes import reduced_shape
from mincli.streaming.execute import Progress, run
from mincli.streaming.origins import Origins
from mincli.streaming.plan import Limits, Plan, Region, plan_reduction
from mincli.streaming.space import Space, aligned_strides, make_space
from mincli.tensors.target import Target, TargetView
from mincli.tensors.tensor import Array, Tensor, View, strides_of


def plan(tensor: Tensor, axes: Sequence[int], limits: Limits) -> Plan:
    """Plan the minimum of `tensor` along `axes` (non-negative, distinct)."""
    rank = len(tensor.shape)
    kept = reduced_shape(tensor.shape, axes, keepdims=True)
    strides = [
        aligned_strides(tensor.shape, tensor.strides, rank),
        aligned_strides(kept, strides_of(kept), rank),
    ]
    space = make_space(tensor.shape, strides)
    return plan_reduction(space, tensor.element.itemsize, limits, in_place=_is_read_in_place(tensor, space))


def _is_read_in_place(tensor: Tensor, space: Space) -> bool:
    """Whether the kernel reads each element once and where it is (see `kernels.folds`)."""
    if not tensor.in_place or tensor.element.is_half or not space.reduced:
        return False
    if space.strides[0] != strides_of(space.shape):
        return False
    first, itemsize = space.reduced[0], tensor.element.itemsize
    return has_long_runs(space.shape[first], prod(space.shape[first + 1 :]) * itemsize, itemsize)


def reduce_min(
    tensor: Tensor,
    axes: Sequence[int],
    target: Target,
    limits: Limits,
    *,
    progress: Progress | None = None,
    origins: Origins | None = None,
) -> None:
    """Write the minimum of `tensor` along `axes` to `target`.

    Args:
        tensor: any tensor; the minimum over no elements is the identity of its type.
        axes: non-negative and distinct, as `spec.shapes.reduced_axes` gives them; none copies the tensor.
        target: of the reduced shape, with or without the reduced axes.
        limits: threads and memory.
        progress: is told how many blocks are done.
        origins: counts the NaNs of the result.
    """
    if not prod(target.shape):
        return
    if not prod(tensor.shape):
        _fill_with_identity(target, limits)
        return
    how = plan(tensor, axes, limits)
    shape, (strides, out_strides) = how.space
    view, out = tensor.view(shape, strides), target.view(shape, out_strides)
    results = _Results(out, how, target.element, origins)
    workers = [_Worker(view, results, how, target.element) for _ in range(how.threads)]
    run(how, workers, progress)


def _fill_with_identity(target: Target, limits: Limits) -> None:
    space = make_space(target.shape, [strides_of(target.shape)])
    how = plan_reduction(space, target.element.itemsize, limits)
    out = target.view(*space[:1], space.strides[0])
    for region in how.regions():
        out.write(region, kernels.identity(tuple(part.stop - part.start for part in region), target.element))


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
