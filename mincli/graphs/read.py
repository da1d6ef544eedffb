"""ONNX models in files: parsed by what they are, binary or in one of onnx's text forms."""

import os
from collections.abc import Callable

import onnx
from google.protobuf import json_format, text_format
from google.protobuf.message import DecodeError

from mincli.errors import FileError, FormatError, first_line, printable
from mincli.tensors.protobuf import MAX_BYTES
from mincli.tensors.sniff import SNIFFED, looks_like


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
        raise FileError(f"{name} does not exist") from None
    except (OSError, ValueError) as error:
        if isinstance(error, FileError | FormatError):
            raise
        raise FileError(f"{name} cannot be read: {getattr(error, 'strerror', error)}") from error


def _parse(data: bytes, name: str) -> onnx.ModelProto:
    kind = looks_like(data[:SNIFFED])
    try:
        proto = _parser(kind, data)(data)
    except _PARSE_ERRORS as error:
        details = [f"it looks like {kind}"] if kind not in ("text", "unknown binary data") else [first_line(error)]
        raise FormatError(f"{name} is no ONNX model", details=details) from error
    if not proto.HasField("graph"):
        raise FormatError(f"{name} is no ONNX model", details=[f"it looks like {kind}, and holds no graph"])
    return proto


_PARSE_ERRORS = (
    DecodeError,
    UnicodeDecodeError,
    onnx.parser.ParseError,
    json_format.ParseError,
    text_format.ParseError,
)


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
