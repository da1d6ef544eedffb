"""The values of a model, and the files that they are read from and written to.

A value is an array (tensor), a list of values (sequence), a dict (map), or None (an optional that is absent). Arrays
have the NumPy type that onnx gives them: ml_dtypes' for what NumPy cannot name, `object` for strings.
"""

import io
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError, Message
from numpy.typing import NDArray
from onnx import numpy_helper

from mincli.errors import FileError, FormatError, printable
from mincli.spec.dtypes import BY_NUMBER, ElementType
from mincli.tensors import npy, open_tensor
from mincli.tensors.atomic import replacing, write_exactly
from mincli.tensors.tensor import OpaqueTensor, Tensor

Value = Any


def type_of(value: Value) -> str:
    """Return a value's type and shape in words.

    >>> type_of(np.zeros((2, 3), "f4")), type_of([np.zeros(1, "i8")]), type_of(None)
    ('float[2, 3]', 'sequence of 1', 'absent')
    """
    if value is None:
        return "absent"
    if isinstance(value, list):
        return f"sequence of {len(value)}"
    if isinstance(value, dict):
        return f"map of {len(value)}"
    return f"{element_of(value)}[{', '.join(map(str, value.shape))}]"


def element_of(array: NDArray[Any]) -> ElementType:
    """Return the element type of an array of a model."""
    return BY_NUMBER[onnx.helper.np_dtype_to_tensor_dtype(array.dtype.newbyteorder("="))]


def type_in_words(kind: onnx.TypeProto) -> str:
    """Return a declared type in words: `float[batch, 3]`, `sequence of float`, ..."""
    match kind.WhichOneof("value"):
        case "tensor_type":
            element = BY_NUMBER.get(kind.tensor_type.elem_type)
            shape = f"[{', '.join(map(str, dims_of(kind)))}]" if kind.tensor_type.HasField("shape") else ""
            return f"{element.name if element else 'tensor of any type'}{shape}"
        case "sparse_tensor_type":
            return f"sparse {BY_NUMBER[kind.sparse_tensor_type.elem_type]}"
        case "sequence_type":
            return f"sequence of {type_in_words(kind.sequence_type.elem_type)}"
        case "optional_type":
            return f"optional {type_in_words(kind.optional_type.elem_type)}"
        case "map_type":
            return f"map to {type_in_words(kind.map_type.value_type)}"
        case _:
            return "any type"


def dims_of(kind: onnx.TypeProto) -> list[int | str]:
    """Return the dimensions of a tensor type: sizes, names of symbolic ones, "?" for unknown ones."""
    return [
        dim.dim_value if dim.HasField("dim_value") else printable(dim.dim_param) if dim.dim_param else "?"
        for dim in kind.tensor_type.shape.dim
    ]


def read_value(path: str, kind: onnx.TypeProto) -> Value:
    """Read a value of a declared type from a file.

    Args:
        path: for a tensor what `tensors.open_tensor` takes, or a .npy file or TensorProto of any ONNX type; for a
            sequence, an optional or a map the .pb file of its message (SequenceProto, OptionalProto, MapProto).
        kind: the declared type; raw elements of a .npy file are taken for its element type.

    Raises:
        FileError: missing or unreadable.
        FormatError: not what such a value is read from.
    """
    match kind.WhichOneof("value"):
        case "sequence_type":
            return numpy_helper.to_list(_message(path, onnx.SequenceProto()))
        case "optional_type":
            return numpy_helper.to_optional(_message(path, onnx.OptionalProto()))
        case "map_type":
            return numpy_helper.to_dict(_message(path, onnx.MapProto()))
    declared = BY_NUMBER.get(kind.tensor_type.elem_type)
    with open_tensor(path, declared if declared and declared.numpy in ("", "V2") else None) as tensor:
        if isinstance(tensor, OpaqueTensor):
            return numpy_helper.to_array(_message(path, onnx.TensorProto()))
        return _whole(tensor)


def write_value(path: str, value: Value, name: str) -> str:
    """Write a value: a tensor as .npy, anything else as the .pb file of its message.

    Args:
        path: without the suffix, which is added.
        value: any value.
        name: of the value, which a message says.

    Returns:
        The path with its suffix.

    Raises:
        OutputError: it cannot be written.
    """
    if isinstance(value, np.ndarray):
        data, path = npy_bytes(value), f"{path}.npy"
    else:
        data, path = to_message(value, name).SerializeToString(), f"{path}.pb"
    with replacing(path, len(data)) as file:
        write_exactly(file, memoryview(data), 0)
    return path


def npy_bytes(array: NDArray[Any]) -> bytes:
    """Return the .npy file of an array: strings as NumPy's, what NumPy cannot name as raw elements."""
    if array.dtype == object:
        stream = io.BytesIO()
        np.save(stream, array.astype(str), allow_pickle=False)
        return stream.getvalue()
    element = element_of(array)
    raw = np.ascontiguousarray(array).view(f"V{array.dtype.itemsize}") if element.numpy in ("", "f1") else array
    return npy.format_header(element, array.shape) + np.ascontiguousarray(raw).tobytes()


def to_message(value: Value, name: str) -> Message:
    """Return a value as its protocol buffer: TensorProto, SequenceProto, OptionalProto or MapProto."""
    if isinstance(value, np.ndarray):
        return numpy_helper.from_array(value, name)
    if isinstance(value, list):
        return numpy_helper.from_list(value, name)
    if isinstance(value, dict):
        return numpy_helper.from_dict(value, name)
    return numpy_helper.from_optional(value, name)


def _whole(tensor: Tensor) -> NDArray[Any]:
    """Return all elements of a tensor as an array of the NumPy type that onnx uses."""
    everything = tuple(slice(0, size) for size in tensor.shape)
    buffer = np.empty(tensor.nbytes, np.uint8)
    stored = tensor.view(tensor.shape, tensor.strides).read(everything, buffer)
    return stored.view(onnx.helper.tensor_dtype_to_np_dtype(tensor.element.number))


def _message(path: str, message: Message) -> Any:
    """Parse a file as a protocol buffer of the type of `message`."""
    name = printable(path)
    try:
        with open(path, "rb") as file:
            message.ParseFromString(file.read())
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror}") from error
    except DecodeError as error:
        raise FormatError(f"{name} is no {type(message).__name__}") from error
    return message
