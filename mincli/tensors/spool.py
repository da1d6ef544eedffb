"""Sequential data (a pipe, a compressed member) put into an unnamed temporary file, so that it can be read anywhere."""

import os
import tempfile
from collections.abc import Callable

from mincli.errors import FileError, FormatError
from mincli.spec.dtypes import ElementType
from mincli.tensors import npy
from mincli.tensors.file import FileTensor

CHUNK = 1 << 20


def npy_from_stream(read: Callable[[int], bytes], name: str, raw: ElementType | None) -> FileTensor:
    """Read a .npy array from a stream into a temporary file of its own.

    Args:
        read: returns the next at most so many bytes, b"" at the end.
        name: the tensor's name in messages.
        raw: see `npy.read_header`.

    Raises:
        FormatError: not a .npy array, or shorter or longer than its header says.
        FileError: there is no room for it.
    """

    def read_fully(count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count and (part := read(count - len(parts))):
            parts += part
        return bytes(parts)

    header = npy.read_header(read_fully, name, raw)
    tensor = npy.tensor(header, _unnamed_file(name), 0, name)
    try:
        missing = tensor.nbytes if header.element.storage else 0
        while missing and (part := read(min(CHUNK, missing))):
            _write(tensor.file, part, name)
            missing -= len(part)
        if missing:
            raise FormatError(f"{name} is truncated: {missing} of {tensor.nbytes} bytes of elements are missing")
        if header.element.storage and read(1):
            raise FormatError(f"{name}: more data follows the array", details=["mincli reads one array from a stream"])
    except BaseException:
        tensor.close()
        raise
    return tensor


def _unnamed_file(name: str) -> int:
    try:
        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())
    except OSError as error:
        raise FileError(f"{name}: no temporary file for it: {error.strerror}") from error


def _write(file: int, data: bytes, name: str) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(file, view) :]
    except OSError as error:
        raise FileError(
            f"{name}: no room for it in {tempfile.gettempdir()}: {error.strerror}",
            hint="set TMPDIR to a folder with more room",
        ) from error
