"""The iteration space: as few axes as possible, in the order in which the operands lie.

An operand is known by its strides, the elements to step for one step along each axis, 0 where it does not vary:
an input that is broadcast along an axis, or the output of a reduction along a reduced one. On strides alone,
C and Fortran order, broadcasting and reduction are all the same thing.
"""

from collections.abc import Sequence
from math import isqrt, prod
from typing import NamedTuple


class Space(NamedTuple):
    """An iteration space.

    Attributes:
        shape: extent of each axis, outermost first; none is 1.
        strides: for each operand its stride along each axis.
    """

    shape: tuple[int, ...]
    strides: tuple[tuple[int, ...], ...]

    @property
    def reduced(self) -> tuple[int, ...]:
        """The axes along which the last operand, the output, does not vary."""
        return tuple(axis for axis, step in enumerate(self.strides[-1]) if not step)

    def order(self, operand: int) -> list[int]:
        """Return the axes along which an operand varies, innermost in memory first."""
        steps = self.strides[operand]
        return sorted((axis for axis, step in enumerate(steps) if step), key=lambda axis: (abs(steps[axis]), -axis))

    @property
    def other_orders(self) -> list[list[int]]:
        """The orders of the operands that do not lie in iteration order: Fortran order among C.

        Operands of under a sixteenth of the space do not count: short runs of theirs cost little.
        """
        inward = list(reversed(range(len(self.shape))))
        orders = [self.order(operand) for operand in range(len(self.strides))]
        large = [order for order in orders if 16 * prod(self.shape[axis] for axis in order) >= prod(self.shape)]
        return [order for order in large if order != [axis for axis in inward if axis in order]]


def aligned_strides(shape: Sequence[int], strides: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return strides for an operand aligned from the right in `rank` axes: 0 where it has one element.

    >>> aligned_strides((3, 1), (1, 1), 3)
    (0, 1, 0)
    """
    own = (step if size != 1 else 0 for size, step in zip(shape, strides, strict=True))
    return (0,) * (rank - len(shape)) + tuple(own)


def make_space(shape: Sequence[int], strides: Sequence[tuple[int, ...]]) -> Space:
    """Return the iteration space of operands: axes of extent 1 dropped, sorted by stride, merged.

    Args:
        shape: extent of each axis.
        strides: for each operand its stride along each axis; the output is the last.

    >>> make_space((2, 1, 3), [(3, 3, 1), (3, 0, 1)])
    Space(shape=(6,), strides=((1,), (1,)))
    >>> make_space((2, 3), [(1, 2), (0, 1)])  # Fortran order, reduced along the first axis
    Space(shape=(3, 2), strides=((2, 1), (1, 0)))
    """
    axes = [axis for axis, size in enumerate(shape) if size != 1]

    def outermost_first(steps: tuple[int, ...]) -> list[int]:
        return sorted(axes, key=lambda axis: -abs(steps[axis]))

    complete = [steps for steps in reversed(strides) if all(steps[axis] for axis in axes)]
    orders = [outermost_first(steps) for steps in complete]
    axes = max(orders, key=orders.count, default=axes)  # what most operands agree on; then the output's
    extents: list[int] = []
    columns: list[list[int]] = []
    for axis in axes:
        steps = [operand[axis] for operand in strides]
        if columns and all(outer == step * shape[axis] for outer, step in zip(columns[-1], steps, strict=True)):
            extents[-1] *= shape[axis]
            columns[-1] = steps
        else:
            extents.append(shape[axis])
            columns.append(steps)
    return Space(tuple(extents), tuple(zip(*columns, strict=True)) if columns else ((),) * len(strides))


def tile(space: Space, limit: int, run: int) -> tuple[int, ...]:
    """Return the extents of the blocks that `space` is cut into: at most `limit` elements each.

    A block is one run of the operands that lie in iteration order, but for a reduction so long a run is enough that it
    has `run` results: then it rather takes in all that is reduced onto the same elements. Where an operand lies in
    another order (Fortran among C), the block is cut so that each has runs of about the square root of `limit`; or its
    cube root, where their runs go along three different axes, and so on.

    >>> tile(Space((10, 100), ((100, 1),)), 1000, 1000)
    (10, 100)
    >>> tile(Space((4, 1000), ((1000, 1), (0, 1))), 400, 100)  # reduced along the first axis
    (4, 100)
    >>> tile(Space((100, 1000), ((1000, 1), (1, 100))), 100, 100)
    (10, 10)
    """
    inward = list(reversed(range(len(space.shape))))
    extents = [1] * len(space.shape)
    other_orders = space.other_orders
    fastest = {order[0] for order in (inward, *other_orders) if order}
    if len(fastest) > 1:
        share = int(limit ** (1 / len(fastest)) + 1e-9)
        for axis in fastest:  # first, so that no operand's runs take the room of another's
            _grow(extents, space.shape, [axis], share, limit)
    for order in other_orders:
        _grow(extents, space.shape, inward, isqrt(limit), limit)
        _grow(extents, space.shape, order, isqrt(limit), limit)
    reduced = [axis for axis in inward if axis in space.reduced]
    _grow(extents, space.shape, inward, run, limit, reduced)
    _grow(extents, space.shape, reduced, limit, limit)
    _grow(extents, space.shape, inward, limit, limit)
    return tuple(extents)


def _grow(
    extents: list[int], shape: Sequence[int], order: list[int], run: int, limit: int, free: Sequence[int] = ()
) -> None:
    """Lengthen a block along axes, innermost first, to runs of `run` elements and at most `limit` elements in all.

    Along `free` axes a run may be as long as the limit allows.
    """
    inner = 1
    for axis in order:
        room = limit * extents[axis] // prod(extents)
        extents[axis] = max(extents[axis], min(shape[axis], room if axis in free else run // inner, room))
        if extents[axis] < shape[axis]:
            return
        inner *= 1 if axis in free else extents[axis]
