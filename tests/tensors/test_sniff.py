"""What a file looks like, by its first bytes."""

import io
import pickle
import zlib

import numpy as np
import pytest

from mincli.tensors.sniff import is_safetensors, looks_like


def npy():
    stream = io.BytesIO()
    np.save(stream, np.zeros(1))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("start", "words"),
    [
        pytest.param(b"", "an empty file", id="nothing"),
        pytest.param(b"\0", "zeros", id="a-zero"),
        pytest.param(bytes(512), "zeros", id="zeros"),
        pytest.param(npy(), "a .npy file", id="npy"),
        pytest.param(b"PK\3\4\x14\0", "a zip archive", id="zip"),
        pytest.param(b"PK\5\6" + bytes(18), "an empty zip archive", id="empty-zip"),
        pytest.param(
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
            "a git-lfs pointer: the file itself was not fetched (git lfs pull)",
            id="git-lfs",
        ),
        pytest.param(zlib.compress(b"x", wbits=31), "gzip data", id="gzip"),
        pytest.param(b"BZh91AY&SY", "bzip2 data", id="bzip2"),
        pytest.param(b"\xfd7zXZ\0", "xz data", id="xz"),
        pytest.param(b"\x28\xb5\x2f\xfd\x04", "zstandard data", id="zstandard"),
        pytest.param(b"\x89HDF\r\n\x1a\n", "an HDF5 file", id="HDF5"),
        pytest.param(b"\x89PNG\r\n\x1a\n", "a PNG image", id="PNG"),
        pytest.param(b"\xff\xd8\xff\xe0", "a JPEG image", id="JPEG"),
        pytest.param(b"II*\0", "a TIFF image", id="TIFF"),
        pytest.param(b"MM\0*", "a TIFF image", id="TIFF-big-endian"),
        pytest.param(b"%PDF-1.7\n", "a PDF document", id="PDF"),
        pytest.param(b"\x7fELF\2\1\1", "a program", id="ELF"),
        pytest.param(b"GGUF\3\0\0\0", "a GGUF model", id="GGUF"),
        pytest.param(b"PAR1\x15", "a Parquet file", id="Parquet"),
        pytest.param(b"MATLAB 5.0 MAT-file", "a MATLAB file", id="MATLAB"),
        *(
            pytest.param(pickle.dumps([1], protocol), "a Python pickle", id=f"pickle-{protocol}")
            for protocol in (2, 3, 4, 5)
        ),
        pytest.param(b"<!DOCTYPE html><html>", "an HTML page", id="html"),
        pytest.param(b"\n  <HTML lang=en>", "an HTML page", id="html-after-space"),
        pytest.param(b"1.5, 2.5\r\n\t3\n", "text", id="text"),
        pytest.param("größer als 東京".encode(), "text", id="utf-8"),
        pytest.param(("x" * 511 + "é").encode()[:512], "text", id="character-cut-after-one-byte"),
        pytest.param(("x" * 509 + "𝄞").encode()[:512], "text", id="character-cut-after-three-bytes"),
        pytest.param(b"\x93NUMPX\1\0", "unknown binary data", id="almost-npy"),
        pytest.param(b"text with a bell \x07", "unknown binary data", id="control-character"),
        pytest.param(b"latin-1: \xe9t\xe9", "unknown binary data", id="no-utf-8"),
        pytest.param(b"\0\0\0\1", "unknown binary data", id="zeros-and-a-one"),
        # no character of UTF-8 starts with these, so they are none that was cut
        pytest.param(b"\x93", "unknown binary data", id="first-byte-of-npy"),
        pytest.param(b"\xff\xff", "unknown binary data", id="two-bytes-of-ones"),
        pytest.param(b"text\xff", "unknown binary data", id="ends-in-a-byte-of-ones"),
    ],
)
def test_looks_like(start, words):
    assert looks_like(start) == words


@pytest.mark.parametrize(
    ("start", "answer"),
    [
        pytest.param((100).to_bytes(8, "little") + b'{"x"', True, id="header"),
        pytest.param((100_000_000).to_bytes(8, "little") + b"{", True, id="greatest-length"),
        pytest.param((100_000_001).to_bytes(8, "little") + b"{", False, id="too-long"),
        pytest.param((100).to_bytes(8, "little") + b"[", False, id="no-object"),
        pytest.param((100).to_bytes(8, "little"), False, id="only-a-length"),
        pytest.param(b"", False, id="nothing"),
    ],
)
def test_is_safetensors(start, answer):
    assert is_safetensors(start) is answer
