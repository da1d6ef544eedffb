"""How a computation is cut into blocks that fit the memory: pure arithmetic on shapes and sizes."""

import os
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import NamedTuple

from mincli.errors import UsageError
from mincli.streaming.space import Space, tile
from mincli.tensors.tensor import Region

BLOCK = 1 << 20
"""Bytes per buffer: of smaller blocks threads spend more time on waiting for each other than on work."""
BLOCK_TRANSPOSED = 2 << 20
"""Bytes per buffer where operands lie in different orders, whose runs are as long as the square root of a block."""
BLOCK_IN_PLACE = 8 << 20
"""Bytes per block of arrays in memory, which need no buffers."""
MIN_BLOCK = 64 << 10
"""Bytes per buffer under which threads lose more than they gain."""
MEMORY = 24 << 20
"""Bytes of all buffers together unless the caller says otherwise."""
SCRATCH = 4
"""Buffers that a kernel needs at most besides its operands and its result."""


class Limits(NamedTuple):
    """What a computation may use.

    Attributes:
        threads: at most so many; 0 is the CPUs that this process may use.
        memory: bytes of all buffers together; 0 is mincli's own choice, some 24 MiB.
        held: bytes of that memory that a result kept in memory takes.
    """

    threads: int = 0
    memory: int = 0
    held: int = 0


OWN_CHOICE = Limits()


class Plan(NamedTuple):
    """How a computation runs.

    Attributes:
        space: the iteration space.
        extents: of a block, along each axis of the space.
        threads: how many work at once.
        buffer: bytes of one buffer: a block of one operand.
        memory: bytes of all buffers together, and of a result that is kept in memory.
    """

    space: Space
    extents: tuple[int, ...]
    threads: int
    buffer: int
    memory: int

    def regions(self) -> Iterator[Region]:
        """Cut the space into blocks, each a range of every axis; reduced axes vary fastest."""
        reduced = self.space.reduced
        kept = [axis for axis in range(len(self.space.shape)) if axis not in reduced]
        nesting = [*kept, *reduced]
        back = [nesting.index(axis) for axis in range(len(nesting))]
        for ranges in self._nested(nesting):
            yield tuple(ranges[position] for position in back)

    def _nested(self, axes: Sequence[int]) -> Iterator[Region]:
        """Yield the ranges of `axes`, the last varying fastest; itertools.product would hold all of them."""
        if not axes:
            yield ()
            return
        for outer in cut(self.space.shape[axes[0]], self.extents[axes[0]]):
            for inner in self._nested(axes[1:]):
                yield (outer, *inner)

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return self._blocks(range(len(self.extents)))

    @property
    def blocks_per_result(self) -> int:
        """How many blocks contribute to one block of the output: 1 unless a reduced axis is cut."""
        return self._blocks(self.space.reduced)

    def _blocks(self, axes: Iterable[int]) -> int:
        return prod(-(-self.space.shape[axis] // self.extents[axis]) for axis in axes)


def cut(size: int, extent: int) -> Iterator[slice]:
    """Cut a size into ranges of `extent`, the last one shorter if need be.

    >>> list(cut(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return (slice(start, min(start + extent, size)) for start in range(0, size, extent))


def cut_into_blocks(space: Space, itemsize: int, buffers: int, limits: Limits, *, in_place: bool) -> Plan:
    """Cut a space into blocks.

    Args:
        space: the iteration space.
        itemsize: bytes per element.
        buffers: how many blocks a thread holds.
        limits: threads and memory.
        in_place: the operands are read where they are.

    Raises:
        UsageError: the memory is too little for blocks of one element.
    """
    memory = limits.memory - limits.held if limits.memory else MEMORY
    if memory < buffers * itemsize:
        least = limits.held + buffers * itemsize
        held = f", {limits.held} of them for the result, which is held whole" if limits.held else ""
        raise UsageError(f"--max-memory {limits.memory} is too little", hint=f"give at least {least} bytes{held}")
    size = prod(space.shape)
    blocks = -(-size * itemsize // BLOCK)
    threads = max(1, min(limits.threads or usable_cpus(), memory // (buffers * MIN_BLOCK), blocks))
    block = BLOCK_IN_PLACE if in_place else BLOCK_TRANSPOSED if space.other_orders else BLOCK
    limit = min(-(-size // threads), min(block, memory // (buffers * threads)) // itemsize)
    extents = tile(space, limit, MIN_BLOCK // itemsize)
    buffer = min(prod(extents), size) * itemsize
    return Plan(space, extents, threads, buffer, limits.held + buffer * buffers * threads)


def usable_cpus() -> int:
    """Return how many CPUs this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        return os.cpu_count() or 1
