"""What the minimum operators give, computed by plain Python loops over scalars: no NumPy minimum, no mincli.

Arrays of storage type (see `mincli.spec.dtypes`) come in, nested loops run over their elements as Python numbers,
and bit patterns come out. All NaNs are one value, `NAN`; zeros keep their sign.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.spec.dtypes import ElementType

NAN = "nan"
Bits = int | str

_UNPACK = {"float16": ("<H", "<e"), "float": ("<I", "<f"), "double": ("<Q", "<d")}
_GREATEST = {
    "bool": 1, "uint8": 0xFF, "uint16": 0xFFFF, "uint32": 0xFFFFFFFF, "uint64": 0xFFFFFFFFFFFFFFFF,
    "int8": 0x7F, "int16": 0x7FFF, "int32": 0x7FFFFFFF, "int64": 0x7FFFFFFFFFFFFFFF,
    "float16": 0x7C00, "bfloat16": 0x7F80, "float": 0x7F800000, "double": 0x7FF0000000000000,
}  # fmt: skip


def bits_of(array: NDArray[Any], element: ElementType) -> dict[tuple[int, ...], Bits]:
    """Return the bit pattern of each element of an array of storage type by its index, every NaN as `NAN`."""
    unsigned = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)
    return {index: _canonical(int(unsigned[index]), element) for index in indices(array.shape)}


def minimum(arrays: Sequence[NDArray[Any]], shape: Sequence[int], element: ElementType) -> dict[tuple[int, ...], Bits]:
    """Return the element-wise minimum of arrays that broadcast to `shape`."""
    maps = [(bits_of(array, element), array.shape) for array in arrays]
    return {index: least([bits[_clip(index, own)] for bits, own in maps], element) for index in indices(shape)}


def reduce_min(array: NDArray[Any], axes: Sequence[int], element: ElementType) -> dict[tuple[int, ...], Bits]:
    """Return the minimum along `axes` (non-negative), which keep the extent 1."""
    groups: dict[tuple[int, ...], list[Bits]] = {
        index: [] for index in indices([1 if axis in axes else size for axis, size in enumerate(array.shape)])
    }
    for index, bits in bits_of(array, element).items():
        groups[tuple(0 if axis in axes else i for axis, i in enumerate(index))].append(bits)
    return {index: least(group, element) for index, group in groups.items()}


def least(patterns: Iterable[Bits], element: ElementType) -> Bits:
    """Return the minimum of bit patterns: NaN wins, -0 < +0; of none, the greatest value of the type."""
    result: Bits | None = None
    for bits in patterns:
        if bits == NAN:
            return NAN
        if result is None or _order(bits, element) < _order(result, element):
            result = bits
    return _GREATEST[element.name] if result is None else result


def indices(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every index of a shape, the last axis fastest."""
    return product(*(range(size) for size in shape))


def _clip(index: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    own = index[len(index) - len(shape) :]
    return tuple(0 if size == 1 else i for i, size in zip(own, shape, strict=True))


def _canonical(bits: int, element: ElementType) -> Bits:
    value = _value(bits, element)
    return NAN if value != value else bits


def _order(bits: Bits, element: ElementType) -> tuple[float, int]:
    """Return what orders patterns: the value, and for zeros the sign."""
    assert isinstance(bits, int)
    value = _value(bits, element)
    negative_zero = value == 0 and bits != 0
    return (value, 0 if negative_zero else 1)


def _value(bits: int, element: ElementType) -> float:
    if element.name == "bfloat16":
        (value,) = struct.unpack("<f", struct.pack("<I", bits << 16))
        return float(value)
    if element.name in _UNPACK:
        integer, real = _UNPACK[element.name]
        (value,) = struct.unpack(real, struct.pack(integer, bits))
        return float(value)
    size = 8 * element.itemsize
    signed = element.name.startswith("int") and bits >= 1 << (size - 1)
    return bits - (1 << size) if signed else bits
