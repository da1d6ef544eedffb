"""Tensors to write to, in memory or in a file."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Self

import numpy as np

from mincli.errors import OutputError, printable
from mincli.spec.dtypes import ElementType
from mincli.tensors import npy
from mincli.tensors.array import ArrayView
from mincli.tensors.atomic import replacing
from mincli.tensors.runs import Runs, write_exactly
from mincli.tensors.tensor import Array, Region


class TargetView(ABC):
    """A target under the iteration axes of a computation."""

    @abstractmethod
    def place(self, region: Region) -> Array | None:
        """Return the memory of a region to compute into, or None if the result has to be written."""

    @abstractmethod
    def write(self, region: Region, array: Array) -> None:
        """Store a region; `array` has extent 1 along axes of stride 0."""


class Target(ABC):
    """An array to write to, in C order."""

    def __init__(self, element: ElementType, shape: tuple[int, ...]) -> None:
        self.element, self.shape = element, shape

    @abstractmethod
    def view(self, shape: Sequence[int], strides: Sequence[int]) -> TargetView:
        """Lay iteration axes of `shape` over the target, with the given strides (in elements)."""


class ArrayTarget(Target):
    """An array in memory, of the storage type of `element`."""

    def __init__(self, array: Array, element: ElementType) -> None:
        super().__init__(element, array.shape)
        self.array = array

    @classmethod
    def empty(cls, shape: tuple[int, ...], element: ElementType) -> Self:
        """Return a new array of `shape`, with any elements."""
        return cls(np.empty(shape, element.storage), element)

    def view(self, shape: Sequence[int], strides: Sequence[int]) -> "ArrayTargetView":
        return ArrayTargetView(self.array, shape, strides)


class ArrayTargetView(ArrayView, TargetView):
    """An array in memory under iteration axes, to write to."""

    def place(self, region: Region) -> Array:
        return self[region]

    def write(self, region: Region, array: Array) -> None:
        self[region][...] = array


class FileTarget(Target):
    """An array in an open file, from `offset` bytes on; `swapped`, not in this machine's byte order."""

    def __init__(
        self, file: int, offset: int, element: ElementType, shape: tuple[int, ...], *, swapped: bool = False
    ) -> None:
        super().__init__(element, shape)
        self._file, self._offset, self._swapped = file, offset, swapped

    def view(self, shape: Sequence[int], strides: Sequence[int]) -> "FileTargetView":
        runs = Runs(self._offset, self.element.itemsize, strides)
        return FileTargetView(self._file, runs, strides, swapped=self._swapped)


class FileTargetView(TargetView):
    """A file under iteration axes, to write to."""

    def __init__(self, file: int, runs: Runs, strides: Sequence[int], *, swapped: bool) -> None:
        self._file, self._runs, self._swapped = file, runs, swapped
        still = [axis for axis, step in enumerate(strides) if not step]
        self._to_file_order = [*runs.axes, *still]

    def place(self, region: Region) -> None:
        return None

    def write(self, region: Region, array: Array) -> None:
        elements = np.ascontiguousarray(array.transpose(self._to_file_order)).reshape(-1)
        if self._swapped:
            elements = elements.byteswap()
        memory = elements.view(np.uint8).data
        run, starts = self._runs.of(region)
        for position, start in enumerate(starts):
            write_exactly(self._file, memory[position * run : (position + 1) * run], start)


def create_npy(
    path: str, element: ElementType, shape: tuple[int, ...], *, clobber: bool = True
) -> AbstractContextManager[Target]:
    """Create a .npy file; it appears under `path` when the block ends without an error (see `atomic.replacing`)."""
    return _created(path, npy.format_header(element, shape), element, shape, clobber=clobber)


def create_pb(
    path: str, element: ElementType, shape: tuple[int, ...], *, clobber: bool = True
) -> AbstractContextManager[Target]:
    """Create a TensorProto; it appears under `path` when the block ends without an error (see `atomic.replacing`).

    Raises:
        OutputError: as `atomic.replacing`; or the elements are more than a protocol buffer can hold.
    """
    return _created(
        path, pb_header(path, element, shape), element, shape, clobber=clobber, swapped=sys.byteorder == "big"
    )


def pb_header(path: str, element: ElementType, shape: tuple[int, ...]) -> bytes:
    """Return a TensorProto up to its elements.

    Raises:
        OutputError: the elements are more than a protocol buffer can hold.
    """
    from mincli.tensors import protobuf

    header = protobuf.format_header(element, shape)
    nbytes = element.nbytes(shape)
    if len(header) + nbytes > protobuf.MAX_BYTES:
        raise OutputError(
            f"{printable(path)}: a TensorProto holds at most 2 GiB, and the result has {nbytes} bytes",
            hint="write a .npy file instead",
        )
    return header


@contextmanager
def _created(
    path: str, header: bytes, element: ElementType, shape: tuple[int, ...], *, clobber: bool, swapped: bool = False
) -> Iterator[Target]:
    with replacing(path, len(header) + element.nbytes(shape), clobber=clobber) as file:
        write_exactly(file, memoryview(header), 0)
        yield FileTarget(file, len(header), element, shape, swapped=swapped)
