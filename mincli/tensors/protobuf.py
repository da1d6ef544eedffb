"""Tensors in ONNX protocol buffers (`TensorProto` of onnx.proto, .pb files), read and written where they lie.

Only what is smaller than a page is parsed; the elements are left in the file, or, where they are written as varints,
decoded into a temporary one. So a file takes no memory, whatever it claims to be.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from math import prod

import numpy as np

from mincli.errors import FormatError
from mincli.spec.dtypes import BY_NUMBER, ElementType
from mincli.spec.shapes import is_possible
from mincli.tensors.file import FileTensor
from mincli.tensors.tensor import Array, OpaqueTensor, Tensor
from mincli.tensors.wire import (
    BYTES,
    FIXED32,
    FIXED64,
    MAX_VARINT_BYTES,
    VARINT,
    Field,
    as_varint,
    contents,
    fields,
    varints,
)

MAX_BYTES = 2**31 - 1
"""A protocol buffer is at most this long (protobuf's encoding limits)."""
MAX_FIELDS = 1 << 16
"""A tensor has about five, unless its elements are fields of their own: strings, or numbers that are not packed."""
MAX_DIMS_BYTES = 64 * MAX_VARINT_BYTES
"""What 64 axes can take, NumPy's limit."""

DIMS, DATA_TYPE, SEGMENT, RAW_DATA, DATA_LOCATION = 1, 2, 3, 9, 14
FLOAT_DATA, INT32_DATA, STRING_DATA, INT64_DATA, DOUBLE_DATA, UINT64_DATA = 4, 5, 6, 7, 10, 11
NAME, DOC_STRING, EXTERNAL_DATA, METADATA_PROPS = 8, 12, 13, 16
EXTERNAL = 1

_KINDS = {
    DIMS: (VARINT, BYTES), DATA_TYPE: (VARINT,), SEGMENT: (BYTES,), FLOAT_DATA: (FIXED32, BYTES),
    INT32_DATA: (VARINT, BYTES), STRING_DATA: (BYTES,), INT64_DATA: (VARINT, BYTES), NAME: (BYTES,), RAW_DATA: (BYTES,),
    DOUBLE_DATA: (FIXED64, BYTES), UINT64_DATA: (VARINT, BYTES), DOC_STRING: (BYTES,), EXTERNAL_DATA: (BYTES,),
    DATA_LOCATION: (VARINT,), METADATA_PROPS: (BYTES,),
}  # fmt: skip
"""The wire types of each field of TensorProto; numbers are packed (BYTES) or fields of their own."""

_TYPED_DATA = {
    "float": FLOAT_DATA, "double": DOUBLE_DATA, "int64": INT64_DATA, "uint32": UINT64_DATA, "uint64": UINT64_DATA
}  # fmt: skip
"""The field that the elements of a type are in, if they are not in `raw_data`; INT32_DATA for all others."""


def open_message(file: int, start: int, name: str) -> Tensor | None:
    """Return the tensor that a file holds the TensorProto of; None if it holds none.

    Args:
        file: the open file; the tensor gets a descriptor of its own.
        start: where the message starts; it ends with the file.
        name: what to call the tensor in messages.

    Raises:
        FormatError: a TensorProto that is incomplete, contradicts itself, or has its elements elsewhere.
        FileError: there is no room for a temporary file.
    """
    found = _fields(file, start)
    numbers = {field.number: field.value for field in found}
    element = BY_NUMBER.get(numbers.get(DATA_TYPE, 0))
    if element is None or any(field.kind not in _KINDS.get(field.number, (field.kind,)) for field in found):
        return None
    if len(found) > MAX_FIELDS:
        raise FormatError(
            f"{name} is a TensorProto of more than {MAX_FIELDS} fields",
            hint="save its elements as raw_data, as onnx.numpy_helper.from_array does",
        )
    if numbers.get(DATA_LOCATION) == EXTERNAL:
        raise FormatError(
            f"{name} is a TensorProto whose elements lie in another file", hint="save it with its data inside"
        )
    if SEGMENT in numbers:
        raise FormatError(f"{name} is a TensorProto of a part of a tensor (a segment)", hint="save the tensor whole")
    shape = _shape(file, [field for field in found if field.number == DIMS], element, name)
    if not element.storage:
        return OpaqueTensor(element, shape, name)
    tensor = _elements(file, found, element, shape, name)
    tensor.layout = "TensorProto"
    return tensor


def is_model(file: int, start: int) -> bool:
    """Whether a file holds an ONNX ModelProto: one with an `ir_version` and a graph."""
    found = {(field.number, field.kind): field.value for field in _fields(file, start)}
    return found.get((1, VARINT), 0) > 0 and (7, BYTES) in found


def format_header(element: ElementType, shape: Sequence[int]) -> bytes:
    """Return the TensorProto of an array up to its elements, which follow in C order, little-endian."""
    dims = b"".join(_tag(DIMS, VARINT) + as_varint(size) for size in shape)
    data_type = _tag(DATA_TYPE, VARINT) + as_varint(element.number)
    return dims + data_type + _tag(RAW_DATA, BYTES) + as_varint(element.nbytes(shape))


def _tag(number: int, kind: int) -> bytes:
    return as_varint(number << 3 | kind)


def _fields(file: int, start: int) -> list[Field]:
    """Return the first fields of a message, one more than a tensor may have; none if it is no message."""
    end = os.fstat(file).st_size
    if end - start > MAX_BYTES:
        return []
    try:
        return list(islice(fields(file, start, end), MAX_FIELDS + 1))
    except ValueError:
        return []


def _shape(file: int, dims: Sequence[Field], element: ElementType, name: str) -> tuple[int, ...]:
    impossible = f"{name}: the shape in the TensorProto is impossible"
    if sum(field.length for field in dims) > MAX_DIMS_BYTES:
        raise FormatError(impossible)
    try:
        sizes = [size for array in _numbers(file, dims) for size in array.astype("i8").tolist()]
    except ValueError:
        raise FormatError(impossible) from None
    if min(sizes, default=0) < 0 or not is_possible(sizes, element.itemsize):
        raise FormatError(impossible, details=[repr(sizes)[:200]])
    return tuple(sizes)


def _elements(file: int, found: Sequence[Field], element: ElementType, shape: tuple[int, ...], name: str) -> FileTensor:
    number = _TYPED_DATA.get(element.name, INT32_DATA)
    raw = [field for field in found if field.number == RAW_DATA][-1:]  # of a field that is not repeated, the last
    parts = raw or [field for field in found if field.number == number]
    if not raw and number not in (FLOAT_DATA, DOUBLE_DATA):
        values = _decoded(file, parts, element, shape, name)
        return FileTensor(_copied(values, name), 0, element, shape, name)
    length = sum(field.length for field in parts)
    if length != element.nbytes(shape):
        raise _unfit(name, shape, f"{length} bytes")
    swapped = sys.byteorder == "big" and element.itemsize > 1
    if len(parts) > 1:
        joined = _copied(contents(file, parts), name)
        return FileTensor(joined, 0, element, shape, name, swapped=swapped)
    offset = parts[0].start if parts else 0
    return FileTensor(os.dup(file), offset, element, shape, name, swapped=swapped)


def _copied(parts: Iterable[bytes], name: str) -> int:
    from mincli.tensors import spool  # its imports take 10 ms, which elements that stay where they are need not pay

    return spool.unnamed_file(parts, name)


def _decoded(
    file: int, parts: Sequence[Field], element: ElementType, shape: tuple[int, ...], name: str
) -> Iterator[bytes]:
    """Yield the elements that are written as varints, in the storage type."""
    missing = prod(shape)
    try:
        for values in _numbers(file, parts):
            missing -= len(values)
            if missing < 0:
                break
            yield values.astype(element.storage).tobytes()
    except ValueError as error:
        raise _unfit(name, shape, str(error)) from None
    if missing:
        raise _unfit(name, shape, f"{missing} are missing" if missing > 0 else "there are more")


def _numbers(file: int, parts: Iterable[Field]) -> Iterator[Array]:
    """Yield the varints of fields, packed or each a field of its own.

    Raises:
        ValueError: one of them does not end.
    """
    for kind, run in groupby(parts, key=lambda part: part.kind):
        if kind == VARINT:
            yield np.array([part.value for part in run], np.uint64)
        else:
            for part in run:
                yield from varints(contents(file, [part]))


def _unfit(name: str, shape: tuple[int, ...], why: str) -> FormatError:
    return FormatError(f"{name}: the TensorProto's elements do not fill its shape {list(shape)}", details=[why])
