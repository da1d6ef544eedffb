"""`mincli min`: each option, by what it changes."""

import json
import os
import re

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from safetensors.numpy import save_file

from tests.cli.runner import run, spawn

BOTH = b"[[1. 2. 2.]\n [4. 1. 6.]]\n"
WITH_ROW = b"[[1. 0. 3.]\n [3. 0. 3.]]\n"
BYTES = np.array([[1, 2, 2], [4, 1, 6]], "f4").tobytes()

pytestmark = pytest.mark.usefixtures("arrays")


@pytest.mark.parametrize(
    ("arguments", "stdout"),
    [
        pytest.param("a.npy", b"[[1. 5. 3.]\n [4. 2. 6.]]\n", id="one-input"),
        pytest.param("a.npy b.npy", BOTH, id="two-inputs"),
        pytest.param("a.npy row.npy", WITH_ROW, id="broadcast"),
        pytest.param("a.npy b.npy row.npy", b"[[1. 0. 2.]\n [3. 0. 3.]]\n", id="three-inputs"),
        pytest.param("a.npy a.npy", b"[[1. 5. 3.]\n [4. 2. 6.]]\n", id="the-same-twice"),
        pytest.param("a.npy b.npy --opset 1", BOTH, id="opset-1"),
        pytest.param("a.npy row.npy --opset 8", WITH_ROW, id="opset-8"),
        pytest.param("a.npy row.npy --opset 28", WITH_ROW, id="opset-28"),
        pytest.param("a.npy b.npy --spec onnx", BOTH, id="onnx"),
        pytest.param("a.npy row.npy --spec onednn", WITH_ROW, id="onednn"),
        pytest.param("a.npy row.npy --spec onednn --auto-broadcast numpy", WITH_ROW, id="auto-broadcast-numpy"),
        pytest.param("a.npy b.npy --spec onednn --auto-broadcast none", BOTH, id="auto-broadcast-none"),
        pytest.param("a.npy b.npy -j 1", BOTH, id="j"),
        pytest.param("a.npy b.npy --threads 2", BOTH, id="threads"),
        pytest.param("a.npy b.npy --max-memory 1K", BOTH, id="max-memory"),
        pytest.param("a.npy b.npy -q", BOTH, id="q"),
        pytest.param("a.npy b.npy --quiet", BOTH, id="quiet"),
        pytest.param("--opset 8 a.npy -q b.npy", BOTH, id="options-first"),
        pytest.param("a.npy -- b.npy", BOTH, id="end-of-options"),
    ],
)
def test_result_on_stdout(arguments, stdout):
    assert run("min", *arguments.split()) == (0, stdout, "")


@pytest.mark.parametrize("option", ["-o", "--output"])
@pytest.mark.parametrize("name", ["out.npy", "out", "out.bin", "out.npz", "out.pb.npy", "out.PB"])
def test_output_goes_exactly_there(option, name):
    before = set(os.listdir())
    assert run("min", "a.npy", "b.npy", option, name) == (0, b"", "")
    assert set(os.listdir()) - before == {name}
    result = np.load(name)
    assert (result.dtype, result.shape, result.tobytes()) == (np.float32, (2, 3), BYTES)


def test_a_pb_output_is_a_tensor_proto():
    assert run("min", "a.npy", "b.npy", "-o", "out.pb") == (0, b"", "")
    tensor = onnx.load_tensor("out.pb")
    assert (tensor.data_type, list(tensor.dims), tensor.raw_data) == (onnx.TensorProto.FLOAT, [2, 3], BYTES)


def test_a_dash_as_output_gives_the_bytes_that_numpy_saves():
    np.save("expected.npy", np.array([[1, 2, 2], [4, 1, 6]], "f4"))
    with open("expected.npy", "rb") as file:
        assert spawn("min", "a.npy", "b.npy", "-o", "-") == (0, file.read(), "")


def test_a_file_named_dash_is_written_by_its_path():
    assert run("min", "a.npy", "-o", "./-") == (0, b"", "")
    assert os.path.exists("-")


def test_the_output_may_be_an_input():
    assert run("min", "a.npy", "b.npy", "-o", "a.npy") == (0, b"", "")
    assert np.load("a.npy").tobytes() == BYTES


@pytest.mark.parametrize("option", ["-n", "--no-clobber"])
def test_no_clobber(option):
    assert run("min", "a.npy", option, "-o", "new.npy") == (0, b"", "")
    message = "error: b.npy exists\n  hint: without --no-clobber it is replaced\n"
    before = np.load("b.npy").tobytes()
    assert run("min", "a.npy", option, "-o", "b.npy") == (5, b"", message)
    assert np.load("b.npy").tobytes() == before


def test_dry_run_shows_the_plan_and_writes_nothing():
    before = sorted(os.listdir())
    outcome = run("min", "a.npy", "row.npy", "--opset", "8", "-o", "out.npy", "--dry-run")
    *facts, work = outcome.text.splitlines()
    assert (outcome.code, outcome.stderr) == (0, "")
    assert facts == [
        "Min-8 (opset 8 to 11)",
        "    a.npy    float  2 x 3  C order",
        "    row.npy  float      3  C order, broadcast along axis 0",
        "->  out.npy  float  2 x 3  24 bytes",
    ]
    assert re.sub(r"\d+ bytes of buffers", "N bytes of buffers", work) == (
        "dry run: 60 bytes to read and write, 1 thread, N bytes of buffers; nothing was written"
    )
    assert sorted(os.listdir()) == before


def test_dry_run_names_attributes():
    outcome = run("min", "a.npy", "b.npy", "--spec", "onednn", "--auto-broadcast", "none", "--dry-run")
    assert outcome.text.splitlines()[0] == "oneDNN Minimum, auto_broadcast none"


def test_dry_run_refuses_what_a_run_refuses():
    np.save("i.npy", np.array([1], "i4"))
    outcome = run("min", "i.npy", "--opset", "8", "--dry-run")
    assert (outcome.code, outcome.stdout) == (3, b"")


@pytest.mark.parametrize("option", ["-v", "--verbose"])
def test_verbose_shows_the_summary_and_where_elements_came_from(option):
    outcome = run("min", "a.npy", "b.npy", option, "-o", "out.npy")
    *facts, speed, first, second, nan = outcome.stderr.splitlines()
    assert (outcome.code, outcome.stdout) == (0, b"")
    assert facts == [
        "Min-13 (opset 13 and newer)",
        "    a.npy    float  2 x 3  C order",
        "    b.npy    float  2 x 3  C order",
        "->  out.npy  float  2 x 3  24 bytes",
    ]
    assert speed.startswith("72 bytes read and written in ")
    assert [first, second, nan] == [
        "3 elements from a.npy (50.0%)",
        "3 elements from b.npy (50.0%)",
        "0 elements of the result are NaN",
    ]


def test_threads_and_memory_bound_the_plan():
    np.save("big.npy", np.zeros(1 << 20, "f4"))
    command = ("min", "big.npy", "big.npy", "--dry-run", "--json")
    assert json.loads(run(*command, "-o", "x", "-j", "3").text)["threads"] == 3
    assert json.loads(run(*command, "-o", "x", "-j", "1").text)["threads"] == 1
    bounded = json.loads(run(*command, "-o", "x", "--max-memory", "100KB").text)
    assert 0 < bounded["memory"] <= 100_000


@pytest.mark.parametrize(
    ("dtype", "note", "stdout"),
    [
        pytest.param([], "raw two-byte elements, read as bfloat16", b"[1.0 -2.0]\n", id="bfloat16"),
        pytest.param(["--dtype", "float16"], "raw elements, read as float16", b"[ 1.875 -2.   ]\n", id="float16"),
        pytest.param(["--dtype", "int16"], "raw elements, read as int16", b"[ 16256 -16384]\n", id="int16"),
    ],
)
def test_dtype_of_raw_elements(dtype, note, stdout):
    np.save("raw.npy", np.array([0x3F80, 0xC000], "u2").view("V2"))
    outcome = run("min", "raw.npy", "-v", *dtype)
    assert (outcome.code, outcome.stdout) == (0, stdout)
    assert note in outcome.stderr


def test_bfloat16_round_trips():
    np.save("raw.npy", np.array([1.5, -2.5], ml_dtypes.bfloat16))
    assert run("min", "raw.npy", "-o", "out.npy") == (0, b"", "")
    with open("raw.npy", "rb") as raw, open("out.npy", "rb") as out:
        assert out.read() == raw.read()


def test_every_kind_of_input_file():
    values = np.array([[9, 0, 9], [9, 9, 0]], "f4")
    np.savez("x.npz", only=values)
    np.savez("xy.npz", x=values, y=values + 1)
    onnx.save_tensor(numpy_helper.from_array(values), "x.pb")
    save_file({"w": values}, "x.safetensors")
    for name in ("x.npz", "xy.npz:x", "x.pb", "x.safetensors:w"):
        assert run("min", "a.npy", name) == (0, b"[[1. 0. 3.]\n [4. 2. 0.]]\n", ""), name
    assert run("min", "a.npy", "xy.npz:y") == (0, b"[[1. 1. 3.]\n [4. 2. 1.]]\n", "")
