"""How onnx.proto stores the elements of a TensorProto: in which field, and how many bits or entries they take."""

from collections.abc import Sequence
from math import prod

from mincli.spec.dtypes import BY_NUMBER, ElementType

_FIELDS = {
    **dict.fromkeys(["float", "complex64"], "float_data"),
    **dict.fromkeys(["double", "complex128"], "double_data"),
    **dict.fromkeys(["uint32", "uint64"], "uint64_data"),
    "int64": "int64_data",
    "string": "string_data",
}
FIELDS = frozenset({"raw_data", "int32_data", *_FIELDS.values()})
"""The fields that elements may be in."""

_RANGES = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    **dict.fromkeys(["uint16", "float16", "bfloat16"], (0, 2**16 - 1)),
    "int32": (-(2**31), 2**31 - 1),
    "bool": (0, 1),
    **dict.fromkeys(["float6e2m3", "float6e3m2"], (0, 2**6 - 1)),
}


def bytes_of(data_type: int, dims: Sequence[int]) -> int | None:
    """Return the bytes that a tensor takes in `raw_data`; None for strings and for types that are not known."""
    element = BY_NUMBER.get(data_type)
    if element is None or element.name == "string":
        return None
    return (prod(dims) * element.bits + 7) // 8


def field_of(element: ElementType) -> str:
    """Return the field, besides `raw_data`, that elements of a type are in."""
    return _FIELDS.get(element.name, "int32_data")


def entries_of(element: ElementType, count: int) -> int:
    """Return how many entries of its field a number of elements takes."""
    if element.name.startswith("complex"):
        return 2 * count  # the real and the imaginary parts in turn
    return (count * element.bits + 7) // 8 if element.bits in (2, 4) else count  # 6 bits are packed in raw_data alone


def range_of(element: ElementType) -> tuple[int, int]:
    """Return the least and the greatest entry of `int32_data` for a type."""
    return _RANGES.get(element.name, (0, 2**8 - 1))
