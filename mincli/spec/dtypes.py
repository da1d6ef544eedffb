"""One row per element type: its ONNX name and number, its form in NumPy, and the identity of minimum.

mincli computes bool as bytes, and float16 and bfloat16 as the 16-bit integers of their bit patterns, so each type has
a *storage* type: the NumPy type of the arrays that the kernels see.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

_PACKED_BITS = {"uint4": 4, "int4": 4, "float4e2m1": 4, "uint2": 2, "int2": 2, "float6e2m3": 6, "float6e3m2": 6}


class ElementType(NamedTuple):
    """An element type of the standards.

    Attributes:
        name: the ONNX name, as in `tensor(float16)`.
        number: the value of `TensorProto.DataType`.
        numpy: the type code that .npy files and NumPy arrays use, without byte order ("f4"); "" if NumPy has none.
        storage: the NumPy type code of the arrays that the kernels compute on; "" if no minimum is defined.
        identity: the minimum of nothing, as a storage value (of 16-bit floats the pattern of +inf); 0 if there is none.
    """

    name: str
    number: int
    numpy: str
    storage: str = ""
    identity: float | int = 0

    @property
    def itemsize(self) -> int:
        """Bytes per element of the storage type; 0 if there is none."""
        return int(self.storage[1:] or 0)

    def nbytes(self, shape: Sequence[int]) -> int:
        """Return the bytes of an array of `shape`."""
        return prod(shape) * self.width

    @property
    def width(self) -> int:
        """Bytes per element in files of arrays; 1 for types of a byte or less that NumPy cannot name."""
        return int(self.numpy[1:] or 1)

    @property
    def bits(self) -> int:
        """Bits per element in `TensorProto.raw_data`, where types of few bits are packed (onnx.proto)."""
        return _PACKED_BITS.get(self.name, 8 * self.width)

    @property
    def is_integer(self) -> bool:
        """Whether the type is of integers, signed or not, of any number of bits; bool is not."""
        return self.name.removeprefix("u").startswith("int")

    @property
    def is_half(self) -> bool:
        """Whether the storage holds bit patterns of a 16-bit float."""
        return self.name in ("float16", "bfloat16")

    @property
    def is_float(self) -> bool:
        """Whether the type has NaN and signed zeros."""
        return self.is_half or self.name in ("float", "double")

    def __str__(self) -> str:
        return self.name


ELEMENT_TYPES = (
    ElementType("bool", 9, "b1", "u1", 1),
    ElementType("uint8", 2, "u1", "u1", 2**8 - 1),
    ElementType("uint16", 4, "u2", "u2", 2**16 - 1),
    ElementType("uint32", 12, "u4", "u4", 2**32 - 1),
    ElementType("uint64", 13, "u8", "u8", 2**64 - 1),
    ElementType("int8", 3, "i1", "i1", 2**7 - 1),
    ElementType("int16", 5, "i2", "i2", 2**15 - 1),
    ElementType("int32", 6, "i4", "i4", 2**31 - 1),
    ElementType("int64", 7, "i8", "i8", 2**63 - 1),
    ElementType("float16", 10, "f2", "u2", 0x7C00),
    ElementType("bfloat16", 16, "V2", "u2", 0x7F80),
    ElementType("float", 1, "f4", "f4", float("inf")),
    ElementType("double", 11, "f8", "f8", float("inf")),
)
"""The 13 types that some version of some minimum operator takes."""

OTHER_TYPES = (
    ElementType("string", 8, ""),
    ElementType("complex64", 14, "c8"),
    ElementType("complex128", 15, "c16"),
    ElementType("float8e4m3fn", 17, ""),
    ElementType("float8e4m3fnuz", 18, ""),
    ElementType("float8e5m2", 19, "f1"),
    ElementType("float8e5m2fnuz", 20, ""),
    ElementType("uint4", 21, ""),
    ElementType("int4", 22, ""),
    ElementType("float4e2m1", 23, ""),
    ElementType("float8e8m0", 24, ""),
    ElementType("uint2", 25, ""),
    ElementType("int2", 26, ""),
    ElementType("float6e2m3", 27, ""),
    ElementType("float6e3m2", 28, ""),
)
"""The other ONNX types, known by name so that they can be refused by name."""

BY_NAME = {t.name: t for t in ELEMENT_TYPES + OTHER_TYPES}
BY_NUMBER = {t.number: t for t in ELEMENT_TYPES + OTHER_TYPES}
BY_NUMPY = {t.numpy: t for t in ELEMENT_TYPES + OTHER_TYPES if t.numpy}


def of_numpy(code: str, name: str = "") -> ElementType | None:
    """Return the element type of a NumPy type, or None if ONNX has no such type.

    Args:
        code: the type's code with its byte order, as `dtype.str` and .npy files give it.
        name: `dtype.name`, which tells the types of ml_dtypes apart.

    >>> of_numpy(">f4").name, of_numpy("<V1", "float4_e2m1fn").name
    ('float', 'float4e2m1')
    """
    plain = name.replace("_", "")
    for candidate in (plain, plain.removesuffix("fn"), plain.removesuffix("fnu")):
        if candidate in BY_NAME:
            return BY_NAME[candidate]
    return BY_NUMPY.get(code.lstrip("<>=|"))
