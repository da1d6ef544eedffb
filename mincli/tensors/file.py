"""Tensors in open files, to read from."""

import os
from collections.abc import Sequence

from mincli.spec.dtypes import ElementType
from mincli.tensors.runs import Runs, read_exactly
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
        target = buffer[: tensor.element.nbytes(extents)]
        run, starts = self._runs.of(region)
        memory = target.data
        for position, start in enumerate(starts):
            read_exactly(tensor.file, memory[position * run : (position + 1) * run], start, tensor.name)
        array = target.view(tensor.element.storage).reshape(extents)
        if tensor.swapped:
            array.byteswap(inplace=True)
        return array.transpose(self._to_iteration_order)[(*self._expand, ...)]
