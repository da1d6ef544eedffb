"""Values and their protocol buffers: TensorProto, SequenceProto, OptionalProto, MapProto (onnx.proto, onnx-data.proto).

What onnx.numpy_helper does, for the parts where it is not exact: strings that end in NUL, maps from strings.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet
from numpy.typing import NDArray
from onnx import numpy_helper

from mincli.graphs.storage import bytes_of
from mincli.models.values import Value


def parse(data: bytes, message: Message) -> Value:
    """Return the value that bytes hold as a message of the type of `message`.

    Raises:
        DecodeError: no message at all.
        ValueError: a message of another type, or one that contradicts itself; the text says why.
    """
    message.ParseFromString(data)
    if not message.ListFields() or len(UnknownFieldSet(message)):
        raise ValueError("it has other fields" if data else "it is empty")
    try:
        return _value(message)
    except (TypeError, KeyError, OverflowError, RecursionError) as error:
        raise ValueError(str(error)) from error


def _value(message: Any) -> Value:
    if isinstance(message, onnx.TensorProto):
        return _tensor(message)
    if isinstance(message, onnx.SparseTensorProto):
        raise ValueError("sparse tensors are not read")
    if isinstance(message, onnx.MapProto):
        keys = [key.decode() for key in message.string_keys] if message.string_keys else list(message.keys)
        values = _value(message.values)
        if len(keys) != len(values):
            raise ValueError(f"it has {len(keys)} keys, and {len(values)} values")
        return dict(zip(keys, values, strict=True))
    kinds = type(message).DataType
    kind = kinds.Name(message.elem_type).lower()
    if isinstance(message, onnx.OptionalProto):
        if not message.HasField("elem_type") or (kind != "undefined" and not message.HasField(f"{kind}_value")):
            raise ValueError("it does not say what it holds")
        return None if kind == "undefined" else _value(getattr(message, f"{kind}_value"))
    if kind == "undefined":
        raise ValueError("it does not say what it holds")
    return [_value(element) for element in getattr(message, f"{kind}_values")]


def _tensor(tensor: onnx.TensorProto) -> NDArray[Any]:
    if min(tensor.dims, default=0) < 0:
        raise ValueError(f"its shape is {list(tensor.dims)}")
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        raise ValueError("its elements lie in another file")
    if tensor.data_type != onnx.TensorProto.STRING:
        needed = bytes_of(tensor.data_type, tensor.dims)
        if tensor.HasField("raw_data") and needed is not None and len(tensor.raw_data) != needed:
            raise ValueError(f"its elements take {needed} bytes, and {len(tensor.raw_data)} are there")
        array: NDArray[Any] = numpy_helper.to_array(tensor)
        return array
    return strings([string.decode() for string in tensor.string_data], tuple(tensor.dims))


def strings(elements: Sequence[str], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return an array of strings as they are: NumPy's own would drop NULs at their ends."""
    array = np.empty(len(elements), object)
    array[:] = elements
    return array.reshape(shape)


def to_message(value: Value, name: str, kind: onnx.TypeProto | None = None) -> Message:
    """Return a value as its protocol buffer.

    Args:
        value: an array, list, dict or None.
        name: of the value.
        kind: its declared type, where that may be an optional, which a value that is there does not show.

    Returns:
        A TensorProto, SequenceProto or MapProto; an OptionalProto if it is None or declared so.

    Raises:
        ValueError: elements of a sequence that are of several kinds, or keys that are neither strings nor integers.
    """
    message: Any
    if value is None or (kind is not None and kind.WhichOneof("value") == "optional_type"):
        message = onnx.OptionalProto(name=name or None, elem_type=_field_of(value, onnx.OptionalProto))
        if value is not None:
            field = onnx.OptionalProto.DataType.Name(message.elem_type).lower()
            getattr(message, f"{field}_value").CopyFrom(to_message(value, ""))
    elif isinstance(value, list):
        message = onnx.SequenceProto(
            name=name or None, elem_type=_field_of(value[0] if value else 0, onnx.SequenceProto)
        )
        if any(_field_of(element, onnx.SequenceProto) != message.elem_type for element in value):
            raise ValueError("a sequence has elements of one kind")
        field = onnx.SequenceProto.DataType.Name(message.elem_type).lower()
        getattr(message, f"{field}_values").extend(to_message(element, "") for element in value)
    elif isinstance(value, dict):
        message = _map(value, name)
    else:
        message = _tensor_message(strings([value], ()) if isinstance(value, str) else np.asarray(value), name)
    return message


def _field_of(value: Value, message: Any) -> int:
    """Return the DataType of a SequenceProto or OptionalProto for a value in it."""
    if value is None:
        return int(message.UNDEFINED)
    return int(
        message.SEQUENCE if isinstance(value, list) else message.MAP if isinstance(value, dict) else message.TENSOR
    )


def _map(value: Mapping[Any, Value], name: str) -> onnx.MapProto:
    message = onnx.MapProto(name=name or None)
    if all(isinstance(key, str) for key in value):
        message.key_type = onnx.TensorProto.STRING
        message.string_keys.extend(key.encode() for key in value)
    elif all(isinstance(key, int | np.integer) for key in value):
        message.key_type = onnx.TensorProto.INT64
        message.keys.extend(int(key) for key in value)
    else:
        raise ValueError("the keys of a map are strings or integers")
    message.values.CopyFrom(to_message(list(value.values()), ""))
    return message


def _tensor_message(array: NDArray[Any], name: str) -> onnx.TensorProto:
    if array.dtype.kind in "OU":
        elements = [element.encode() for element in array.reshape(-1).tolist()]
        message = onnx.TensorProto(name=name or None, dims=array.shape, data_type=onnx.TensorProto.STRING)
        message.string_data.extend(elements)
        return message
    return numpy_helper.from_array(array.astype(array.dtype.newbyteorder("="), copy=False), name)
