"""The text forms of a model: onnx's own, and those of protocol buffers, text and JSON."""

import re

import onnx
from google.protobuf import json_format, text_format

from mincli.errors import first_line, printable

MOST_DEPTH = 500
"""Of brackets in each other. A model has less: its messages, 3 for each graph in a graph, are at most 100 deep. onnx's
parser takes the whole process down some thousands deep."""
_TOO_DEEP = "its brackets are nested too deeply"
_TOKEN = re.compile(rb"""(?P<skip>\#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)*'|=>)|(?P<open>[{(\[<])|[})\]>]""", re.S)
_OPENING = (b"{", b"(", b"[", b"<")


def parse_text(data: bytes) -> onnx.ModelProto:
    """Parse a model in any of its text forms; its first character tells which.

    Raises:
        ValueError: it is none; the message says why, in one line.
    """
    if _is_deep(data):
        raise ValueError(_TOO_DEEP)
    try:
        match data.lstrip()[:1]:
            case b"<":
                return onnx.parser.parse_model(data.decode())
            case b"{":
                proto = json_format.Parse(data, onnx.ModelProto())
            case _:
                proto = text_format.Parse(data, onnx.ModelProto())
        # Messages may be deeper here than in the binary form, which all else goes through.
        return onnx.ModelProto.FromString(proto.SerializeToString())
    except MemoryError:
        raise
    except Exception as error:  # whatever these parsers raise: onnx's lets through what C++ has
        raise ValueError(_words(error)) from error


def is_too_deep(error: Exception) -> bool:
    """Whether a parser says that messages are nested too deeply."""
    return isinstance(error, RecursionError) or "MaxDepth" in str(error)


def _is_deep(data: bytes) -> bool:
    """Whether brackets, but those in strings and comments, are deeper in each other than in any model."""
    if sum(map(data.count, _OPENING)) <= MOST_DEPTH:
        return False
    depth = 0
    for token in _TOKEN.finditer(data):
        if token["open"]:
            depth += 1
            if depth > MOST_DEPTH:
                return True
        elif not token["skip"]:
            depth = max(depth - 1, 0)
    return False


def _words(error: Exception) -> str:
    """Return what a parser says, in one line: onnx's says it in bytes, the place first and the reason last."""
    if is_too_deep(error):
        return _TOO_DEEP
    if isinstance(error, IndexError):  # of C++, which says no more than the function that it called
        return "a number in it is too large"
    if not isinstance(error, onnx.parser.ParseError):
        return printable(first_line(error))
    said = error.args[0]
    lines = (said.decode(errors="replace") if isinstance(said, bytes) else str(said)).strip().splitlines()
    place = lines[0].removeprefix("[ParseError at position ").strip("[]()")
    return printable(f"{lines[-1]} ({place})")[:300]
