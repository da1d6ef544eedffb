"""Values read from files."""

import io
import os
import sys
import zlib
from typing import Any, Literal
from zipfile import BadZipFile

import numpy as np
import onnx
from google.protobuf.message import DecodeError, Message
from numpy.typing import NDArray

from mincli.errors import FileError, FormatError, printable
from mincli.models.messages import parse, strings
from mincli.models.values import Value
from mincli.spec.dtypes import BY_NUMBER
from mincli.tensors import STDIN, npy, open_tensor, split
from mincli.tensors.file import FileTensor
from mincli.tensors.members import choose
from mincli.tensors.runs import read_exactly
from mincli.tensors.sniff import SNIFFED, UNKNOWN, is_safetensors, looks_like
from mincli.tensors.tensor import OpaqueTensor, Tensor, strides_of

_UNREADABLE = (ValueError, EOFError, OSError, MemoryError, TypeError, BadZipFile, zlib.error, NotImplementedError)
"""What NumPy raises for files that it does not read."""


def read_value(path: str, kind: onnx.TypeProto) -> Value:
    """Read a value of a declared type from a file.

    Args:
        path: for a tensor what `tensors.open_tensor` takes, of any ONNX type; for a sequence, an optional or a map the
            .pb file of its message (SequenceProto, OptionalProto, MapProto); for an optional also what it may hold.
        kind: the declared type; raw elements of a .npy file are taken for its element type.

    Raises:
        FileError: missing or unreadable.
        FormatError: not what such a value is read from.
    """
    match kind.WhichOneof("value"):
        case "sequence_type":
            return _message(path, onnx.SequenceProto())
        case "optional_type":
            return (
                _message(path, onnx.OptionalProto())
                if _is_message(path)
                else read_value(path, kind.optional_type.elem_type)
            )
        case "map_type":
            return _message(path, onnx.MapProto())
    declared = BY_NUMBER.get(kind.tensor_type.elem_type)
    if declared and declared.name == "string" and (array := _saved_strings(path)) is not None:
        return array
    with open_tensor(path, declared if declared and declared.numpy in ("", "V2", "f1") else None) as tensor:
        return _message(path, onnx.TensorProto()) if isinstance(tensor, OpaqueTensor) else _whole(tensor)


def _whole(tensor: Tensor) -> NDArray[Any]:
    """Return all elements of a tensor as an array of the NumPy type that onnx uses."""
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.element.number)
    if not tensor.nbytes:  # its strides are 0, as those of broadcasting are
        return np.empty(tensor.shape, dtype)
    buffer = np.empty(tensor.nbytes, np.uint8)
    if tensor.element.storage:
        everything = tuple(slice(0, size) for size in tensor.shape)
        return tensor.view(tensor.shape, tensor.strides).read(everything, buffer).view(dtype)
    assert isinstance(tensor, FileTensor)  # a view has storage types only
    read_exactly(tensor.file, buffer.data, tensor.offset, tensor.name)
    if tensor.element.bits < 8:  # each has a byte, of whose other bits ml_dtypes would take notice
        buffer &= (1 << tensor.element.bits) - 1
    array = buffer.view(dtype)
    order: Literal["C", "F"] = "C" if tensor.strides == strides_of(tensor.shape) else "F"
    whole: NDArray[Any] = (array.byteswap() if tensor.swapped else array).reshape(tensor.shape, order=order)
    return whole


def _saved_strings(path: str) -> NDArray[Any] | None:
    """Return the strings of a .npy file or .npz member; None if it is anything else."""
    name = printable(path)
    place, member = split(path)
    data = _bytes(place, name)
    if not data.startswith((npy.MAGIC, b"PK")):
        return None
    try:
        loaded = np.load(io.BytesIO(data), allow_pickle=False)
        array = loaded if isinstance(loaded, np.ndarray) else loaded[choose(loaded.files, member, name, "array")]
    except _UNREADABLE:
        return None  # `open_tensor` says what is wrong with it
    return strings(array.reshape(-1).tolist(), array.shape) if array.dtype.kind == "U" else None


def _message(path: str, message: Message) -> Value:
    """Return the value that a file holds as a message of the type of `message`."""
    name = printable(path)
    data = _bytes(path, name)
    try:
        return parse(data, message)
    except (DecodeError, ValueError) as error:
        kind = looks_like(data[:SNIFFED])
        reason = f"it looks like {kind}"
        if kind == UNKNOWN:
            reason = (
                "it is damaged, or something else" if isinstance(error, DecodeError) else printable(str(error))[:300]
            )
        raise FormatError(f"{name} is no {type(message).__name__}", details=[reason]) from error


def _is_message(path: str) -> bool:
    """Whether a file may hold a message: it is there, and in none of the formats of arrays."""
    if not os.path.isfile(path):
        return False
    start = _bytes(path, printable(path), SNIFFED)
    return not start.startswith((npy.MAGIC, b"PK")) and not is_safetensors(start)


def _bytes(path: str, name: str, count: int = -1) -> bytes:
    try:
        if path == STDIN:
            return sys.stdin.buffer.read(count)
        with open(path, "rb") as file:
            return file.read(count)
    except FileNotFoundError:
        raise FileError(f"{name} does not exist") from None
    except IsADirectoryError:
        raise FileError(f"{name} is a folder", hint="name a file in it") from None
    except (OSError, ValueError) as error:
        raise FileError(f"{name} cannot be read: {getattr(error, 'strerror', error)}") from error
