"""Tensors in .safetensors files: `file.safetensors:name`, or the only one.

The format (safetensors README): eight bytes with the length of a JSON header, the header, which gives for each
name its dtype, shape and byte range, and the data. The elements are read where they lie, whatever their size.
"""

import json
import os
from typing import Any

from mincli.errors import FormatError, printable
from mincli.spec.dtypes import BY_NAME, ElementType
from mincli.spec.shapes import is_possible
from mincli.tensors.file import FileTensor
from mincli.tensors.members import choose

_TYPES = {
    "BOOL": "bool", "U8": "uint8", "U16": "uint16", "U32": "uint32", "U64": "uint64",
    "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64",
    "F16": "float16", "BF16": "bfloat16", "F32": "float", "F64": "double",
    "F8_E4M3": "float8e4m3fn", "F8_E5M2": "float8e5m2", "F8_E8M0": "float8e8m0", "F8_E4M3FNUZ": "float8e4m3fnuz",
    "F8_E5M2FNUZ": "float8e5m2fnuz", "C64": "complex64",
}  # fmt: skip


MAX_HEADER_BYTES = 4 << 20
"""Longer headers are refused, though the format allows 100 MB: parsed, they take some 20 times as much memory. Those of
real models have up to a few MB; 30 000 tensors fit in."""


def open_member(file: int, start: int, member: str, name: str) -> FileTensor:
    """Open a tensor of a safetensors file.

    Args:
        file: the open file; the tensor gets a descriptor of its own.
        start: where its content starts; it ends with the file.
        member: the tensor's name in the file; "" for the only one.
        name: what to call the tensor in messages.

    Raises:
        FormatError: the header is malformed, too long, or contradicts the file.
        FileError: no such tensor, or several and none named.
    """
    size = int.from_bytes(os.pread(file, 8, start), "little")
    if size > MAX_HEADER_BYTES:
        raise FormatError(
            f"{name}: the safetensors header claims {size} bytes",
            details=[f"at most {MAX_HEADER_BYTES} are read, which 30000 tensors take"],
            hint="split the file",
        )
    try:
        header = json.loads(os.pread(file, size, start + 8))
        entries = {key: value for key, value in header.items() if key != "__metadata__"}
    except (ValueError, AttributeError, RecursionError):
        raise FormatError(f"{name}: the safetensors header is malformed") from None
    chosen = choose(list(entries), member, name, "tensor")
    element, shape, begin, end = _fields(entries[chosen], name)
    data = start + 8 + size
    tensor = FileTensor(os.dup(file), data + begin, element, shape, name)
    if end - begin != tensor.nbytes or data + end > os.fstat(file).st_size:
        tensor.close()
        raise FormatError(
            f"{name}: the safetensors header does not fit the file",
            details=[printable(f"{chosen}: {entries[chosen]}")[:500]],
        )
    return tensor


def _fields(entry: Any, name: str) -> tuple[ElementType, tuple[int, ...], int, int]:
    try:
        kind, shape, (begin, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
    except (TypeError, KeyError, ValueError):
        raise FormatError(f"{name}: the safetensors header is malformed") from None
    if any(type(number) is not int or not 0 <= number < 2**63 for number in (*shape, begin, end)):
        raise FormatError(f"{name}: the safetensors header is malformed")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise FormatError(f"{name}: the element type {printable(str(kind))} is unknown")
    element = BY_NAME[_TYPES[kind]]
    if not is_possible(shape, element.width):
        raise FormatError(f"{name}: the shape in the safetensors header is impossible", details=[repr(shape)[:200]])
    return element, shape, begin, end
