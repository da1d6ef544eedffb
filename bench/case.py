"""What is measured: a minimum to compute, whoever computes it."""

import re
from ast import literal_eval
from math import prod
from typing import NamedTuple

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

Shape = tuple[int, ...]


class Case(NamedTuple):
    """A minimum to compute.

    Attributes:
        operator: "min" or "reduce-min".
        element: the element type, as NumPy and ml_dtypes call it.
        shapes: of the operands, all of one rank.
        axes: that a reduction reduces; they keep the extent 1.
        layouts: of each operand: "C" or "F" for the order of its elements, "S" for C order with swapped bytes.
        values: floats are normally distributed; "ReLU" makes the negative ones +0, "NaN" one in a hundred NaN.
    """

    operator: str
    element: str
    shapes: tuple[Shape, ...]
    axes: Shape = ()
    layouts: str = ""
    values: str = ""

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return itemsize(self.element)

    @property
    def shape(self) -> Shape:
        """The shape of the result."""
        broadcast = [max(sizes) for sizes in zip(*self.shapes, strict=True)]
        return tuple(1 if axis in self.axes else size for axis, size in enumerate(broadcast))

    @property
    def read(self) -> int:
        """Bytes of all operands."""
        return sum(map(prod, self.shapes)) * self.itemsize

    @property
    def written(self) -> int:
        """Bytes of the result."""
        return prod(self.shape) * self.itemsize

    @property
    def name(self) -> str:
        """The case in a few words.

        >>> minimum("float32", 3, MIB).name
        '3 x 1 MiB float32'
        >>> reduction(((-1, 4), (1,)), "int8", MIB).name
        '1 MiB int8 (262144, 4) axes 1'
        """
        first, *others = self.shapes
        size = f"{nbytes(prod(first) * self.itemsize)} {self.element}"
        more = "".join(f", {self._count(letter)}{words}" for letter, words in _LAYOUTS if letter in self.layouts)
        more += f", {self.values}" if self.values else ""
        if self.axes:
            return f"{size} {first} axes {','.join(map(str, self.axes))}{more}"
        if len(set(self.shapes)) == 1:
            return f"{len(self.shapes)} x {size}{more}"
        return f"{size} {first} with {', '.join(map(str, others))}{more}"

    def layout(self, operand: int) -> str:
        """Return the letter of an operand's layout."""
        return self.layouts[operand] if self.layouts else "C"

    def _count(self, letter: str) -> str:
        count = self.layouts.count(letter)
        return "" if count == len(self.shapes) else f"{count} in "


_LAYOUTS = (("F", "Fortran order"), ("S", "swapped bytes"))


def itemsize(element: str) -> int:
    """Return the bytes per element of a type, by its name."""
    bits = re.search(r"\d+$", element)
    return int(bits[0]) // 8 if bits else 1


def nbytes(count: int) -> str:
    """Return a number of bytes in words.

    >>> nbytes(3 << 19), nbytes(1 << 30)
    ('1.5 MiB', '1 GiB')
    """
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if count >= unit:
            return f"{count / unit:.4g} {name}"
    return f"{count} B"


def parse(text: str) -> Case:
    """Return the case that `repr(tuple(case))` gave."""
    return Case(*literal_eval(text))


def minimum(element: str, operands: int, size: int, layouts: str = "") -> Case:
    """Return the minimum of `operands` matrices, about square, of `size` bytes each."""
    return Case("min", element, (_square(element, size),) * operands, layouts=layouts)


def broadcast(element: str, size: int, other: str) -> Case:
    """Return the minimum of a matrix of `size` bytes with a "row", "column" or "scalar"."""
    rows, columns = _square(element, size)
    return Case("min", element, ((rows, columns), {"row": (1, columns), "column": (rows, 1), "scalar": (1, 1)}[other]))


def reduction(pattern: tuple[Shape, Shape], element: str, size: int, layouts: str = "") -> Case:
    """Return the reduction of an array of `size` bytes.

    Args:
        pattern: its shape, where -1 is as long as the size needs, and the axes to reduce.
        element: its type.
        size: its bytes.
        layouts: its layout.
    """
    shape, axes = pattern
    rest = size // itemsize(element) // -prod(shape)
    return Case("reduce-min", element, (tuple(rest if extent < 0 else extent for extent in shape),), axes, layouts)


def _square(element: str, size: int) -> Shape:
    count = size // itemsize(element)
    columns = 1 << (count.bit_length() - 1) // 2
    return count // columns, columns


PATTERNS: tuple[tuple[Shape, Shape], ...] = (
    ((-1, 4096), (0,)),
    ((-1, 4096), (1,)),
    ((-1, 4), (1,)),
    ((4, -1), (0,)),
    ((-1, 16), (1,)),
    ((-1, 128), (1,)),
    ((-1, 64, 1024), (1,)),
    ((-1, 64, 1024), (0, 2)),
    ((-1, 512, 512), (1, 2)),
    ((-1, 512, 64), (0, 1)),
    ((-1, 128, 32, 32), (1, 3)),
    ((-1,), (0,)),
)
"""Shapes and axes to reduce: each asks for another way to go through memory."""

SHORT_LAST_AXIS: tuple[tuple[Shape, Shape], ...] = (((-1, 4), (1,)), ((-1, 16), (1,)))
"""Those of them that reduce a short last axis alone."""

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
ELEMENTS = ("bool", *INTEGERS, *FLOATS)
"""The 13 types that some version of some minimum operator takes."""
