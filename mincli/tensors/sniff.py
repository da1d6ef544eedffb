"""What a file looks like, by its first bytes: so that a refusal can say what it met."""

import codecs

_STARTS = (
    (b"\x93NUMPY", "a .npy file"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"version https://git-lfs", "a git-lfs pointer: the file itself was not fetched (git lfs pull)"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstandard data"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"GGUF", "a GGUF model"),
    (b"PAR1", "a Parquet file"),
    (b"MATLAB", "a MATLAB file"),
    (b"\x80\x02", "a Python pickle"),
    (b"\x80\x03", "a Python pickle"),
    (b"\x80\x04", "a Python pickle"),
    (b"\x80\x05", "a Python pickle"),
)

UNKNOWN = "unknown binary data"
"""What nothing is known of looks like."""
SNIFFED = 512
"""Bytes to look at."""
MAX_SAFETENSORS_HEADER_BYTES = 100_000_000
"""The safetensors format's own limit; `safetensors` reads less."""


def is_safetensors(start: bytes) -> bool:
    """Whether a file with these first bytes looks like a safetensors file: a length, then JSON."""
    return start[8:9] == b"{" and int.from_bytes(start[:8], "little") <= MAX_SAFETENSORS_HEADER_BYTES


def looks_like(start: bytes) -> str:
    """Return in words what a file with these first bytes, the first `SNIFFED` or all, looks like.

    >>> looks_like(b"<!DOCTYPE html>")
    'an HTML page'
    """
    for magic, words in _STARTS:
        if start.startswith(magic):
            return words
    if not start:
        return "an empty file"
    if not start.strip(b"\0"):
        return "zeros"
    if start.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
        return "an HTML page"
    try:
        # The last character may be cut where the bytes were, but not where the file ends.
        text = codecs.getincrementaldecoder("utf-8")().decode(start, final=len(start) < SNIFFED)
    except UnicodeDecodeError:
        return UNKNOWN
    return "text" if all(c.isprintable() or c.isspace() for c in text) else UNKNOWN
