"""Tensors to read from and to write to, whether their elements lie in memory or in a file.

A tensor says where its elements lie by *strides*: how many elements to step for one step along each axis. Whoever
computes lays its own iteration axes over tensors (`view`), with stride 0 where a tensor does not vary, and then
reads or writes one region of them after the other.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from types import TracebackType
from typing import Any, Self

from numpy.typing import NDArray

from mincli.errors import ElementTypeError
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
    """A tensor under the iteration axes of a computation.

    Attributes:
        axes: the iteration axes along which the tensor varies.
    """

    axes: Sequence[int]

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
        in_place: whether a view gives its elements where they are, without a buffer.
    """

    name: str
    element: ElementType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    note: str = ""
    layout: str = "C order"
    in_place: bool = False

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return prod(self.shape) * self.element.width

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


class OpaqueTensor(Tensor):
    """An array of a type that no minimum operator takes: known only so that it can be refused by name."""

    def __init__(self, element: ElementType, shape: tuple[int, ...], name: str) -> None:
        self.element, self.shape, self.name = element, shape, name
        self.strides = strides_of(shape)

    def view(self, shape: Sequence[int], strides: Sequence[int]) -> View:
        raise ElementTypeError(f"{self.name}: there is no minimum of {self.element}")
