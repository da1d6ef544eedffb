"""The .npy format, versions 1, 2 and 3 (NumPy Enhancement Proposal 1): its header, read safely and written."""

import ast
import re
import sys
from collections.abc import Callable
from typing import NamedTuple

from mincli.errors import FormatError, counted
from mincli.spec.dtypes import BY_NUMPY, ElementType
from mincli.spec.shapes import is_possible
from mincli.tensors.file import FileTensor
from mincli.tensors.sniff import SNIFFED, looks_like

MAGIC = b"\x93NUMPY"
MAX_HEADER_BYTES = 10_000
"""Longer headers are refused, as NumPy does: a plain array needs about 100 bytes."""

_REFUSED_KINDS = {
    "O": "Python objects (pickled; mincli never unpickles)",
    "S": "byte strings",
    "U": "strings",
    "a": "byte strings",
    "m": "time differences (timedelta64)",
    "M": "dates (datetime64)",
}


class Header(NamedTuple):
    """What a .npy header says.

    Attributes:
        element: the element type.
        shape: the shape.
        fortran: whether the elements lie in Fortran order.
        swapped: whether their bytes are in the other byte order than this machine's.
        nbytes: bytes of the header, magic included.
        note: how raw elements were read, or "".
    """

    element: ElementType
    shape: tuple[int, ...]
    fortran: bool
    swapped: bool
    nbytes: int
    note: str


def read_header(read: Callable[[int], bytes], name: str, raw: ElementType | None) -> Header:
    """Read a .npy header.

    Args:
        read: returns the next so many bytes, or fewer at the end of the file; the first call starts the file.
        name: the file's name in messages.
        raw: what to take raw (`V`) elements for; None takes two-byte ones for bfloat16 and refuses others.

    Raises:
        FormatError: no .npy header, or one that is malformed, too long, or of an array that has no ONNX type.
    """
    start = read(8)
    if not start:
        raise FormatError(f"{name} is empty")
    if not MAGIC.startswith(start[:6]):
        start += read(SNIFFED - len(start))
        raise FormatError(f"{name} is no .npy file", details=[f"it looks like {looks_like(start)}"])
    if len(start) < 8:
        raise FormatError(f"{name} is a truncated .npy file")
    version = (start[6], start[7])
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise FormatError(
            f"{name}: .npy version {version[0]}.{version[1]} is unknown", details=["known: 1.0, 2.0, 3.0"]
        )
    size_bytes = read(2 if version == (1, 0) else 4)
    size = int.from_bytes(size_bytes, "little")
    if size > MAX_HEADER_BYTES:
        raise FormatError(
            f"{name}: the .npy header claims {size} bytes",
            details=[f"at most {MAX_HEADER_BYTES} are read; an array of plain elements needs about 100"],
        )
    text = read(size)
    if len(size_bytes) < 2 or len(text) < size:
        raise FormatError(f"{name} is truncated: it ends within the .npy header")
    descr, fortran, shape = _fields(text.decode("utf-8" if version == (3, 0) else "latin-1", "replace"), name)
    element, note = _element(descr, name, raw)
    swapped = descr.startswith(">" if sys.byteorder == "little" else "<")
    if not is_possible(shape, element.width):
        details = [repr(shape)[:200]] if max(shape) < 10**100 else []
        raise FormatError(f"{name}: the shape in the .npy header is impossible", details=details)
    return Header(element, shape, fortran, swapped and element.width > 1, 8 + len(size_bytes) + size, note)


def tensor(header: Header, file: int, offset: int, name: str) -> FileTensor:
    """Return the array that a header describes, whose elements start at byte `offset` of an open file."""
    array = FileTensor(file, offset, header.element, header.shape, name, fortran=header.fortran, swapped=header.swapped)
    array.note = header.note
    return array


def _fields(text: str, name: str) -> tuple[str, bool, tuple[int, ...]]:
    malformed = FormatError(f"{name}: the .npy header is malformed", details=[repr(text.strip())[:200]])
    try:
        fields = ast.literal_eval(re.sub(r"(\d)L\b", r"\1", text.strip()))  # Python 2 wrote (3L, 4L)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise malformed from None
    if not isinstance(fields, dict) or fields.keys() != {"descr", "fortran_order", "shape"}:
        raise malformed
    descr, fortran, shape = fields["descr"], fields["fortran_order"], fields["shape"]
    if isinstance(descr, list):
        raise FormatError(f"{name} holds structured elements", hint="save each field as an array of its own")
    if not isinstance(descr, str) or not isinstance(fortran, bool) or not isinstance(shape, tuple):
        raise malformed
    if any(type(size) is not int or size < 0 for size in shape):
        raise malformed
    return descr, fortran, shape


def _element(descr: str, name: str, raw: ElementType | None) -> tuple[ElementType, str]:
    code = descr[1:] if descr.startswith(("<", ">", "=", "|")) else descr
    if code[:1] in _REFUSED_KINDS:
        raise FormatError(f"{name} holds {_REFUSED_KINDS[code[:1]]}, and not numbers or booleans")
    if not re.fullmatch(r"[a-zA-Z]\d{0,9}|\?", code):
        raise FormatError(f"{name}: unknown element type {repr(descr)[:60]}")
    if code.startswith("V"):
        return _raw_element(int(code[1:] or 0), name, raw)
    element = BY_NUMPY.get("b1" if code == "?" else code)
    if element is None:
        longdouble = ["longdouble has no ONNX type"] if code in ("f12", "f16") else []
        raise FormatError(f"{name}: the element type {descr!r} is none of ONNX's", details=longdouble)
    return element, ""


def _raw_element(size: int, name: str, raw: ElementType | None) -> tuple[ElementType, str]:
    if raw is None and size == 2:
        return BY_NUMPY["V2"], "raw two-byte elements, read as bfloat16"
    if raw is None:
        raise FormatError(
            f"{name} holds raw elements of {counted(size, 'byte')}",
            details=["a .npy file cannot say which ONNX type they are"],
            hint="say their ONNX type with --dtype",
        )
    if raw.width != size:
        raise FormatError(f"{name} holds raw elements of {counted(size, 'byte')}, but {raw} has {raw.width}")
    return raw, f"raw elements, read as {raw}"


def format_header(element: ElementType, shape: tuple[int, ...]) -> bytes:
    """Return the header of a version 1 .npy file of native byte order and C order.

    It is the header that `np.save` writes, byte for byte, so that equal arrays are equal files. bfloat16, which .npy
    cannot name, is written as raw two-byte elements, the way ml_dtypes does.
    """
    native = "<" if sys.byteorder == "little" else ">"
    descr = f"|{element.numpy}" if element.width == 1 else native + element.numpy
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape!r}, }}"
    text += " " * (21 - len(str(shape[0]))) if shape else ""  # room for a first axis of 21 digits
    size = ((10 + len(text) + 1) // 64 + 1) * 64 - 10
    return MAGIC + b"\1\0" + size.to_bytes(2, "little") + text.encode().ljust(size - 1) + b"\n"
