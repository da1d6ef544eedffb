"""ONNX models in files: parsed by what they are, binary or in one of onnx's text forms."""

import codecs
import os
from collections.abc import Callable
from typing import Any

import onnx
from google.protobuf import json_format, text_format
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from mincli.errors import FileError, FormatError, UsageError, first_line, printable
from mincli.graphs.strings import first_bytes
from mincli.tensors import STDIN
from mincli.tensors.protobuf import MAX_BYTES
from mincli.tensors.sniff import SNIFFED, UNKNOWN, looks_like


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
        FileError: missing or unreadable.
        FormatError: no model.
    """
    name = printable(path)
    return _parse(_read(path, name), name)


def _read(path: str, name: str) -> bytes:
    try:
        size = os.stat(path).st_size
        if os.path.isdir(path):
            raise FileError(f"{name} is a folder", hint="name the model in it")
        if size > MAX_BYTES:
            raise FormatError(
                f"{name} is no model: it has {size} bytes, and a protocol buffer at most {MAX_BYTES}",
                hint="models with larger tensors keep them in other files, as external data",
            )
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        hint = "a model on standard input is /dev/stdin" if path == STDIN else ""
        raise FileError(f"{name} does not exist", hint=hint) from None
    except (OSError, ValueError) as error:
        if isinstance(error, FileError | FormatError):
            raise
        raise FileError(f"{name} cannot be read: {getattr(error, 'strerror', error)}") from error


def _parse(data: bytes, name: str) -> onnx.ModelProto:
    data = data.removeprefix(codecs.BOM_UTF8)
    kind = looks_like(data[:SNIFFED])
    try:
        proto = _parser(kind, data)(data)
    except _PARSE_ERRORS as error:
        raise FormatError(f"{name} is no ONNX model", details=[_seen(kind, data, error)]) from error
    if not proto.HasField("graph"):
        raise FormatError(
            f"{name} is no ONNX model",
            details=[_message(data) or (f"it looks like {kind}" if not data else "it is a message without a graph")],
        )
    if kind != "text" and (name_bytes := first_bytes(proto)) is not None:
        shown = printable(name_bytes.decode(errors="backslashreplace"))[:100]
        raise FormatError(f"{name} is no ONNX model", details=[f"a string in it is no UTF-8: {shown}"])
    return proto


_PARSE_ERRORS = (
    DecodeError,
    UnicodeDecodeError,
    onnx.parser.ParseError,
    json_format.ParseError,
    text_format.ParseError,
)


def _seen(kind: str, data: bytes, error: Exception) -> str:
    """Return what there is in place of a model, in words."""
    if kind == "text":
        return f"it is text, but none of onnx's forms of it: {_words(error)}"
    if kind != UNKNOWN:
        return f"it looks like {kind}"
    damaged = "it begins like one, and is cut off or damaged" if data[:1] == IR_VERSION_TAG else ""
    return _message(data) or damaged or f"it looks like {kind}"


IR_VERSION_TAG = b"\x08"
"""How a ModelProto begins: its first field is a varint, `ir_version`."""


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
}
"""What people take for a model, and the fields that each has in any case."""


def _words(error: Exception) -> str:
    """Return what a parser says, in one line: onnx's says it in bytes, the place first and the reason last."""
    if not isinstance(error, onnx.parser.ParseError):
        return printable(first_line(error))
    said = error.args[0]
    lines = (said.decode(errors="replace") if isinstance(said, bytes) else str(said)).strip().splitlines()
    place = lines[0].removeprefix("[ParseError at position ").strip("[]()")
    return printable(f"{lines[-1]} ({place})")[:300]


def _parser(kind: str, data: bytes) -> Callable[[bytes], onnx.ModelProto]:
    """Return what parses a model that looks so."""
    if kind != "text":
        return lambda binary: onnx.ModelProto.FromString(binary)
    match data.lstrip()[:1]:
        case b"{":
            return lambda text: json_format.Parse(text, onnx.ModelProto())
        case b"<":
            return lambda text: onnx.parser.parse_model(text.decode())
        case _:
            return lambda text: text_format.Parse(text, onnx.ModelProto())
