"""The wire format of protocol buffers, read in a file: the fields of a message without what they hold, and varints."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mincli.tensors.tensor import Array

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""The wire types; those that are left (3 and 4, groups) have long gone out of use."""
MAX_VARINT_BYTES = 10
CHUNK = 1 << 16
"""Bytes of varints that are decoded at once; this takes some 50 times as many."""

_ENDLESS = "a varint does not end"


class Field(NamedTuple):
    """A field of a message.

    Attributes:
        number: which field it is.
        kind: its wire type.
        start: where its value starts in the file.
        length: bytes of its value.
        value: the value if it is a varint, else 0.
    """

    number: int
    kind: int
    start: int
    length: int
    value: int


def fields(file: int, start: int, end: int) -> Iterator[Field]:
    """Yield the fields of the message between two places of an open file.

    Raises:
        ValueError: it is no well-formed message.
    """
    while start < end:
        head = os.pread(file, min(2 * MAX_VARINT_BYTES, end - start), start)
        tag, used = varint(head)
        number, kind, value = tag >> 3, tag & 7, 0
        if not 0 < number < 1 << 29 or kind not in (VARINT, FIXED64, BYTES, FIXED32):
            raise ValueError(f"there is no field {number} of wire type {kind}")
        if kind == VARINT:
            value, end_of_value = varint(head, used)
            length = end_of_value - used
        elif kind == BYTES:
            length, used = varint(head, used)
        else:
            length = 8 if kind == FIXED64 else 4
        start += used
        if length > end - start:
            raise ValueError("the message ends within a field")
        yield Field(number, kind, start, length, value)
        start += length


def varint(data: bytes, start: int = 0) -> tuple[int, int]:
    r"""Decode one varint; return it and where it ends.

    Raises:
        ValueError: it does not end.

    >>> varint(b"\x96\x01!")
    (150, 2)
    """
    value = 0
    for position, byte in enumerate(data[start : start + MAX_VARINT_BYTES]):
        value |= (byte & 127) << 7 * position
        if byte < 128:
            return value & (1 << 64) - 1, start + position + 1
    raise ValueError(_ENDLESS)


def as_varint(value: int) -> bytes:
    r"""Encode a number, 0 or more, as a varint.

    >>> as_varint(150)
    b'\x96\x01'
    """
    data = bytearray()
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    return bytes([*data, value])


def contents(file: int, parts: Iterable[Field], size: int = CHUNK) -> Iterator[bytes]:
    """Yield the bytes of fields of an open file, one after the other, at most `size` at once."""
    for part in parts:
        for start in range(part.start, part.start + part.length, size):
            yield os.pread(file, min(size, part.start + part.length - start), start)


def varints(chunks: Iterable[bytes]) -> Iterator[Array]:
    """Decode varints that follow each other, into arrays of uint64.

    Raises:
        ValueError: one of them does not end.
    """
    rest = b""
    for chunk in chunks:
        data = np.frombuffer(rest + chunk, np.uint8)
        ends = np.flatnonzero(data < 128) + 1
        starts = np.concatenate(([0], ends))
        rest = data[starts[-1] :].tobytes()
        lengths = np.diff(starts)
        longest = max(int(lengths.max(initial=0)), len(rest))
        if longest > MAX_VARINT_BYTES:
            raise ValueError(_ENDLESS)
        values = np.zeros(len(lengths), np.uint64)
        for place in range(longest):
            longer = lengths > place
            bits = data[starts[:-1][longer] + place] & np.uint8(127)
            values[longer] |= bits.astype(np.uint64) << np.uint64(7 * place)
        yield values
    if rest:
        raise ValueError(_ENDLESS)
