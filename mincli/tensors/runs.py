"""How regions lie in a file, and the bytes read and written there."""

import os
from collections.abc import Iterator, Sequence
from itertools import product

from mincli.errors import FileError
from mincli.tensors.tensor import Region


class Runs:
    """How a region of iteration axes lies in a file: as runs of bytes that follow each other in memory.

    Args:
        offset: bytes in the file before the first element.
        itemsize: bytes per element.
        strides: of the iteration axes, in elements.
    """

    def __init__(self, offset: int, itemsize: int, strides: Sequence[int]) -> None:
        self._offset, self._itemsize, self._strides = offset, itemsize, strides
        self.axes = sorted((axis for axis, step in enumerate(strides) if step), key=lambda axis: -strides[axis])
        """The iteration axes along which the file varies, in the order of the file, outermost first."""

    def extents(self, region: Region) -> list[int]:
        """Return the region's extents along `axes`."""
        return [region[axis].stop - region[axis].start for axis in self.axes]

    def of(self, region: Region) -> tuple[int, Iterator[int]]:
        """Return the length of each run in bytes, and where the runs start in the file."""
        extents = self.extents(region)
        steps = [self._strides[axis] * self._itemsize for axis in self.axes]
        run, outer = self._itemsize, len(steps)
        while outer and steps[outer - 1] == run:
            outer -= 1
            run *= extents[outer]
        start = self._offset + sum(step * region[axis].start for step, axis in zip(steps, self.axes, strict=True))
        loops = (range(0, step * extent, step) for step, extent in zip(steps[:outer], extents, strict=False))
        return run, (start + sum(offsets) for offsets in product(*loops))


def read_exactly(file: int, memory: memoryview, start: int, name: str) -> None:
    """Fill `memory` with the bytes of a file from `start` on.

    Raises:
        FileError: the file cannot be read, or has become shorter since it was opened.
    """
    while memory:
        try:
            count = os.preadv(file, [memory], start)
        except OSError as error:
            raise FileError(f"{name}: {error.strerror} while reading") from error
        if not count:
            raise FileError(f"{name} became shorter while it was read", hint="is another program writing it?")
        memory, start = memory[count:], start + count


def write_exactly(file: int, memory: memoryview, start: int) -> None:
    """Write `memory` to a file from byte `start` on."""
    while memory:
        count = os.pwrite(file, memory, start)
        memory, start = memory[count:], start + count
