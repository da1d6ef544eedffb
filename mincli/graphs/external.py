"""The data of tensors in files of their own (TensorProto.external_data in onnx.proto; ExternalData.md)."""

import os
import re
import stat
from typing import NamedTuple

import onnx

from mincli.errors import FileError, printable


class External(NamedTuple):
    """Where the data of a tensor are.

    Attributes:
        path: of the file; "" if the folder of the model is not known.
        offset: of the first byte.
        length: in bytes; None if it is not said.
        room: bytes from the offset to the end of the file; None if the folder of the model is not known.
    """

    path: str
    offset: int
    length: int | None
    room: int | None


def is_external(tensor: onnx.TensorProto) -> bool:
    """Whether the data of a tensor are in another file."""
    return bool(tensor.data_location == onnx.TensorProto.EXTERNAL)


def locate(tensor: onnx.TensorProto, folder: str | None) -> External:
    """Return where the data of a tensor are; the file is looked at, not read.

    Args:
        tensor: with external data.
        folder: of the model; None if it is not known, and nothing is looked at.

    Raises:
        FileError: it does not say where, or not in the folder; or the file is none, or too short.
    """
    said = {entry.key: entry.value for entry in tensor.external_data}
    location = said.get("location", "")
    if not location:
        raise _unreadable(tensor, "it has no location")
    if not all(re.fullmatch("[0-9]{1,19}", said.get(key) or "0") for key in ("offset", "length")):
        raise _unreadable(tensor, f"{printable(location)} is given with an offset or a length that is no number")
    if os.path.isabs(location) or os.path.normpath(location).split(os.sep)[0] == os.pardir or "\0" in location:
        raise _unreadable(tensor, f"{printable(location)} is outside the folder of the model")
    offset, length = int(said.get("offset") or 0), int(said["length"]) if said.get("length") else None
    if folder is None:
        return External("", offset, length, None)
    path = os.path.join(folder, location)
    size = _size(tensor, folder, location)
    if size < offset + (length or 0):
        raise _unreadable(tensor, f"{printable(location)} is too short: it has {size} bytes")
    return External(path, offset, length, size - offset)


def _size(tensor: onnx.TensorProto, folder: str, location: str) -> int:
    path = os.path.join(folder, location)
    inside = os.path.realpath(os.path.dirname(path)) + os.sep
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        status = None
    if not inside.startswith(os.path.join(os.path.realpath(folder), "")):
        fault = "outside the folder of the model"
    elif status is not None and stat.S_ISLNK(status.st_mode):
        fault = "a link"
    elif status is None or not stat.S_ISREG(status.st_mode):
        fault = "no file"
    else:
        return status.st_size
    raise _unreadable(tensor, f"{printable(location)} is {fault}")


def load(tensor: onnx.TensorProto, folder: str, needed: int | None) -> None:
    """Read the external data of a tensor into it.

    Args:
        tensor: is changed.
        folder: of the model.
        needed: the bytes that its shape takes, which are read where no length is said; None if that is not known.

    Raises:
        FileError: they cannot be read.
    """
    found = locate(tensor, folder)
    length = found.length if found.length is not None else needed
    try:
        # What was no link when it was looked at may be one by now.
        with open(os.open(found.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
            file.seek(found.offset)
            data = file.read() if length is None else file.read(length)
    except OSError as error:
        raise _unreadable(tensor, f"{printable(found.path)}: {error.strerror}") from error
    tensor.raw_data = data
    tensor.ClearField("data_location")
    tensor.ClearField("external_data")


def _unreadable(tensor: onnx.TensorProto, why: str) -> FileError:
    return FileError(
        f"the external data of the tensor {printable(tensor.name)} cannot be read",
        details=[why],
        hint="external data lie in files beside the model, or in folders there",
    )
