"""Bad input: the exact exit code and message, and nothing left behind."""

import os
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.cli.runner import run

ARRAYS = {
    "f.npy": np.zeros((2, 3), "f4"),
    "double.npy": np.zeros((2, 3), "f8"),
    "i.npy": np.zeros((2, 3), "i4"),
    "byte.npy": np.zeros((2, 3), "u1"),
    "short.npy": np.zeros((2, 3), "u2"),
    "bool.npy": np.zeros((2, 3), "?"),
    "brain.npy": np.zeros((2, 3), ml_dtypes.bfloat16),
    "square.npy": np.zeros((2, 2), "f4"),
    "deep.npy": np.zeros((4, 2, 3), "f4"),
    "none.npy": np.zeros((2, 0), "f4"),
    "long.npy": np.zeros((2, 1000), "f4"),
    "scalar.npy": np.zeros((), "f4"),
    "axes32.npy": np.array([0], "i4"),
    "axes2d.npy": np.array([[0]], "i8"),
    "axis.npy": np.array(0, "i8"),
    "axis5.npy": np.array([0, 5], "i8"),
    "axes65.npy": np.zeros(65, "i8"),
    "object.npy": np.array([None]),
    "bytes.npy": np.array([b"a"]),
    "string.npy": np.array(["a"]),
    "fields.npy": np.zeros(2, "i4,f4"),
    "complex.npy": np.zeros(2, "c8"),
    "date.npy": np.zeros(2, "M8[s]"),
    "time.npy": np.zeros(2, "m8[s]"),
    "raw1.npy": np.zeros(2, "V1"),
    "raw4.npy": np.zeros(2, "V4"),
}


def npy(header, data=b"", version=b"\1\0"):
    return b"\x93NUMPY" + version + (118).to_bytes(2, "little") + header.ljust(117) + b"\n" + data


GOOD = npy(b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", bytes(24))
DATA = {
    "empty": b"",
    "cut": GOOD[:-1],
    "headeronly": GOOD[:128],
    "halfheader": GOOD[:50],
    "magic": GOOD[:6],
    "start": GOOD[:3],
    "more": GOOD + b"\0",
    "lying": GOOD.replace(b"(2, 3)", b"(2, 4)"),
    "negative": GOOD.replace(b"(2, 3)", b"(2,-3)"),
    "huge": GOOD.replace(b"(2, 3)", b"(9999999999, 9999999999)"),
    "code": GOOD.replace(b"(2, 3)", b"exit()"),
    "missingkey": npy(b"{'descr': '<f4', 'shape': ()}"),
    "longdouble": GOOD.replace(b"<f4", b"<f16"),
    "escape": GOOD.replace(b"<f4", b"\x1b[1m"),
    "version9": GOOD[:6] + b"\x09\0" + GOOD[8:],
    "oversized": GOOD[:6] + b"\2\0" + (10001).to_bytes(4, "little") + b" " * 10001,
    "endless": GOOD[:6] + b"\2\0\xff\xff\xff\xff",
    "text": b"1 2 3\n",
    "zeros": bytes(100),
    "noise": bytes(range(256)),
    "page": b"<!DOCTYPE html>",
    "pointer": b"version https://git-lfs.github.com/spec/v1\n",
    "pickle": b"\x80\x04K\x01.",
    "zip": b"PK\3\4abc",
}

TRANSCRIPT = r"""
$ min f.npy double.npy
error: Min-13 needs one element type for all inputs
  f.npy is float, double.npy is double
  hint: convert one of them first: mincli never promotes
$ min i.npy i.npy f.npy
error: Min-13 needs one element type for all inputs
  i.npy is int32, f.npy is float
  hint: convert one of them first: mincli never promotes
$ min brain.npy short.npy
error: Min-13 needs one element type for all inputs
  brain.npy is bfloat16, short.npy is uint16
  hint: convert one of them first: mincli never promotes
$ min i.npy i.npy --opset 8
error: Min-8 does not accept int32 (i.npy)
  Min-8 (opset 8 to 11) accepts float16, float, double
  hint: int32 is accepted from Min-12 on: use --opset 12 or newer
$ min brain.npy --opset 12
error: Min-12 does not accept bfloat16 (brain.npy)
  Min-12 (opset 12) accepts uint16, int16, uint8, int8, uint32, uint64, int32, int64, float16, float, double
  hint: bfloat16 is accepted from Min-13 on: use --opset 13 or newer
$ min bool.npy bool.npy --opset 7
error: Min-6 does not accept bool (bool.npy)
  Min-6 (opset 6 to 7) accepts float16, float, double
  hint: no version of Min accepts bool; for a logical minimum use And
$ min complex.npy --opset 1
error: Min-1 does not accept complex64 (complex.npy)
  Min-1 (opset 1 to 5) accepts float16, float, double
  hint: no version of Min accepts complex64
$ min i.npy i.npy --spec onednn
error: oneDNN Minimum does not accept int32 (i.npy)
  oneDNN Minimum accepts float, bfloat16, float16
  hint: oneDNN has no other version of Minimum; --spec onnx takes more types
$ min raw1.npy raw1.npy --dtype float8e4m3fn --spec onednn
error: oneDNN Minimum does not accept float8e4m3fn (raw1.npy)
  oneDNN Minimum accepts float, bfloat16, float16
  hint: oneDNN has no other version of Minimum; --spec onnx takes more types
$ reduce-min short.npy --opset 1
error: ReduceMin-1 does not accept uint16 (short.npy)
  ReduceMin-1 (opset 1 to 10) accepts uint32, uint64, int32, int64, float16, float, double
  hint: no version of ReduceMin accepts uint16
$ reduce-min byte.npy --opset 11
error: ReduceMin-11 does not accept uint8 (byte.npy)
  ReduceMin-11 (opset 11) accepts uint32, uint64, int32, int64, float16, float, double
  hint: uint8 is accepted from ReduceMin-12 on: use --opset 12 or newer
$ reduce-min bool.npy --opset 19
error: ReduceMin-18 does not accept bool (bool.npy)
  ReduceMin-18 (opset 18 to 19) accepts bfloat16, uint8, int8, uint32, uint64, int32, int64, float16, float, double
  hint: bool is accepted from ReduceMin-20 on: use --opset 20 or newer
$ reduce-min double.npy --spec onednn
error: oneDNN ReduceMin does not accept double (double.npy)
  oneDNN ReduceMin accepts float, bfloat16, float16
  hint: oneDNN has no other version of ReduceMin; --spec onnx takes more types
$ min object.npy
error: object.npy holds Python objects (pickled; mincli never unpickles), and not numbers or booleans
$ min bytes.npy
error: bytes.npy holds byte strings, and not numbers or booleans
$ min string.npy
error: string.npy holds strings, and not numbers or booleans
$ min fields.npy
error: fields.npy holds structured elements
  hint: save each field as an array of its own
$ min date.npy
error: date.npy holds dates (datetime64), and not numbers or booleans
$ min time.npy
error: time.npy holds time differences (timedelta64), and not numbers or booleans
$ min longdouble
error: longdouble: the element type '<f16' is none of ONNX's
  longdouble has no ONNX type
$ min raw4.npy
error: raw4.npy holds raw elements of 4 bytes
  a .npy file cannot say which ONNX type they are
  hint: say their ONNX type with --dtype
$ min raw4.npy --dtype int8
error: raw4.npy holds raw elements of 4 bytes, but int8 has 1
$ min f.npy square.npy
error: the shapes do not broadcast
  f.npy       2 x 3
  square.npy  2 x 2
                  ^ 3 and 2 differ, and neither is 1
$ min deep.npy f.npy square.npy
error: the shapes do not broadcast
  deep.npy    4 x 2 x 3
  square.npy      2 x 2
                      ^ 3 and 2 differ, and neither is 1
$ min f.npy long.npy --opset 8
error: the shapes do not broadcast
  f.npy     2 x    3
  long.npy  2 x 1000
                   ^ 3 and 1000 differ, and neither is 1
$ min square.npy none.npy --spec onednn
error: the shapes do not broadcast
  square.npy  2 x 2
  none.npy    2 x 0
                  ^ 2 and 0 differ, and neither is 1
$ min f.npy deep.npy --opset 1
error: Min-1 needs equal shapes
  f.npy         2 x 3
  deep.npy  4 x 2 x 3
  hint: broadcasting is allowed from Min-8 on: use --opset 8 or newer
$ min f.npy f.npy scalar.npy --opset 6
error: Min-6 needs equal shapes
  f.npy       2 x 3
  scalar.npy  scalar
  hint: broadcasting is allowed from Min-8 on: use --opset 8 or newer
$ min f.npy deep.npy --spec onednn --auto-broadcast none
error: oneDNN Minimum needs equal shapes with auto_broadcast none
  f.npy         2 x 3
  deep.npy  4 x 2 x 3
  hint: --auto-broadcast numpy allows NumPy broadcasting
$ min f.npy --spec onednn
error: oneDNN Minimum takes exactly 2 inputs, not 1
$ min f.npy f.npy f.npy --spec onednn
error: oneDNN Minimum takes exactly 2 inputs, not 3
$ reduce-min f.npy --axes 2
error: ReduceMin-20: axis 2 is out of range
  axes are -2 to 1 at rank 2
$ reduce-min f.npy --axes -3
error: ReduceMin-20: axis -3 is out of range
  axes are -2 to 1 at rank 2
$ reduce-min scalar.npy --axes 0
error: ReduceMin-20: axis 0 is out of range
  an array of rank 0 has no axes
$ reduce-min f.npy --axes 0,0
error: ReduceMin-20: axis 0 is given twice (axes 0, 0, rank 2)
  the standard leaves repeated axes open; mincli refuses them
  hint: name each axis once
$ reduce-min f.npy --axes 1,-1 --opset 11
error: ReduceMin-11: axis 1 is given twice (axes 1, -1, rank 2)
  the standard leaves repeated axes open; mincli refuses them
  hint: name each axis once
$ reduce-min f.npy --axes -1 --opset 10
error: ReduceMin-1 does not accept the negative axis -1
  ReduceMin-1 (opset 1 to 10): axes are 0 to 1 at rank 2
  hint: negative axes are accepted from ReduceMin-11 on: use --opset 11 or newer
$ reduce-min f.npy --axes @axes32.npy
error: axes32.npy: axes are int32 of shape 1
  axes must be an int64 vector
$ reduce-min f.npy --axes @f.npy
error: f.npy: axes are float of shape 2 x 3
  axes must be an int64 vector
$ reduce-min f.npy --axes @axes2d.npy
error: axes2d.npy: axes are int64 of shape 1 x 1
  axes must be an int64 vector
$ reduce-min f.npy --axes @axis.npy
error: axis.npy: axes are int64 of shape scalar
  axes must be an int64 vector
$ reduce-min f.npy --axes @axis5.npy
error: ReduceMin-20: axis 5 is out of range
  axes are -2 to 1 at rank 2
$ reduce-min f.npy --axes @axes65.npy
error: axes65.npy holds 65 axes, more than an array can have
$ reduce-min f.npy --axes @missing.npy
error: missing.npy does not exist
$ reduce-min f.npy --noop-with-empty-axes --opset 13
error: ReduceMin-13 has no attribute noop_with_empty_axes
  its attributes: axes, keepdims
  hint: ReduceMin-18 introduced it: use --opset 18 or newer
$ reduce-min f.npy --noop-with-empty-axes --spec onednn
error: oneDNN ReduceMin has no attribute noop_with_empty_axes
  its attributes: axes, keep_dims
$ min f.npy missing.npy
error: missing.npy does not exist
$ min missing.npz:x
error: missing.npz:x does not exist
$ min f.npy:x
error: f.npy:x: only .npz and .safetensors files have members
  it looks like a .npy file
$ min .
error: . is a folder
  hint: name a file in it
$ min f.npy f.npy/x
error: f.npy/x cannot be read: Not a directory
$ min empty
error: empty is no array
  it looks like an empty file
  hint: inputs are .npy, .npz, .safetensors or TensorProto .pb files
$ reduce-min cut
error: cut is truncated
  float of shape 2 x 3 needs 24 bytes; 23 follow the header
$ min headeronly
error: headeronly is truncated
  float of shape 2 x 3 needs 24 bytes; 0 follow the header
$ min halfheader
error: halfheader is truncated: it ends within the .npy header
$ min magic
error: magic is a truncated .npy file
$ min start
error: start is a truncated .npy file
$ min more
error: more: more data follows the array
  float of shape 2 x 3 needs 24 bytes; 25 follow the header
$ min f.npy lying
error: lying is truncated
  float of shape 2 x 4 needs 32 bytes; 24 follow the header
$ min negative
error: negative: the .npy header is malformed
  "{'descr': '<f4', 'fortran_order': False, 'shape': (2,-3), }"
$ min code
error: code: the .npy header is malformed
  "{'descr': '<f4', 'fortran_order': False, 'shape': exit(), }"
$ min missingkey
error: missingkey: the .npy header is malformed
  "{'descr': '<f4', 'shape': ()}"
$ min escape
error: escape: unknown element type '\x1b[1m'
$ min version9
error: version9: .npy version 9.0 is unknown
  known: 1.0, 2.0, 3.0
$ min oversized
error: oversized: the .npy header claims 10001 bytes
  at most 10000 are read; an array of plain elements needs about 100
$ min endless
error: endless: the .npy header claims 4294967295 bytes
  at most 10000 are read; an array of plain elements needs about 100
$ min text
error: text is no array
  it looks like text
  hint: inputs are .npy, .npz, .safetensors or TensorProto .pb files
$ min zeros
error: zeros is no array
  it looks like zeros
  hint: inputs are .npy, .npz, .safetensors or TensorProto .pb files
$ min noise
error: noise is no array
  it looks like unknown binary data
  hint: inputs are .npy, .npz, .safetensors or TensorProto .pb files
$ min page
error: page is no array
  it looks like an HTML page
  hint: inputs are .npy, .npz, .safetensors or TensorProto .pb files
$ min pointer
error: pointer is no array
  it looks like a git-lfs pointer: the file itself was not fetched (git lfs pull)
  hint: inputs are .npy, .npz, .safetensors or TensorProto .pb files
$ min pickle
error: pickle is no array
  it looks like a Python pickle
  hint: inputs are .npy, .npz, .safetensors or TensorProto .pb files
$ min zip
error: zip: damaged or unsupported zip archive: File is not a zip file
"""
CASES = [tuple(case.split("\n", 1)) for case in re.split(r"^\$ ", TRANSCRIPT, flags=re.M)[1:]]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A folder of all bad files."""
    folder = tmp_path_factory.mktemp("shelf")
    for name, array in ARRAYS.items():
        np.save(folder / name, array)
    for name, data in DATA.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize(("command", "stderr"), CASES, ids=[command for command, _ in CASES])
def test_refused_and_nothing_left_behind(command, stderr, shelf, monkeypatch):
    monkeypatch.chdir(shelf)
    before = sorted(os.listdir())
    assert run(*command.split(), "-o", "out.npy") == (3, b"", stderr)
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("a\x1b[31m.npy", r"a\x1b[31m.npy", id="escape-sequence"),
        pytest.param("a\nb.npy", r"a\nb.npy", id="newline"),
        pytest.param("\r\t\x07", r"\r\t\x07", id="controls"),
        pytest.param("a\u202eb", r"a\u202eb", id="right-to-left"),
        pytest.param("\udcff.npy", r"\udcff.npy", id="undecodable"),
        pytest.param("[red]ü.npy", "[red]ü.npy", id="markup-is-no-markup"),
    ],
)
def test_names_are_shown_escaped(name, shown):
    assert run("min", name) == (3, b"", f"error: {shown} does not exist\n")
    np.save("two.npz", np.zeros(2))
    Path(name).mkdir()
    assert run("min", name) == (3, b"", f"error: {shown} is a folder\n  hint: name a file in it\n")
    np.save("a.npy", np.zeros(2))
    assert run("min", "a.npy", "-o", name) == (5, b"", f"error: {shown} is a folder\n  hint: name the file to write\n")


def test_names_inside_files_are_shown_escaped():
    np.savez("two.npz", **{"a\x1b[31m": np.zeros(2), "b\n": np.zeros(2)})
    assert run("min", "two.npz") == (
        3, b"", "error: two.npz holds 2 arrays\n  it holds a\\x1b[31m, b\\n\n  hint: name one: two.npz:a\\x1b[31m\n"
    )  # fmt: skip
    header = b'{"\\u001b[31m":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}'
    Path("x.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    outcome = run("min", "x.safetensors")
    assert (outcome.code, outcome.stdout) == (3, b"")
    assert outcome.stderr.startswith(
        "error: x.safetensors: the safetensors header does not fit the file\n  \\x1b[31m: "
    )


def test_too_little_memory_is_a_usage_error(shelf, monkeypatch):
    monkeypatch.chdir(shelf)
    code, stdout, stderr = run("reduce-min", "f.npy", "--max-memory", "1", "-o", "out.npy")
    assert (code, stdout) == (2, b"")
    least = re.fullmatch(r"error: --max-memory 1 is too little\n  hint: give at least (\d+) bytes\n", stderr)[1]
    assert run("reduce-min", "f.npy", "--max-memory", least, "-o", "out.npy") == (0, b"", "")
    assert run("reduce-min", "f.npy", "--max-memory", str(int(least) - 1), "-o", "out.npy").code == 2


@pytest.mark.parametrize(
    ("output", "message"),
    [
        pytest.param(
            "no/out.npy",
            "no/out.npy cannot be written: there is no folder {folder}/no\n  hint: make it first: mkdir -p {folder}/no",
            id="no-folder",
        ),
        pytest.param("f.npy/out.npy", "f.npy/out.npy cannot be written: Not a directory", id="below-a-file"),
        pytest.param(".", ". is a folder\n  hint: name the file to write", id="folder"),
        pytest.param("/dev/full", "/dev/full cannot be written: No space left on device", id="full"),
    ],
)
def test_output_that_cannot_be_written(output, message):
    np.save("f.npy", np.zeros((2, 3), "f4"))
    before = sorted(os.listdir())
    for command in ("min", "reduce-min"):
        assert run(command, "f.npy", "-o", output) == (5, b"", f"error: {message.format(folder=os.getcwd())}\n")
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize("output", ["no/", ""])
def test_an_output_that_names_no_file_is_refused(output):
    np.save("f.npy", np.zeros((2, 3), "f4"))
    outcome = run("min", "f.npy", "-o", output)
    assert (outcome.code, outcome.stdout) == (5, b"")
    assert os.listdir() == ["f.npy"]


def test_an_old_output_survives_an_error():
    np.save("f.npy", np.zeros((2, 3), "f4"))
    Path("out.npy").write_bytes(b"old")
    for command in ("min f.npy missing.npy", "reduce-min f.npy --axes 7"):
        assert run(*command.split(), "-o", "out.npy").code == 3
    assert Path("out.npy").read_bytes() == b"old"
