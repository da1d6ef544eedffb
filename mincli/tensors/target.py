"""Tensors to write to, in memory or in a file."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.lib.stride_tricks import as_strided

from mincli.errors import OutputError, printable
from mincli.spec.dtypes import ElementType
from mincli.tensors import npy
from mincli.tensors.array import ArrayView
from mincli.tensors.atomic import replacing, write_exactly
from mincli.tensors.file import Runs
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

    def view(self, shape: Sequence[int], strides: Sequence[int]) -> "ArrayTargetView":
        steps = [step * self.array.itemsize for step in strides]
        extents = [extent if step else 1 for extent, step in zip(shape, strides, strict=True)]
        return ArrayTargetView(as_strided(self.array, extents, steps))


class ArrayTargetView(ArrayView, TargetView):
    """An array in memory under iteration axes, to write to."""

    def place(self, region: Region) -> Array:
        return self[region]

    def write(self, region: Region, array: Array) -> None:
        self[region][...] = array


class FileTarget(Target):
    """An array in an open file, from `offset` bytes on."""

    def __init__(self, file: int, offset: int, element: ElementType, shape: tuple[int, ...]) -> None:
        super().__init__(element, shape)
        self._file, self._offset = file, offset

    def view(self, shape: Sequence[int], strides: Sequence[int]) -> "FileTargetView":
        return FileTargetView(self._file, Runs(self._offset, self.element.itemsize, strides), strides)


class FileTargetView(TargetView):
    """A file under iteration axes, to write to."""

    def __init__(self, file: int, runs: Runs, strides: Sequence[int]) -> None:
        self._file, self._runs = file, runs
        still = [axis for axis, step in enumerate(strides) if not step]
        self._to_file_order = [*runs.axes, *still]

    def place(self, region: Region) -> None:
        return None

    def write(self, region: Region, array: Array) -> None:
        memory = np.ascontiguousarray(array.transpose(self._to_file_order)).reshape(-1).view(np.uint8).data
        run, starts = self._runs.of(region)
        for position, start in enumerate(starts):
            write_exactly(self._file, memory[position * run : (position + 1) * run], start)


@contextmanager
def create_npy(path: str, element: ElementType, shape: tuple[int, ...], *, clobber: bool = True) -> Iterator[Target]:
    """Create a .npy file; it appears under `path` when the block ends without an error (see `atomic.replacing`)."""
    header = npy.format_header(element, shape)
    size = len(header) + int(np.prod(shape, dtype=object)) * element.itemsize
    with replacing(path, size, clobber=clobber) as file:
        write_exactly(file, memoryview(header), 0)
        yield FileTarget(file, len(header), element, shape)


@contextmanager
def create_pb(path: str, element: ElementType, shape: tuple[int, ...], *, clobber: bool = True) -> Iterator[Target]:
    """Create a TensorProto; it appears under `path` when the block ends without an error (see `atomic.replacing`).

    Raises:
        OutputError: as `atomic.replacing`; or the elements are more than a protocol buffer can hold.
    """
    from mincli.tensors import protobuf  # imports onnx

    target = ArrayTarget(np.empty(shape, element.storage), element)
    if target.array.nbytes > protobuf.MOST_BYTES - 1024:
        raise OutputError(
            f"{printable(path)}: a TensorProto holds at most 2 GiB, and the result has {target.array.nbytes} bytes",
            hint="write a .npy file instead",
        )
    with replacing(path, 0, clobber=clobber) as file:
        yield target
        write_exactly(file, memoryview(protobuf.serialize(target.array, element)), 0)
