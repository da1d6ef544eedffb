"""Tensors in memory, to read from."""

from collections.abc import Sequence

from numpy.lib.stride_tricks import as_strided

from mincli.spec.dtypes import ElementType
from mincli.tensors.tensor import Array, Region, Tensor, View


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
        return ArrayView(self._array, shape, strides)


class ArrayView(View):
    """An array in memory under iteration axes, to read from or to write to.

    Args:
        array: the array.
        shape: the iteration axes' extents.
        strides: how many elements to step along each of them.
    """

    def __init__(self, array: Array, shape: Sequence[int], strides: Sequence[int]) -> None:
        steps = [step * array.itemsize for step in strides]
        # Broadcast axes have extent 1, so that kernels see what is repeated.
        extents = [extent if step else 1 for extent, step in zip(shape, strides, strict=True)]
        self._array = as_strided(array, extents, steps)
        self.axes = [axis for axis, size in enumerate(extents) if size > 1]

    def __getitem__(self, region: Region) -> Array:
        """Return the elements of a region without copying them."""
        clipped = (slice(0, 1) if size == 1 else part for size, part in zip(self._array.shape, region, strict=True))
        return self._array[(*clipped, ...)]  # the ellipsis keeps an array of no axes an array

    def read(self, region: Region, buffer: Array) -> Array:
        array = self[region]
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
