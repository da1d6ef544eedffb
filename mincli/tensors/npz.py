"""Arrays in .npz archives: `file.npz:member`, or `file.npz` if it has only one."""

import lzma
import os
import zipfile
import zlib
from collections.abc import Sequence

from mincli.errors import FormatError, MincliError, printable
from mincli.spec.dtypes import ElementType
from mincli.tensors import spool
from mincli.tensors.file import FileTensor
from mincli.tensors.members import choose

MAX_DIRECTORY_BYTES = 2 << 20
"""zipfile reads the list of members whole, and makes an object of some 700 bytes of each; 20 000 fit in."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
"""NumPy writes the first two. An LZMA stream says itself how many gigabytes of memory its reading takes."""
_ENCRYPTED = 1
"""The flag of an encrypted member (PKWARE's APPNOTE 4.4.4)."""


def open_member(file: int, start: int, member: str, name: str, raw: ElementType | None) -> FileTensor:
    """Open a member of an archive.

    Args:
        file: the open file.
        start: where the archive starts; it ends with the file.
        member: the array's name, with or without `.npy`; "" for the only one.
        name: what to call the tensor in messages.
        raw: see `npy.read_header`.

    Raises:
        FormatError: a damaged archive, or a member that is no .npy array.
        FileError: no such member, or several and none named; or the file cannot be read.
    """
    try:
        with zipfile.ZipFile(_Archive(file, start, name)) as archive:
            chosen = _choose(archive.namelist(), member, name)
            info = archive.getinfo(chosen)
            if info.compress_type not in _METHODS:
                raise FormatError(
                    f"{name}: zip compression method {info.compress_type} is not read",
                    details=["stored, deflated and bzip2 members are"],
                    hint="save it with numpy.savez_compressed",
                )
            if info.flag_bits & _ENCRYPTED:
                raise FormatError(f"{name}: its member {printable(chosen)} is encrypted", hint="decrypt it first")
            if not info.file_size:
                raise FormatError(f"{name}: its member {printable(chosen)} is empty")
            with archive.open(chosen) as stream:
                return spool.npy_from_stream(stream.read, name, raw)
    except MincliError:
        raise
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, ValueError, EOFError, RuntimeError) as error:
        for cause in (error, error.__context__):  # zipfile calls a file that it fails to read no zip file
            if isinstance(cause, OSError) and cause.errno:
                raise cause from None
        raise FormatError(f"{name}: damaged or unsupported zip archive: {printable(str(error))}") from error


def _choose(files: Sequence[str], member: str, name: str) -> str:
    if member in files:
        return member
    arrays = {file.removesuffix(".npy"): file for file in files}
    return arrays[choose(list(arrays), member, name, "array")]


class _Archive:
    """A file from `start` on, as zipfile wants to read it, which refuses to read much at once."""

    def __init__(self, file: int, start: int, name: str) -> None:
        self._file, self._start, self._name = file, start, name
        self._size, self._position = os.fstat(file).st_size - start, 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        position = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        if position < 0:
            raise OSError("it starts before the file")  # which zipfile takes for no zip file
        self._position = position
        return position

    def read(self, size: int = -1) -> bytes:
        rest = max(self._size - self._position, 0)
        size = rest if size < 0 else min(size, rest)
        if size > MAX_DIRECTORY_BYTES:
            raise FormatError(
                f"{self._name}: the zip archive's directory has {size} bytes",
                details=[f"at most {MAX_DIRECTORY_BYTES} are read, which 20000 arrays take"],
                hint="split the archive",
            )
        if not size:  # a position behind the end may be more than the system can take
            return b""
        data = os.pread(self._file, size, self._start + self._position)
        self._position += len(data)
        return data
