"""Tensors to read from and to write to, whether their elements lie in memory or in a file.

A tensor says where its elements lie by *strides*: how many elements to step for one step along each axis. Whoever
computes lays its own iteration axes over tensors (`view`), with stride 0 where a tensor does not vary, and then
reads or writes one region of them after the other.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from types import TracebackType
from typing import Any, Self

from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from mincli.errors import ElementTypeError, FileError
from mincli.spec.dtypes import ElementType

Array = NDArray[Any]
Region = tuple[slice, ...]
"""A range of indices for each iteration axis."""


def strides_of(shape: Sequence[int], order: str = "C") -> tuple[int, ...]:
    """Return the strides, in elements, of a contiguous array in C or Fortran order.

    >>> strides_of((2, 3, 4)), strides_of((2, 3, 4), "F")
    ((12, 4, 1), (1, 2, 6))
    """
    axes = range(len(shape))
    return tuple(prod(shape[axis + 1 :] if order == "C" else shape[:axis]) for axis in axes)


class View(ABC):
    """A tensor under the iteration axes of a computation."""

    @abstractmethod
    def read(self, region: Region, buffer: Array) -> Array:
        """Return the elements of a region.

        Args:
            region: ranges of the iteration axes.
            buffer: bytes that the view may use; at least as many as the region's elements need.

        Returns:
            An array of storage type, with extent 1 along axes of stride 0, valid until `buffer` is used again.
        """


class Tensor(ABC):
    """An array to read from.

    Attributes:
        name: what to call it in messages.
        element: the element type.
        shape: the shape.
        strides: elements to step along each axis.
        note: what a user should know about how it was read, or "".
        layout: the order and byte order of its elements, in words.
        resident: bytes of memory that it holds.
        in_place: whether a view gives its elements where they are, without a buffer.
    """

    name: str
    element: ElementType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    note: str = ""
    layout: str = "C order"
    resident: int = 0
    in_place: bool = False

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return prod(self.shape) * self.element.itemsize

    @abstractmethod
    def view(self, shape: Sequence[int], strides: Sequence[int]) -> View:
        """Lay iteration axes of `shape` over the tensor, with the given strides (in elements)."""

    def close(self) -> None:
        """Release what the tensor holds open, if anything."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ArrayTensor(Tensor):
    """An array in memory, of the storage type of `element`, in any memory layout."""

    def __init__(self, array: Array, element: ElementType, name: str) -> None:
        if any(step % array.itemsize for step in array.strides):
            array = array.copy()  # fields of structured arrays lie at strides that are no whole elements
        self._array = array
        self.name, self.element, self.shape = name, element, array.shape
        self.strides = tuple(step // array.itemsize for step in array.strides)
        self.in_place = array.dtype.isnative

    def view(self, shape: Sequence[int], strides: Sequence[int]) -> "ArrayView":
        steps = [step * self._array.itemsize for step in strides]
        # Broadcast axes have extent 1, so that kernels see what is repeated.
        extents = [extent if step else 1 for extent, step in zip(shape, strides, strict=True)]
        return ArrayView(as_strided(self._array, extents, steps))


class ArrayView(View):
    """An array in memory under iteration axes, to read from or to write to."""

    def __init__(self, array: Array) -> None:
        self._array = array

    def __getitem__(self, region: Region) -> Array:
        """Return the elements of a region without copying them."""
        clipped = (slice(0, 1) if size == 1 else part for size, part in zip(self._array.shape, region, strict=True))
        return self._array[(*clipped, ...)]  # the ellipsis keeps an array of no axes an array

    def read(self, region: Region, buffer: Array) -> Array:
        array = self[region]
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


class OpaqueTensor(Tensor):
    """An array of a type that no minimum operator takes: known only so that it can be refused by name."""

    def __init__(self, element: ElementType, shape: tuple[int, ...], name: str) -> None:
        self.element, self.shape, self.name = element, shape, name
        self.strides = strides_of(shape)

    def view(self, shape: Sequence[int], strides: Sequence[int]) -> View:
        raise ElementTypeError(f"{self.name}: there is no minimum of {self.element}")


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
        axes = self._runs.axes
        self._to_iteration_order = sorted(range(len(axes)), key=axes.__getitem__)
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
