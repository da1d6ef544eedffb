"""Bad input: the exact exit code and message, and nothing left behind."""

import os
import shlex

import ml_dtypes
import numpy as np
import pytest

from tests.cli.runner import run

ARRAYS = {
    "f.npy": np.zeros((2, 3), "f4"),
    "d.npy": np.zeros((2, 3), "f8"),
    "i.npy": np.zeros((2, 3), "i4"),
    "u8.npy": np.zeros((2, 3), "u1"),
    "u16.npy": np.zeros((2, 3), "u2"),
    "bool.npy": np.zeros((2, 3), "?"),
    "brain.npy": np.zeros((2, 3), ml_dtypes.bfloat16),
    "square.npy": np.zeros((2, 2), "f4"),
    "deep.npy": np.zeros((4, 2, 3), "f4"),
    "none.npy": np.zeros((2, 0), "f4"),
    "long.npy": np.zeros((2, 1000), "f4"),
    "scalar.npy": np.zeros((), "f4"),
    "axes32.npy": np.array([0], "i4"),
    "axes-table.npy": np.array([[0]], "i8"),
    "axis.npy": np.array(0, "i8"),
    "axes-5.npy": np.array([0, 5], "i8"),
    "axes-65.npy": np.zeros(65, "i8"),
    "object.npy": np.array([None]),
    "bytes.npy": np.array([b"a"]),
    "string.npy": np.array(["a"]),
    "fields.npy": np.zeros(2, "i4,f4"),
    "complex.npy": np.zeros(2, "c8"),
    "date.npy": np.zeros(2, "M8[s]"),
    "time.npy": np.zeros(2, "m8[s]"),
    "longdouble.npy": np.zeros(2, np.longdouble),
    "raw1.npy": np.zeros(2, "V1"),
    "raw4.npy": np.zeros(2, "V4"),
}

MIN_13 = (
    "Min-13 (opset 13 and newer) accepts bfloat16, uint16, int16, uint8, int8, uint32, uint64, int32, int64, "
    "float16, float, double"
)
RAW = ".npy has no name for float8 and other types, so it cannot say which they are"
TWICE = "the standard leaves repeated axes open; mincli refuses them"


def refused(command, *lines, id):
    """Return a case: what `mincli COMMAND -o out.npy` writes after `error: `."""
    return pytest.param(command, "\n  ".join(lines), id=id)


TYPES = [
    refused(
        "min f.npy d.npy",
        "Min-13 needs one element type for all inputs",
        "f.npy is float, d.npy is double",
        "hint: convert one of them first: mincli never promotes",
        id="mixed-floats",
    ),
    refused(
        "min i.npy i.npy f.npy",
        "Min-13 needs one element type for all inputs",
        "i.npy is int32, f.npy is float",
        "hint: convert one of them first: mincli never promotes",
        id="mixed-at-the-third-input",
    ),
    refused(
        "min brain.npy u16.npy",
        "Min-13 needs one element type for all inputs",
        "brain.npy is bfloat16, u16.npy is uint16",
        "hint: convert one of them first: mincli never promotes",
        id="mixed-of-one-size",
    ),
    refused(
        "min i.npy i.npy --opset 8",
        "Min-8 does not accept int32 (i.npy)",
        "Min-8 (opset 8 to 11) accepts float16, float, double",
        "hint: int32 is accepted from Min-12 on: use --opset 12 or newer",
        id="integers-before-12",
    ),
    refused(
        "min brain.npy --opset 12",
        "Min-12 does not accept bfloat16 (brain.npy)",
        "Min-12 (opset 12) accepts uint16, int16, uint8, int8, uint32, uint64, int32, int64, float16, float, double",
        "hint: bfloat16 is accepted from Min-13 on: use --opset 13 or newer",
        id="bfloat16-before-13",
    ),
    refused(
        "min bool.npy bool.npy",
        "Min-13 does not accept bool (bool.npy)",
        MIN_13,
        "hint: no version of Min accepts bool; for a logical minimum use And",
        id="bool",
    ),
    refused(
        "min i.npy i.npy --spec onednn",
        "oneDNN Minimum does not accept int32 (i.npy)",
        "oneDNN Minimum accepts float, bfloat16, float16",
        "hint: no version of Minimum accepts int32",
        id="onednn-integers",
    ),
    refused(
        "reduce-min u16.npy",
        "ReduceMin-20 does not accept uint16 (u16.npy)",
        "ReduceMin-20 (opset 20 and newer) accepts bool, bfloat16, uint8, int8, uint32, uint64, int32, int64, "
        "float16, float, double",
        "hint: no version of ReduceMin accepts uint16",
        id="reduce-uint16",
    ),
    refused(
        "reduce-min u8.npy --opset 11",
        "ReduceMin-11 does not accept uint8 (u8.npy)",
        "ReduceMin-11 (opset 11) accepts uint32, uint64, int32, int64, float16, float, double",
        "hint: uint8 is accepted from ReduceMin-12 on: use --opset 12 or newer",
        id="reduce-uint8-before-12",
    ),
    refused(
        "reduce-min bool.npy --opset 19",
        "ReduceMin-18 does not accept bool (bool.npy)",
        "ReduceMin-18 (opset 18 to 19) accepts bfloat16, uint8, int8, uint32, uint64, int32, int64, "
        "float16, float, double",
        "hint: bool is accepted from ReduceMin-20 on: use --opset 20 or newer",
        id="reduce-bool-before-20",
    ),
    refused(
        "reduce-min d.npy --spec onednn",
        "oneDNN ReduceMin does not accept double (d.npy)",
        "oneDNN ReduceMin accepts float, bfloat16, float16",
        "hint: no version of ReduceMin accepts double",
        id="onednn-double",
    ),
    refused(
        "min object.npy",
        "object.npy holds Python objects (pickled; mincli never unpickles), which the minimum operators do not take",
        id="object",
    ),
    refused(
        "min bytes.npy", "bytes.npy holds byte strings, which the minimum operators do not take", id="byte-strings"
    ),
    refused("min string.npy", "string.npy holds strings, which the minimum operators do not take", id="strings"),
    refused(
        "min fields.npy",
        "fields.npy holds structured elements",
        "hint: save each field as an array of its own",
        id="structured",
    ),
    refused(
        "min complex.npy",
        "Min-13 does not accept complex64 (complex.npy)",
        MIN_13,
        "hint: no version of Min accepts complex64",
        id="complex",
    ),
    refused(
        "min date.npy", "date.npy holds dates (datetime64), which the minimum operators do not take", id="datetime"
    ),
    refused(
        "min time.npy",
        "time.npy holds time differences (timedelta64), which the minimum operators do not take",
        id="timedelta",
    ),
    refused(
        "min longdouble.npy",
        f"longdouble.npy: the element type {np.dtype(np.longdouble).str!r} is none of ONNX's",
        "longdouble has no ONNX type",
        id="longdouble",
    ),
    refused(
        "min raw1.npy",
        "raw1.npy holds raw elements of 1 bytes",
        RAW,
        "hint: say their ONNX type with --dtype",
        id="raw-of-one-byte",
    ),
    refused(
        "min raw1.npy --dtype float8e4m3fn",
        "Min-13 does not accept float8e4m3fn (raw1.npy)",
        MIN_13,
        "hint: no version of Min accepts float8e4m3fn",
        id="float8",
    ),
    refused("min raw4.npy --dtype int8", "raw4.npy holds raw elements of 4 bytes, but int8 has 1", id="dtype-size"),
]

SHAPES = [
    refused(
        "min f.npy square.npy",
        "the shapes do not broadcast",
        "f.npy       2 x 3",
        "square.npy  2 x 2",
        "                ^ 3 and 2 differ, and neither is 1",
        id="last-axis",
    ),
    refused(
        "min deep.npy f.npy square.npy",
        "the shapes do not broadcast",
        "deep.npy    4 x 2 x 3",
        "square.npy      2 x 2",
        "                    ^ 3 and 2 differ, and neither is 1",
        id="third-input",
    ),
    refused(
        "min f.npy long.npy --opset 8",
        "the shapes do not broadcast",
        "f.npy     2 x    3",
        "long.npy  2 x 1000",
        "                 ^ 3 and 1000 differ, and neither is 1",
        id="wide-sizes",
    ),
    refused(
        "min square.npy none.npy",
        "the shapes do not broadcast",
        "square.npy  2 x 2",
        "none.npy    2 x 0",
        "                ^ 2 and 0 differ, and neither is 1",
        id="zero-with-two",
    ),
    refused(
        "min f.npy deep.npy --opset 1",
        "Min-1 needs equal shapes",
        "f.npy         2 x 3",
        "deep.npy  4 x 2 x 3",
        "hint: broadcasting is allowed from Min-8 on: use --opset 8 or newer",
        id="opset-1",
    ),
    refused(
        "min f.npy f.npy scalar.npy --opset 6",
        "Min-6 needs equal shapes",
        "f.npy       2 x 3",
        "scalar.npy  scalar",
        "hint: broadcasting is allowed from Min-8 on: use --opset 8 or newer",
        id="opset-6",
    ),
    refused(
        "min f.npy deep.npy --spec onednn --auto-broadcast none",
        "oneDNN Minimum needs equal shapes with auto_broadcast none",
        "f.npy         2 x 3",
        "deep.npy  4 x 2 x 3",
        "hint: --auto-broadcast numpy allows NumPy broadcasting",
        id="auto-broadcast-none",
    ),
    refused("min f.npy --spec onednn", "oneDNN Minimum takes exactly 2 inputs, not 1", id="onednn-one-input"),
    refused(
        "min f.npy f.npy f.npy --spec onednn", "oneDNN Minimum takes exactly 2 inputs, not 3", id="onednn-three-inputs"
    ),
]

AXES = [
    refused(
        "reduce-min f.npy --axes 2",
        "ReduceMin-20: axis 2 is out of range",
        "axes are -2 to 1 at rank 2",
        id="too-great",
    ),
    refused(
        "reduce-min f.npy --axes -3",
        "ReduceMin-20: axis -3 is out of range",
        "axes are -2 to 1 at rank 2",
        id="too-small",
    ),
    refused(
        "reduce-min scalar.npy --axes 0",
        "ReduceMin-20: axis 0 is out of range",
        "an array of rank 0 has no axes",
        id="rank-0",
    ),
    refused(
        "reduce-min f.npy --axes 0,0",
        "ReduceMin-20: axis 0 is given twice (axes 0, 0, rank 2)",
        TWICE,
        "hint: name each axis once",
        id="repeated",
    ),
    refused(
        "reduce-min f.npy --axes 1,-1 --opset 11",
        "ReduceMin-11: axis 1 is given twice (axes 1, -1, rank 2)",
        TWICE,
        "hint: name each axis once",
        id="the-same-from-both-ends",
    ),
    refused(
        "reduce-min f.npy --axes -1 --opset 10",
        "ReduceMin-1 does not accept the negative axis -1",
        "ReduceMin-1 (opset 1 to 10): axes are 0 to 1 at rank 2",
        "hint: negative axes are accepted from ReduceMin-11 on: use --opset 11 or newer",
        id="negative-before-11",
    ),
    refused(
        "reduce-min f.npy --axes @axes32.npy",
        "axes32.npy: axes are int32 of shape 1",
        "axes must be an int64 vector",
        id="file-of-int32",
    ),
    refused(
        "reduce-min f.npy --axes @f.npy",
        "f.npy: axes are float of shape 2 x 3",
        "axes must be an int64 vector",
        id="file-of-floats",
    ),
    refused(
        "reduce-min f.npy --axes @axes-table.npy",
        "axes-table.npy: axes are int64 of shape 1 x 1",
        "axes must be an int64 vector",
        id="file-of-rank-2",
    ),
    refused(
        "reduce-min f.npy --axes @axis.npy",
        "axis.npy: axes are int64 of shape scalar",
        "axes must be an int64 vector",
        id="file-of-rank-0",
    ),
    refused(
        "reduce-min f.npy --axes @axes-5.npy",
        "ReduceMin-20: axis 5 is out of range",
        "axes are -2 to 1 at rank 2",
        id="file-out-of-range",
    ),
    refused(
        "reduce-min f.npy --axes @axes-65.npy",
        "axes-65.npy holds 65 axes, more than an array can have",
        id="file-of-too-many",
    ),
    refused("reduce-min f.npy --axes @missing.npy", "missing.npy does not exist", id="file-missing"),
    refused(
        "reduce-min f.npy --noop-with-empty-axes --opset 13",
        "ReduceMin-13 has no attribute noop_with_empty_axes",
        "its attributes are axes, keepdims",
        "hint: ReduceMin-18 introduced it: use --opset 18 or newer",
        id="noop-before-18",
    ),
    refused(
        "reduce-min f.npy --noop-with-empty-axes --spec onednn",
        "oneDNN ReduceMin has no attribute noop_with_empty_axes",
        "its attributes are axes, keep_dims",
        id="noop-of-onednn",
    ),
]

PLACES = [
    refused("min missing.npy", "missing.npy does not exist", id="missing"),
    refused("min f.npy missing.npy", "missing.npy does not exist", id="second-missing"),
    refused("min missing.npz:x", "missing.npz:x does not exist", id="missing-archive"),
    refused(
        "min f.npy:x",
        "f.npy:x: only .npz and .safetensors files have members",
        "it looks like a .npy file",
        id="member-of-npy",
    ),
    refused("min .", ". is a folder", "hint: name a file in it", id="folder"),
    refused("min f.npy/x", "f.npy/x cannot be read: Not a directory", id="below-a-file"),
    refused("reduce-min $'a\\e[31m\\n.npy'", r"a\x1b[31m\n.npy does not exist", id="control-characters"),
    refused("reduce-min $'\\xff.npy'", r"\udcff.npy does not exist", id="undecodable"),
]


@pytest.mark.parametrize(("command", "message"), [*TYPES, *SHAPES, *AXES, *PLACES])
def test_refused(command, message):
    arguments = [_unquoted(word) for word in shlex.split(command)]
    for name in {word.removeprefix("@").partition(":")[0].partition("/")[0] for word in arguments} & ARRAYS.keys():
        np.save(name, ARRAYS[name], allow_pickle=name == "object.npy")
    before = sorted(os.listdir())
    assert run(*arguments, "-o", "out.npy") == (3, b"", f"error: {message}\n")
    assert sorted(os.listdir()) == before
