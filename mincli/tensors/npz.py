"""Arrays in .npz archives: `file.npz:member`, or `file.npz` if it has only one."""

import lzma
import zipfile
import zlib
from typing import BinaryIO

from mincli.errors import FileError, FormatError, MincliError, printable
from mincli.spec.dtypes import ElementType
from mincli.tensors import spool
from mincli.tensors.file import FileTensor


def open_member(file: BinaryIO, member: str, name: str, raw: ElementType | None) -> FileTensor:
    """Open a member of an archive.

    Args:
        file: the archive.
        member: the array's name, with or without `.npy`; "" for the only one.
        name: what to call the tensor in messages.
        raw: see `npy.read_header`.

    Raises:
        FormatError: a damaged archive, or a member that is no .npy array.
        FileError: no such member, or several and none named.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            chosen = _choose([info.filename for info in archive.infolist()], member, name)
            with archive.open(chosen) as stream:
                return spool.npy_from_stream(stream.read, name, raw)
    except MincliError:
        raise
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, ValueError, EOFError, RuntimeError) as error:
        raise FormatError(f"{name}: damaged or unsupported zip archive: {printable(str(error))}") from error


def _choose(files: list[str], member: str, name: str) -> str:
    arrays = [printable(file.removesuffix(".npy")) for file in files]
    listing = [f"it holds {', '.join(arrays[:20])}" + (", ..." if len(arrays) > 20 else "")]
    if not files:
        raise FormatError(f"{name}: the archive is empty")
    if not member:
        if len(files) > 1:
            hint = f"name one: {name.rstrip(':')}:{arrays[0]}"
            raise FileError(f"{name} holds {len(files)} arrays", details=listing, hint=hint)
        return files[0]
    for file in (member, f"{member}.npy"):
        if file in files:
            return file
    raise FileError(f"{name}: the archive has no array of that name", details=listing)
