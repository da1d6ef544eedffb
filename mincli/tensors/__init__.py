"""Arrays in files: `open_tensor` to read one, `create_tensor` to write one. Knows formats, never operators."""

import errno
import os
import stat
import sys
from contextlib import AbstractContextManager

from mincli.errors import FileError, FormatError, MincliError, printable
from mincli.spec.dtypes import ElementType
from mincli.spec.shapes import in_words
from mincli.tensors import destination, npy
from mincli.tensors.file import FileTensor
from mincli.tensors.sniff import SNIFFED, is_safetensors, looks_like
from mincli.tensors.target import Target, create_npy, create_pb, pb_header
from mincli.tensors.tensor import Tensor

__all__ = ["STDIN", "check_output", "create_tensor", "open_tensor", "split"]

STDIN = "-"


def open_tensor(path: str, raw: ElementType | None = None) -> Tensor:
    """Open an array in a file; the content decides the format, not the suffix.

    Args:
        path: a .npy file, an .npz archive (`file.npz` or `file.npz:member`), a safetensors file
            (`file.safetensors:name`), a TensorProto (.pb), a named pipe, or "-" for standard input; pipes hold
            .npy. A path that exists is always taken as a path, whatever colons it holds.
        raw: the type of raw (`V`) elements; None takes two-byte ones for bfloat16 and refuses others.

    Raises:
        FileError: missing, a folder, unreadable, or without the named member.
        FormatError: not an array in one of these formats, or a damaged one.
    """
    name = "standard input" if path == STDIN else printable(path)
    place, member = split(path)
    file = _open(place, name)
    try:
        status = os.fstat(file)
        if stat.S_ISDIR(status.st_mode):
            raise FileError(f"{name} is a folder", hint="name a file in it")
        if not stat.S_ISREG(status.st_mode):
            return _from_pipe(file, member, name, raw)
        return _from_file(file, member, name, raw)
    except MincliError:
        raise
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror or error}") from error
    except MemoryError as error:
        raise FileError(f"{name} cannot be read: there is not enough memory") from error
    finally:
        os.close(file)


def check_output(path: str, element: ElementType, shape: tuple[int, ...], *, clobber: bool = True) -> None:
    """Check that a tensor can be written, as far as that can be seen before the work (see `create_tensor`).

    Raises:
        OutputError: the target exists, is a folder, write-protected, or cannot be replaced; its folder is missing or
            write-protected; or the elements are more than the format can hold.
    """
    destination.check_output(path, clobber=clobber)
    if path.endswith(".pb"):
        pb_header(path, element, shape)


def create_tensor(
    path: str, element: ElementType, shape: tuple[int, ...], *, clobber: bool = True
) -> AbstractContextManager[Target]:
    """Create an array in a file, which appears when the context ends without an error.

    Args:
        path: exactly where; a path that ends in `.pb` gets a TensorProto, any other a .npy file, and "-" writes
            the bytes of a .npy file to standard output.
        element: its element type.
        shape: its shape.
        clobber: False refuses a path that exists.

    Raises:
        OutputError: it cannot be written there; what was there before is untouched.
    """
    return (create_pb if path.endswith(".pb") else create_npy)(path, element, shape, clobber=clobber)


def split(path: str) -> tuple[str, str]:
    """Split `file:member` at the last colon that has a file before it, unless the path exists as it is."""
    place = path
    while ":" in place and not os.path.lexists(place):
        place = place.rpartition(":")[0]
    return (place, path[len(place) + 1 :]) if os.path.lexists(place) else (path, "")


def _open(place: str, name: str) -> int:
    if place == STDIN:
        try:
            return os.dup(sys.stdin.fileno())
        except (OSError, AttributeError, ValueError) as error:
            raise FileError("standard input is closed") from error
    try:
        return os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise FileError(f"{name} does not exist") from None
    except ValueError as error:  # a NUL in the path
        raise FileError(f"{name}: {error}") from None
    except OSError as error:
        hint = "raise the limit with ulimit -n" if error.errno == errno.EMFILE else ""
        raise FileError(f"{name} cannot be read: {error.strerror}", hint=hint) from error


def _from_pipe(file: int, member: str, name: str, raw: ElementType | None) -> FileTensor:
    if member:
        raise FormatError(f"{name}: only .npz and .safetensors files have members", details=["it is a pipe"])
    from mincli.tensors import spool

    return spool.npy_from_stream(lambda count: os.read(file, count), name, raw)


def _from_file(file: int, member: str, name: str, raw: ElementType | None) -> Tensor:
    origin = os.lseek(file, 0, os.SEEK_CUR)  # standard input may be a file that was read from already
    start = os.pread(file, SNIFFED, origin)
    if start.startswith(b"PK"):
        from mincli.tensors import npz

        return npz.open_member(file, origin, member, name, raw)
    if is_safetensors(start):
        from mincli.tensors import safetensors

        return safetensors.open_member(file, origin, member, name)
    if member:
        raise FormatError(
            f"{name}: only .npz and .safetensors files have members", details=[f"it looks like {looks_like(start)}"]
        )
    if start and npy.MAGIC.startswith(start[:6]):
        return _npy(file, origin, name, raw)
    return _protobuf(file, origin, start, name)


def _npy(file: int, origin: int, name: str, raw: ElementType | None) -> FileTensor:
    os.lseek(file, origin, os.SEEK_SET)
    header = npy.read_header(lambda count: os.read(file, count), name, raw)
    offset = origin + header.nbytes
    tensor = npy.tensor(header, os.dup(file), offset, name)
    _check_room(tensor, os.fstat(file).st_size - offset)
    return tensor


def _check_room(tensor: FileTensor, found: int) -> None:
    """Raise FormatError, and close the tensor, unless the file has as many bytes of elements as it should."""
    if found == tensor.nbytes:
        return
    tensor.close()
    needed = f"{tensor.element} of shape {in_words(tensor.shape)} needs {tensor.nbytes} bytes"
    details = [f"{needed}; {max(found, 0)} follow the header"]
    if found < tensor.nbytes:
        raise FormatError(f"{tensor.name} is truncated", details=details)
    raise FormatError(f"{tensor.name}: more data follows the array", details=details)


def _protobuf(file: int, origin: int, start: bytes, name: str) -> Tensor:
    from mincli.tensors import protobuf

    tensor = protobuf.open_message(file, origin, name)  # first: its name, say, may make it look like something else
    if tensor is not None:
        return tensor
    found = "an ONNX model" if protobuf.is_model(file, origin) else looks_like(start)
    raise FormatError(
        f"{name} is no array",
        details=[f"it looks like {found}"],
        hint="inputs are .npy, .npz, .safetensors or TensorProto .pb files",
    )
