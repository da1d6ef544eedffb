"""Sequential data (a pipe, a compressed member) put into an unnamed temporary file, so that it can be read anywhere."""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator

from mincli.errors import FileError, FormatError
from mincli.spec.dtypes import ElementType
from mincli.tensors import npy
from mincli.tensors.file import FileTensor
from mincli.tensors.runs import write_exactly

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
    parts = _elements(read, header.element.nbytes(header.shape), name)
    return npy.tensor(header, unnamed_file(parts, name), 0, name)


def unnamed_file(parts: Iterable[bytes], name: str) -> int:
    """Return the descriptor of a temporary file that holds `parts`, and has no name to be left behind under.

    Raises:
        FileError: there is no room for it.
    """
    try:
        with tempfile.TemporaryFile() as opened:
            file = os.dup(opened.fileno())
    except OSError as error:
        raise FileError(f"{name}: no temporary file for it: {error.strerror}") from error
    start = 0
    try:
        for part in parts:
            _write(file, memoryview(part), start, name)
            start += len(part)
    except BaseException:
        os.close(file)
        raise
    return file


def _elements(read: Callable[[int], bytes], nbytes: int, name: str) -> Iterator[bytes]:
    missing = nbytes
    while missing and (part := read(min(CHUNK, missing))):
        yield part
        missing -= len(part)
    if missing:
        raise FormatError(f"{name} is truncated: {missing} of {nbytes} bytes of elements are missing")
    if read(1):
        raise FormatError(f"{name}: more data follows the array", details=["mincli reads one array from a stream"])


def _write(file: int, memory: memoryview, start: int, name: str) -> None:
    try:
        write_exactly(file, memory, start)
    except OSError as error:
        raise FileError(
            f"{name}: no room for it in {tempfile.gettempdir()}: {error.strerror}",
            hint="set TMPDIR to a folder with more room",
        ) from error
