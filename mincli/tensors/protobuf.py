"""Tensors in ONNX protocol buffers (`TensorProto`, .pb files)."""

from typing import Any

import onnx
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from onnx import numpy_helper

from mincli.errors import FormatError
from mincli.spec.dtypes import BY_NUMBER, ElementType
from mincli.spec.shapes import is_possible
from mincli.tensors.array import ArrayTensor
from mincli.tensors.tensor import OpaqueTensor, Tensor

MOST_BYTES = 2**31 - 1
"""A protocol buffer is at most this long (protobuf's encoding limits)."""


def parse(data: bytes, name: str) -> Tensor | None:
    """Return the tensor that `data` is the TensorProto of; None if it is no TensorProto.

    Raises:
        FormatError: a TensorProto that is incomplete or contradicts itself.
    """
    proto = onnx.TensorProto()
    try:
        proto.ParseFromString(data)
    except DecodeError:
        return None
    element = BY_NUMBER.get(proto.data_type)
    if element is None:
        return None
    if proto.data_location == onnx.TensorProto.EXTERNAL:
        raise FormatError(
            f"{name} is a TensorProto whose elements lie in another file", hint="save it with its data inside"
        )
    shape = tuple(proto.dims)
    unfit = f"{name}: the TensorProto's elements do not fill its shape {list(shape)}"
    if min(shape, default=0) < 0 or not is_possible(shape, element.itemsize):
        raise FormatError(unfit)
    if not element.storage:
        return OpaqueTensor(element, shape, name)
    try:
        array = numpy_helper.to_array(proto)
    except (ValueError, TypeError, OverflowError) as error:
        raise FormatError(unfit, details=[str(error)]) from error
    tensor = ArrayTensor(array.view(element.storage), element, name)
    tensor.layout = "TensorProto"
    return tensor


def is_model(data: bytes) -> bool:
    """Whether `data` is an ONNX ModelProto with a graph."""
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError:
        return False
    return model.HasField("graph") and model.ir_version > 0


def serialize(array: NDArray[Any], element: ElementType) -> bytes:
    """Return the TensorProto of an array of storage type."""
    little_endian = array.astype(array.dtype.newbyteorder("<"), copy=False)
    proto = onnx.TensorProto(dims=array.shape, data_type=element.number, raw_data=little_endian.tobytes())
    return bytes(proto.SerializeToString())
