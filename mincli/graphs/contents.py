"""The bytes of a model's file: never more of them than a model can have, wherever they come from."""

import codecs
import io
import os

from mincli.errors import FileError, FormatError, printable
from mincli.tensors import STDIN
from mincli.tensors.protobuf import MAX_BYTES
from mincli.tensors.sniff import SNIFFED, UNKNOWN, looks_like

_PIECE = 1 << 20
"""Bytes that are read at once."""


def read_contents(path: str) -> tuple[bytes, str]:
    """Return the bytes of a model's file, without a byte order mark, and what they look like (`looks_like`).

    A device or a pipe may have no end: it is read to the greatest size of a model, and not at all if it does not begin
    like one.

    Raises:
        FileError: missing or unreadable.
        FormatError: too long, or it begins like something else.
    """
    name = printable(path)
    try:
        size = os.stat(path).st_size
        if os.path.isdir(path):
            raise FileError(f"{name} is a folder", hint="name the model in it")
        if size > MAX_BYTES:
            raise _too_long(name, f"{size}")
        with open(path, "rb") as file:
            return _read(file, name)
    except FileNotFoundError:
        hint = "a model on standard input is /dev/stdin" if path == STDIN else ""
        raise FileError(f"{name} does not exist", hint=hint) from None
    except (OSError, ValueError) as error:
        if isinstance(error, FileError | FormatError):
            raise
        raise FileError(f"{name} cannot be read: {getattr(error, 'strerror', error)}") from error


def _read(file: io.BufferedReader, name: str) -> tuple[bytes, str]:
    start = file.read(len(codecs.BOM_UTF8) + SNIFFED).removeprefix(codecs.BOM_UTF8)
    kind = looks_like(start[:SNIFFED])
    if kind not in ("text", UNKNOWN):
        raise FormatError(f"{name} is no ONNX model", details=[f"it looks like {kind}"])
    data = io.BytesIO()
    data.write(start)
    while piece := file.read(_PIECE):
        data.write(piece)
        if data.tell() > MAX_BYTES:
            raise _too_long(name, f"more than {MAX_BYTES}")
    return data.getvalue(), kind


def _too_long(name: str, size: str) -> FormatError:
    return FormatError(
        f"{name} is no model: it has {size} bytes, and a protocol buffer at most {MAX_BYTES}",
        hint="models with larger tensors keep them in other files, as external data",
    )
