"""`mincli reduce-min`: each option, by what it changes."""

import json
import os
import re

import numpy as np
import onnx
import pytest

from tests.cli.runner import run, spawn

COLUMNS = b"[[1. 2. 3.]]\n"
ROWS = b"[[1.]\n [2.]]\n"
COPY = b"[[1. 5. 3.]\n [4. 2. 6.]]\n"

pytestmark = pytest.mark.usefixtures("arrays")


@pytest.mark.parametrize(
    ("arguments", "stdout"),
    [
        pytest.param([], b"1.0\n", id="all-axes"),
        pytest.param(["--axes", "0"], COLUMNS, id="axis-0"),
        pytest.param(["--axes", "1"], ROWS, id="axis-1"),
        pytest.param(["--axes=-1"], ROWS, id="negative-axis"),
        pytest.param(["--axes", "-2"], COLUMNS, id="negative-axis-as-a-word"),
        pytest.param(["--axes", "0,-1"], b"1.0\n", id="both-axes"),
        pytest.param(["--axes", "@axes.npy"], COLUMNS, id="axes-in-a-file"),
        pytest.param(["--axes", ""], b"1.0\n", id="empty-axes"),
        pytest.param(["--axes", "", "--opset", "13"], b"1.0\n", id="empty-axes-at-13"),
        pytest.param(["--axes", "@none.npy"], b"1.0\n", id="empty-axes-in-a-file"),
        pytest.param(["--axes", "", "--noop-with-empty-axes"], COPY, id="noop"),
        pytest.param(["--noop-with-empty-axes"], COPY, id="noop-without-axes"),
        pytest.param(["--noop-with-empty-axes", "--axes", "0"], COLUMNS, id="noop-with-axes"),
        pytest.param(["--noop-with-empty-axes", "--opset", "18"], COPY, id="noop-at-18"),
        pytest.param(["--axes", "1", "--keepdims"], ROWS, id="keepdims"),
        pytest.param(["--axes", "1", "--no-keepdims"], b"[1. 2.]\n", id="no-keepdims"),
        pytest.param(["--axes", "1", "--opset", "1"], ROWS, id="opset-1"),
        pytest.param(["--axes", "-1", "--opset", "11"], ROWS, id="opset-11"),
        pytest.param(["--axes", "-1", "--opset", "28"], ROWS, id="opset-28"),
        pytest.param(["--spec", "onnx"], b"1.0\n", id="onnx"),
        pytest.param(["--spec", "onednn"], COPY, id="onednn-without-axes"),
        pytest.param(["--spec", "onednn", "--axes", ""], COPY, id="onednn-empty-axes"),
        pytest.param(["--spec", "onednn", "--axes", "-1"], ROWS, id="onednn-axes"),
        pytest.param(["--axes", "0", "-j", "1"], COLUMNS, id="j"),
        pytest.param(["--axes", "0", "--threads", "2"], COLUMNS, id="threads"),
        pytest.param(["--axes", "0", "--max-memory", "64"], COLUMNS, id="max-memory"),
        pytest.param(["-q"], b"1.0\n", id="q"),
        pytest.param(["--quiet"], b"1.0\n", id="quiet"),
    ],
)
def test_result_on_stdout(arguments, stdout):
    np.save("axes.npy", np.array([0], "i8"))
    np.save("none.npy", np.array([], "i8"))
    assert run("reduce-min", "a.npy", *arguments) == (0, stdout, "")


@pytest.mark.parametrize(
    ("values", "arguments", "stdout"),
    [
        pytest.param(np.zeros((0,), "f4"), [], b"inf\n", id="float"),
        pytest.param(np.zeros((0,), "f2"), [], b"inf\n", id="float16"),
        pytest.param(np.zeros((0,), "V2"), [], b"inf\n", id="bfloat16"),
        pytest.param(np.zeros((0,), "i8"), [], b"9223372036854775807\n", id="int64"),
        pytest.param(np.zeros((0,), "u8"), [], b"18446744073709551615\n", id="uint64"),
        pytest.param(np.zeros((0,), "i1"), [], b"127\n", id="int8"),
        pytest.param(np.zeros((0,), "?"), [], b"True\n", id="bool"),
        pytest.param(np.zeros((0,), "i4"), ["--opset", "1"], b"2147483647\n", id="opset-1"),
        pytest.param(np.zeros((2, 0), "u4"), ["--axes", "1"], b"[[4294967295]\n [4294967295]]\n", id="axis"),
        pytest.param(np.zeros((2, 0), "u4"), ["--axes", "0"], b"[]\n", id="other-axis"),
    ],
)
def test_the_minimum_of_nothing(values, arguments, stdout):
    np.save("empty.npy", values)
    assert run("reduce-min", "empty.npy", *arguments) == (0, stdout, "")


@pytest.mark.parametrize("option", ["-o", "--output"])
@pytest.mark.parametrize(
    ("keepdims", "shape"),
    [pytest.param("--keepdims", (2, 1), id="keep"), pytest.param("--no-keepdims", (2,), id="drop")],
)
def test_output(option, keepdims, shape):
    assert run("reduce-min", "a.npy", "--axes", "1", keepdims, option, "out.npy") == (0, b"", "")
    result = np.load("out.npy")
    assert (result.dtype, result.shape, result.tolist()) == (np.float32, shape, np.reshape([1.0, 2.0], shape).tolist())


def test_a_pb_output_is_a_tensor_proto():
    assert run("reduce-min", "a.npy", "--no-keepdims", "-o", "out.pb") == (0, b"", "")
    tensor = onnx.load_tensor("out.pb")
    assert (tensor.data_type, list(tensor.dims)) == (onnx.TensorProto.FLOAT, [])
    assert tensor.raw_data == np.float32(1).tobytes()


def test_a_dash_as_output_gives_the_bytes_that_numpy_saves():
    np.save("expected.npy", np.array([1, 2, 3], "f4"))
    with open("expected.npy", "rb") as file:
        expected = file.read()
    assert spawn("reduce-min", "a.npy", "--axes", "0", "--no-keepdims", "-o", "-") == (0, expected, "")


def test_the_output_may_be_the_input():
    assert run("reduce-min", "a.npy", "--axes", "0", "-o", "a.npy") == (0, b"", "")
    assert np.load("a.npy").tolist() == [[1.0, 2.0, 3.0]]


@pytest.mark.parametrize("option", ["-n", "--no-clobber"])
def test_no_clobber(option):
    message = "error: b.npy exists\n  hint: without --no-clobber it is replaced\n"
    assert run("reduce-min", "a.npy", option, "-o", "b.npy") == (5, b"", message)
    assert np.load("b.npy").tolist() == [[2.0, 2.0, 2.0], [5.0, 1.0, 7.0]]


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        pytest.param([], "ReduceMin-20 (opset 20 and newer), axes 0,1, keepdims true", id="all"),
        pytest.param(["--opset", "19"], "ReduceMin-18 (opset 18 to 19), axes 0,1, keepdims true", id="opset"),
        pytest.param(["--axes", "-1"], "ReduceMin-20 (opset 20 and newer), axes 1, keepdims true", id="axes"),
        pytest.param(
            ["--no-keepdims"], "ReduceMin-20 (opset 20 and newer), axes 0,1, keepdims false", id="no-keepdims"
        ),
        pytest.param(
            ["--noop-with-empty-axes"], "ReduceMin-20 (opset 20 and newer), axes none, keepdims true", id="noop"
        ),
        pytest.param(["--spec", "onednn"], "oneDNN ReduceMin, axes none, keepdims true", id="onednn"),
    ],
)
def test_dry_run_names_the_version_and_its_attributes(arguments, title):
    assert run("reduce-min", "a.npy", "--dry-run", *arguments).text.splitlines()[0] == title


def test_dry_run_shows_the_plan_and_writes_nothing():
    before = sorted(os.listdir())
    outcome = run("reduce-min", "a.npy", "--axes", "0", "--dry-run", "-o", "out.npy")
    *facts, work = outcome.text.splitlines()
    assert (outcome.code, outcome.stderr) == (0, "")
    assert facts == [
        "ReduceMin-20 (opset 20 and newer), axes 0, keepdims true",
        "    a.npy    float  2 x 3  C order",
        "->  out.npy  float  1 x 3  12 bytes",
    ]
    assert re.sub(r"\d+ bytes of buffers", "N bytes of buffers", work) == (
        "dry run: 36 bytes to read and write, 1 thread, N bytes of buffers; nothing was written"
    )
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize("option", ["-v", "--verbose"])
def test_verbose_shows_the_summary_and_counts_nan(option):
    np.save("nan.npy", np.array([[1, np.nan], [np.nan, 3], [2, 4]], "f4"))
    outcome = run("reduce-min", "nan.npy", "--axes", "1", option, "-o", "out.npy")
    *facts, speed, nan = outcome.stderr.splitlines()
    assert (outcome.code, outcome.stdout) == (0, b"")
    assert facts == [
        "ReduceMin-20 (opset 20 and newer), axes 1, keepdims true",
        "    nan.npy  float  3 x 2  C order",
        "->  out.npy  float  3 x 1  12 bytes",
    ]
    assert speed.startswith("36 bytes read and written in ")
    assert nan == "2 elements of the result are NaN"


def test_threads_and_memory_bound_the_plan():
    np.save("big.npy", np.zeros((1 << 10, 1 << 10), "f4"))
    command = ("reduce-min", "big.npy", "--axes", "0", "--dry-run", "--json", "-o", "x")
    assert json.loads(run(*command, "-j", "3").text)["threads"] == 3
    assert json.loads(run(*command, "-j", "1").text)["threads"] == 1
    bounded = json.loads(run(*command, "--max-memory", "100KB").text)
    assert 0 < bounded["memory"] <= 100_000


@pytest.mark.parametrize(
    ("arguments", "stdout"),
    [
        pytest.param([], b"-2.0\n", id="bfloat16"),
        pytest.param(["--dtype", "int8"], None, id="wrong-size"),
        pytest.param(["--dtype", "float16"], b"-2.0\n", id="float16"),
    ],
)
def test_dtype_of_raw_elements(arguments, stdout):
    np.save("raw.npy", np.array([0x3F80, 0xC000], "u2").view("V2"))
    refused = (3, b"", "error: raw.npy holds raw elements of 2 bytes, but int8 has 1\n")
    assert run("reduce-min", "raw.npy", *arguments) == ((0, stdout, "") if stdout else refused)
