"""Tensors in open files, to read from, and how regions lie in a file."""

import os
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from mincli.errors import FileError
from mincli.spec.dtypes import ElementType
from mincli.tensors.tensor import Array, Region, Tensor, View, strides_of


class FileTensor(Tensor):
    """An array in an open file.

    Args:
        file: a file descriptor, which the tensor owns.
        offset: bytes in the file before the first element.
        element: the element type.
        shape: the shape.
        name: what to call it in messages.
        fortran: whether the elements lie in Fortran order.
        swapped: whether their bytes are in the other byte order than this machine's.
    """

    def __init__(
        self,
        file: int,
        offset: int,
        element: ElementType,
        shape: tuple[int, ...],
        name: str,
        *,
        fortran: bool = False,
        swapped: bool = False,
    ) -> None:
        self.file, self.offset, self.swapped = file, offset, swapped
        self.element, self.shape, self.name = element, shape, name
        self.strides = strides_of(shape, "F" if fortran else "C")
        self.layout = ("Fortran" if fortran else "C") + " order" + (", byte-swapped" if swapped else "")

    def view(self, shape: Sequence[int], strides: Sequence[int]) -> "FileView":
        return FileView(self, strides)

    def close(self) -> None:
        os.close(self.file)


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


class FileView(View):
    """A file's array under iteration axes."""

    def __init__(self, tensor: FileTensor, strides: Sequence[int]) -> None:
        self._tensor = tensor
        self._runs = Runs(tensor.offset, tensor.element.itemsize, strides)
        self.axes = self._runs.axes
        self._to_iteration_order = sorted(range(len(self.axes)), key=self.axes.__getitem__)
        self._expand = tuple(slice(None) if step else None for step in strides)

    def read(self, region: Region, buffer: Array) -> Array:
        extents = self._runs.extents(region)
        tensor = self._tensor
        target = buffer[: prod(extents) * tensor.element.itemsize]
        run, starts = self._runs.of(region)
        memory = target.data
        for position, start in enumerate(starts):
            read_exactly(tensor.file, memory[position * run : (position + 1) * run], start, tensor.name)
        array = target.view(tensor.element.storage).reshape(extents)
        if tensor.swapped:
            array.byteswap(inplace=True)
        return array.transpose(self._to_iteration_order)[(*self._expand, ...)]


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
