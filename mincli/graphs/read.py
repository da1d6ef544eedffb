"""ONNX models in files: parsed by what they are, binary or in one of onnx's text forms."""

import os
from typing import Any

import onnx
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from mincli.errors import FileError, FormatError, UsageError, printable
from mincli.graphs.contents import read_contents
from mincli.graphs.strings import first_bytes
from mincli.graphs.text import is_too_deep, parse_text


def path_or_model(model: onnx.ModelProto | str | os.PathLike[str]) -> onnx.ModelProto | str:
    """Return what a caller in Python gives for a model: the model, or the path of its file.

    Raises:
        UsageError: it is neither.
    """
    if isinstance(model, onnx.ModelProto):
        return model
    if isinstance(model, str | os.PathLike):
        return os.fspath(model)
    raise UsageError(f"a model is a path or an onnx.ModelProto, not {type(model).__name__}")


def read_model(path: str) -> onnx.ModelProto:
    """Parse the file of a model, and leave its external data where they are.

    Raises:
        FileError: missing or unreadable, or there is not enough memory for it.
        FormatError: no model.
    """
    try:
        return _parse(*read_contents(path), printable(path))
    except MemoryError:
        raise no_memory(path) from None


def no_memory(path: str) -> FileError:
    """Return the error that a file takes more memory than there is."""
    return FileError(f"{printable(path)} cannot be read: there is not enough memory for it")


def _parse(data: bytes, kind: str, name: str) -> onnx.ModelProto:
    try:
        proto = parse_text(data) if kind == "text" else onnx.ModelProto.FromString(data)
    except (ValueError, DecodeError) as error:
        raise FormatError(f"{name} is no ONNX model", details=[_message(data) or _seen(kind, data, error)]) from error
    other = _message(data) if kind != "text" and _is_doubtful(proto) else ""
    if other or not proto.HasField("graph"):
        raise FormatError(f"{name} is no ONNX model", details=[other or "it is a message without a graph"])
    if kind != "text" and (name_bytes := first_bytes(proto)) is not None:
        shown = printable(name_bytes.decode(errors="backslashreplace"))[:100]
        raise FormatError(f"{name} is no ONNX model", details=[f"a string in it is no UTF-8: {shown}"])
    return proto


def _seen(kind: str, data: bytes, error: Exception) -> str:
    """Return what there is in place of a model, in words."""
    if kind == "text":
        return f"it is text, but none of onnx's forms of it: {error}"
    if is_too_deep(error):
        return "its messages are nested too deeply"
    return "it begins like one, and is cut off or damaged" if data[:1] == IR_VERSION_TAG else f"it looks like {kind}"


IR_VERSION_TAG = b"\x08"
"""How a ModelProto begins: its first field is a varint, `ir_version`."""


def _is_doubtful(proto: onnx.ModelProto) -> bool:
    """Whether what was parsed as a model may be another message, some of whose fields have the numbers of a model's."""
    return not proto.ir_version and (not proto.graph.ByteSize() or bool(len(UnknownFieldSet(proto))))


def _message(data: bytes) -> str:
    """Return which other message of ONNX the bytes are, in words; "" if they are none."""
    for kind, fields in _OTHERS.items():
        try:
            message = kind.FromString(data)
        except DecodeError:
            continue
        if not len(UnknownFieldSet(message)) and all(getattr(message, field) for field in fields):
            return f"it looks like a {kind.DESCRIPTOR.name}, not a ModelProto"
    return ""


_OTHERS: dict[Any, tuple[str, ...]] = {
    onnx.SequenceProto: ("elem_type",),
    onnx.TensorProto: ("data_type",),
    onnx.GraphProto: ("node", "output"),
    onnx.FunctionProto: ("name", "node", "opset_import"),
    onnx.NodeProto: ("op_type", "output"),
}
"""What people take for a model, and the fields that each has in any case."""
