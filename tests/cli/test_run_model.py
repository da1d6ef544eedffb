"""`mincli run-model`: what it prints, for people and for programs, and how it ends."""

import json
import os
import re
import shlex

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import mincli
from mincli.cli.run_model import ENGINES
from mincli.errors import EngineError
from mincli.models import engines
from tests.cli.runner import on_terminal, run, spawn
from tests.models.graphs import MARGIN, proto

X = [[3, 1, 4], [1, 5, 9]]
Y = [[2, 7, 1], [8, 2, 8]]
"""Of X - Y, [[1, -6, 3], [-7, 3, 1]], two elements have no square root."""


@pytest.fixture(autouse=True)
def _files(_folder):
    onnx.save(proto(MARGIN), "m.onnx")
    np.save("x.npy", np.array(X, "f4"))
    np.save("y.npy", np.array(Y, "f4"))
    np.save("zero.npy", np.zeros((2, 3), "f4"))
    np.save("margin.npy", np.array([1, 1.5], "f4"))


def lines(*arguments, code=0):
    """Return the lines that a run prints, which must end with the code and be silent on stderr."""
    outcome = run("run-model", *arguments)
    assert (outcome.code, outcome.stderr) == (code, "")
    return outcome.text.splitlines()


def document(*arguments, code=0):
    """Return the JSON document of a run, which must be strict JSON in ASCII."""

    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    outcome = run("run-model", *arguments, "--json")
    assert (outcome.code, outcome.stderr) == (code, "")
    return json.loads(outcome.stdout.decode("ascii"), parse_constant=refuse)


def write_set(folder, margin):
    os.makedirs(folder)
    for name, array in {
        "input_0": X,
        "input_1": np.zeros((2, 3)),
        "output_0": np.zeros((2, 3)),
        "output_1": margin,
    }.items():
        onnx.save_tensor(numpy_helper.from_array(np.array(array, "f4")), f"{folder}/{name}.pb")


def test_the_choices_are_the_engines():
    assert ENGINES == engines.ENGINES


def test_a_table_of_outputs():
    assert lines("m.onnx", "x.npy", "y=y.npy") == [
        "lower   float  2 x 3  [[2. 1. 1.] [1. 2. 8.]]",
        "margin  float  2      [nan nan]",
    ]


def test_outputs_in_a_folder():
    assert lines("m.onnx", "x.npy", "zero.npy", "-o", "out") == [
        "lower   float  2 x 3  -> out/lower.npy",
        "margin  float  2      -> out/margin.npy",
    ]
    assert np.load("out/margin.npy").tolist() == [1, 1]


def test_outputs_in_an_archive():
    assert lines("m.onnx", "x.npy", "zero.npy", "-o", "out.npz")[1] == "margin  float  2      -> out.npz:margin"
    with np.load("out.npz") as archive:
        assert archive["margin"].tolist() == [1, 1]
    assert lines("m.onnx", "x.npy", "zero.npy", "--expect", "out.npz")[2:] == [
        "lower is the same as expected: float[2, 3]",
        "margin is the same as expected: float[2]",
    ]


def constants(*values):
    """Save a model `c.onnx` that has values as its outputs."""
    names = [f"c{number}" for number in range(len(values))]
    nodes = [
        helper.make_node("Constant", [], [name], value=numpy_helper.from_array(value))
        for name, value in zip(names, values, strict=True)
    ]
    outputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in zip(names, values, strict=True)
    ]
    opsets = [helper.make_opsetid("", 23)]
    model = helper.make_model(helper.make_graph(nodes, "c", [], outputs), opset_imports=opsets, ir_version=11)
    onnx.save(model, "c.onnx")


VALUES = [
    (np.array(0.1, "f4"), "c0  float  scalar  0.1", 0.1),
    (np.array([0.1, 2], "f8"), "c0  double  2  [0.1 2.]", [0.1, 2.0]),
    (np.array([1.5, np.inf], ml_dtypes.bfloat16), "c0  bfloat16  2  [1.5 inf]", [1.5, "inf"]),
    (np.array([2**63 - 1], "i8"), "c0  int64  1  9223372036854775807", [2**63 - 1]),
    (np.array([True, False]), "c0  bool  2  [True False]", [True, False]),
    (np.array([-8, 7], ml_dtypes.int4), "c0  int4  2  [-8 7]", [-8, 7]),
    (np.array([0.5, -448], ml_dtypes.float8_e4m3fn), "c0  float8e4m3fn  2  [0.5 -448.]", [0.5, -448.0]),
    (np.array([1 + 2j], "c8"), "c0  complex64  1  [1.+2.j]", ["(1+2j)"]),
    (np.array(["ä\x1b", "b"], object), "c0  string  2  ['ä\\x1b', 'b']", ["ä\x1b", "b"]),
    (np.zeros((0, 3), "f4"), "c0  float  0 x 3  []", []),
    (np.zeros(17, "f4"), "c0  float  17", [0.0] * 17),
    (np.zeros(1001, "i1"), "c0  int8  1001", None),
]


@pytest.mark.parametrize(("value", "line", "values"), VALUES, ids=[line for _, line, _ in VALUES])
def test_values_of_every_kind(value, line, values):
    constants(value)
    assert lines("c.onnx") == [line]
    (output,) = document("c.onnx")["runs"][0]["outputs"]
    assert output == {
        "name": "c0",
        "type": line.split()[1],
        "shape": list(value.shape),
        "file": None,
        "values": values,
    }


@pytest.mark.parametrize("value", [value for value, *_ in VALUES[:9]], ids=[line for _, line, _ in VALUES[:9]])
def test_outputs_of_every_kind_can_be_expected(value):
    constants(value)
    assert lines("c.onnx", "-o", "out")[0].endswith("-> out/c0.npy")
    assert lines("c.onnx", "--expect", "out")[1].startswith("c0 is the same as expected: ")


def test_names_are_made_safe_and_shown_safely():
    value = helper.make_tensor_value_info("/a:[red]\x1b[31m/..", TensorProto.FLOAT, [])
    node = helper.make_node("Constant", [], [value.name], value_float=2.0)
    onnx.save(helper.make_model(helper.make_graph([node], "g", [], [value])), "n.onnx")
    assert lines("n.onnx") == ["/a:[red]\\x1b[31m/..  float  scalar  2.0"]
    assert lines("n.onnx", "-o", "out") == ["/a:[red]\\x1b[31m/..  float  scalar  -> out/_a__red___31m_...npy"]
    assert os.listdir("out") == ["_a__red___31m_...npy"]
    assert not run("run-model", "n.onnx", "--expect", "out").code


def test_sequences_and_optionals():
    onnx.save(
        onnx.parser.parse_model(
            '<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (seq(float[2]) s, seq(float) e)'
            " { s = SequenceConstruct (x, x) e = SequenceEmpty () }"
        ),
        "s.onnx",
    )
    np.save("two.npy", np.array([1, 2], "f4"))
    assert lines("s.onnx", "two.npy") == ["s  sequence  2 elements", "e  sequence  0 elements"]
    assert lines("s.onnx", "two.npy", "-o", "out") == [
        "s  sequence  2 elements  -> out/s.pb",
        "e  sequence  0 elements  -> out/e.pb",
    ]
    assert lines("s.onnx", "two.npy", "--expect", "out")[2:] == [
        "s[0] is the same as expected: float[2]",
        "s[1] is the same as expected: float[2]",
        "e is the same as expected: sequence of 0",
    ]
    assert document("s.onnx", "two.npy")["runs"][0]["outputs"][0] == {
        "name": "s", "type": "sequence", "shape": None, "file": None, "values": [[1.0, 2.0], [1.0, 2.0]],
    }  # fmt: skip


def test_what_is_the_same():
    np.save("lower.npy", np.array([[0, 0, 0], [0, 0, 5e-8]], "f4"))
    assert lines("m.onnx", "x.npy", "zero.npy", "--expect", "lower=lower.npy")[2:] == [
        "lower is the same as expected: float[2, 3], greatest difference 5e-08 at [1, 2], relative 1 at [1, 2], "
        "ULP 861323157 at [1, 2]"
    ]


def test_what_differs():
    command = ("m.onnx", "x.npy", "zero.npy", "--expect", "margin=margin.npy")
    assert lines(*command, code=1)[2:] == [
        "margin differs from expected: 1 of 2 elements",
        "  absolute  0.5 at [1]",
        "  relative  0.333333 at [1]",
        "  ULP       4194304 at [1]",
        "  finite    1 equal, 1 differ by up to 1",
        "reproduce with: mincli run-model m.onnx x.npy zero.npy --expect margin=margin.npy",
    ]
    assert lines(*command, "--atol", "0.5")[2:] == [
        "margin is the same as expected: float[2], greatest difference 0.5 at [1], relative 0.333333 at [1], "
        "ULP 4194304 at [1]"
    ]
    assert run("run-model", *command, "--max-ulp", "4194303").code == 1
    assert run("run-model", *command, "--max-ulp", "4194304").code == 0


def test_nan_and_infinity_on_one_side():
    np.save("margin.npy", np.array([1, np.inf], "f4"))
    assert lines("m.onnx", "x.npy", "y.npy", "--expect", "margin=margin.npy", code=1)[2:4] == [
        "margin differs from expected: 2 of 2 elements",
        "  NaN       2 on one side only",
    ]
    assert lines("m.onnx", "x.npy", "zero.npy", "--expect", "margin=margin.npy", code=1)[2:5] == [
        "margin differs from expected: 1 of 2 elements",
        "  infinite  1 on one side only, or of another sign",
        "  finite    1 equal",
    ]


def test_another_type_differs():
    np.save("margin.npy", np.zeros(3, "f8"))
    assert lines("m.onnx", "x.npy", "zero.npy", "--expect", "margin=margin.npy", code=1)[2:] == [
        "margin differs from expected: it is float[2], and should be double[3]",
        "reproduce with: mincli run-model m.onnx x.npy zero.npy --expect margin=margin.npy",
    ]


def test_test_data():
    write_set("data/test_data_set_0", [1, 1])
    write_set("data/test_data_set_1", [1, 2])
    assert lines("m.onnx", "--test-data", "data", code=1) == [
        "test_data_set_0: lower is the same as expected: float[2, 3]",
        "test_data_set_0: margin is the same as expected: float[2]",
        "test_data_set_1: lower is the same as expected: float[2, 3]",
        "test_data_set_1: margin differs from expected: 1 of 2 elements",
        "  absolute  1 at [1]",
        "  relative  0.5 at [1]",
        "  ULP       8388608 at [1]",
        "  finite    1 equal, 1 differ by up to 1",
        "test_data_set_1: reproduce with: mincli run-model m.onnx --test-data data/test_data_set_1",
        "1 of 2 sets are the same",
    ]
    assert lines("m.onnx", "--test-data", "data/test_data_set_1", code=1)[-1] == (
        "test_data_set_1: reproduce with: mincli run-model m.onnx --test-data data/test_data_set_1"
    )
    assert lines("m.onnx", "--test-data", "data/test_data_set_0")[-1] == (
        "test_data_set_0: margin is the same as expected: float[2]"
    )


def test_the_command_that_is_printed_reproduces_the_difference():
    np.save("a margin.npy", np.array([1, 1.5], "f4"))
    os.rename("m.onnx", "a\x1bm's.onnx")
    command = ("a\x1bm's.onnx", "--random", "--seed", "7", "--dim", "rows=2", "--input-shape", "x:2,3")
    printed = lines(*command, "--expect", "margin=a margin.npy", "--rtol", "0.5", "--atol", "0", code=1)[-1]
    assert printed == (
        "reproduce with: mincli run-model $'a\\x1bm\\'s.onnx' --expect 'margin=a margin.npy' --rtol 0.5 --atol 0.0 "
        "--random --seed 7 --dim rows=2 --input-shape x:2,3"
    )
    os.rename("a\x1bm's.onnx", "m.onnx")
    again = shlex.split(printed.partition("run-model ")[2].replace("$'a\\x1bm\\'s.onnx'", "m.onnx"))
    assert lines(*again, code=1)[-1] == printed.replace("$'a\\x1bm\\'s.onnx'", "m.onnx")


class Zeros:
    """An engine whose every value is zero."""

    def __init__(self, model):
        self.model = model

    def run(self, feeds, *, everything=False, observer=None):
        shape = feeds["x"].shape
        inner = {"gap": np.zeros(shape, "f4"), "root": np.zeros(shape, "f4")} if everything else {}
        return {"lower": np.zeros(shape, "f4"), "margin": np.zeros(shape[:1], "f4")} | inner


@pytest.fixture
def zeros(monkeypatch):
    prepare = engines.prepare
    monkeypatch.setattr(
        engines, "prepare", lambda model, name: Zeros(model) if name == "onnxruntime" else prepare(model, name)
    )


@pytest.mark.usefixtures("zeros")
def test_comparing_engines():
    printed = lines("m.onnx", "x.npy", "zero.npy", "--compare", "onnxruntime", code=1)
    assert printed[2:4] == [
        "lower is the same as onnxruntime: float[2, 3]",
        "margin differs from onnxruntime: 2 of 2 elements",
    ]
    assert printed[-1] == "reproduce with: mincli run-model m.onnx x.npy zero.npy --compare onnxruntime"


@pytest.mark.usefixtures("zeros")
def test_the_first_tensor_that_differs_is_named():
    command = ("m.onnx", "x.npy", "zero.npy", "--compare", "onnxruntime", "--save-intermediates", "all")
    printed = lines(*command, code=1)
    assert [line for line in printed if "onnxruntime:" in line] == [
        "lower is the same as onnxruntime: float[2, 3]",
        "margin differs from onnxruntime: 2 of 2 elements",
        "gap differs from onnxruntime: 6 of 6 elements",
        "root differs from onnxruntime: 6 of 6 elements",
    ]
    assert "the first that differs is gap, of node 1 (Sub)" in printed
    assert document(*command, code=1)["runs"][0]["first_difference"] == [
        {"against": "onnxruntime", "name": "gap", "node": "node 1 (Sub)"}
    ]


@pytest.mark.usefixtures("zeros")
def test_another_engine_alone():
    assert lines("m.onnx", "x.npy", "y.npy", "--engine", "onnxruntime")[1] == "margin  float  2      [0. 0.]"
    assert lines("m.onnx", "x.npy", "zero.npy", "--engine", "onnxruntime", "--compare", "reference", code=1)[-1] == (
        "reproduce with: mincli run-model m.onnx x.npy zero.npy --engine onnxruntime --compare reference"
    )


@pytest.fixture
def crashing(monkeypatch):
    class Crashing(Zeros):
        def run(self, feeds, **_):
            raise EngineError("onnxruntime crashed", details=["signal 11"])

    prepare = engines.prepare
    monkeypatch.setattr(
        engines, "prepare", lambda model, name: Crashing(model) if name == "onnxruntime" else prepare(model, name)
    )


@pytest.mark.usefixtures("crashing")
def test_another_engine_that_fails_is_a_result():
    command = ("run-model", "m.onnx", "x.npy", "zero.npy", "--compare", "onnxruntime", "-o", "out")
    outcome = run(*command)
    assert outcome.code == 4
    assert outcome.text.splitlines()[1:] == [
        "margin  float  2      -> out/margin.npy",
        "not compared with onnxruntime",
    ]
    assert outcome.stderr == "error: onnxruntime crashed\n  signal 11\n"
    assert np.load("out/margin.npy").tolist() == [1, 1]
    facts = json.loads(run(*command, "--json").text)
    assert facts["runs"][0]["failure"] == "onnxruntime crashed\n  signal 11"
    assert facts["found"] is False


@pytest.mark.usefixtures("crashing")
def test_sets_that_another_engine_fails_on_are_not_the_same():
    write_set("data/test_data_set_0", [1, 1])
    write_set("data/test_data_set_1", [1, 2])
    command = ("run-model", "m.onnx", "--test-data", "data", "--compare", "onnxruntime")
    outcome = run(*command)
    assert outcome.code == 4
    assert outcome.text.splitlines() == [
        "test_data_set_0: lower is the same as expected: float[2, 3]",
        "test_data_set_0: margin is the same as expected: float[2]",
        "test_data_set_0: not compared with onnxruntime: onnxruntime crashed",
        "test_data_set_1: lower is the same as expected: float[2, 3]",
        "test_data_set_1: margin differs from expected: 1 of 2 elements",
        "  absolute  1 at [1]",
        "  relative  0.5 at [1]",
        "  ULP       8388608 at [1]",
        "  finite    1 equal, 1 differ by up to 1",
        "test_data_set_1: reproduce with: mincli run-model m.onnx --test-data data/test_data_set_1 "
        "--compare onnxruntime",
        "test_data_set_1: not compared with onnxruntime: onnxruntime crashed",
        "0 of 2 sets are the same",
    ]
    outcome = run(*command, "--json")
    assert (outcome.code, json.loads(outcome.text)["found"]) == (4, True)


OTHER_SHAPE = '<ir_version: 8, opset_import: ["" : 17]> g (float[2, 3] x) => (float[3] y) { y = Neg (x) }'
OTHER_TYPE = '<ir_version: 8, opset_import: ["" : 17]> g (float[2, 3] x) => (double[2, 3] y) { y = Neg (x) }'


def test_an_output_of_another_shape_than_declared_is_a_warning():
    note = "the output y has rank 2, not 1: the model declares float[3]"
    onnx.save(proto(OTHER_SHAPE), "o.onnx")
    assert run("run-model", "o.onnx", "zero.npy", "-q") == (
        0,
        b"y  float  2 x 3  [[-0. -0. -0.] [-0. -0. -0.]]\n",
        f"warning: {note}\n",
    )
    outcome = run("run-model", "o.onnx", "zero.npy", "--json")
    assert json.loads(outcome.text)["runs"][0]["notes"] == [note]


OTHER_SYMBOL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[n] x, float[n] w) => (float[n] z) <float[2] w = {1, 2}> { z = Concat <axis = 0> (x, w) }"""


def test_an_output_of_another_size_than_a_symbol_of_the_inputs_is_a_warning():
    onnx.save(proto(OTHER_SYMBOL), "o.onnx")
    np.save("two.npy", np.zeros(2, "f4"))
    assert run("run-model", "o.onnx", "two.npy", "-q") == (
        0,
        b"z  float  4  [0. 0. 1. 2.]\n",
        "warning: the dimension n is 2 in the input x (two.npy), and 4 in the output z: the model declares float[n]\n",
    )


def test_a_default_says_how_large_random_inputs_are():
    onnx.save(proto(OTHER_SYMBOL), "o.onnx")
    (value,) = json.loads(run("run-model", "o.onnx", "--random", "--json", "-q").text)["runs"][0]["inputs"]
    assert (value["name"], value["shape"]) == ("x", [2])
    assert run("run-model", "o.onnx", "--random", "--dim", "n=3") == (
        3,
        b"",
        "error: the dimension n is 3 in the input x, and 2 in the default of the input w\n"
        "  the model declares float[n]\n",
    )


def test_a_difference_behind_a_random_node_is_said_to_be_no_fault():
    text = '<ir_version: 8, opset_import: ["" : 17]> g () => (float[2] y) { y = RandomNormal <shape = [2]> () }'
    onnx.save(proto(text), "r.onnx")
    np.save("two.npy", np.full(2, 100, "f4"))
    outcome = run("run-model", "r.onnx", "--expect", "y=two.npy", "-q")
    assert (outcome.code, outcome.stderr) == (
        1,
        "warning: node 0 (RandomNormal) is random: a difference from expected in y is no sign of a fault\n",
    )


def test_an_output_of_another_type_than_declared_is_refused():
    onnx.save(proto(OTHER_TYPE), "o.onnx")
    message = "error: the output y is float[2, 3]\n  the model declares double[2, 3]\n"
    assert run("run-model", "o.onnx", "zero.npy", "-o", "out") == (3, b"", message)
    assert not os.path.exists("out")


def test_statistics():
    assert lines("m.onnx", "x.npy", "y.npy", "--stats")[2:] == [
        "tensor  type   shape  min  max      mean       NaN  Inf  made by",
        "x       float  2 x 3  1    9        3.83333    0    0    input",
        "y       float  2 x 3  1    8        4.66667    0    0    input",
        "lower   float  2 x 3  1    8        2.5        0    0    node 0 (Min low)",
        "gap     float  2 x 3  -7   3        -0.833333  0    0    node 1 (Sub)",
        "root    float  2 x 3  1    1.73205  1.36603    2    0    node 2 (Sqrt root)",
        "margin  float  2      -    -        -          2    0    node 3 (ReduceMin least)",
    ]


def test_statistics_of_sets_say_which():
    write_set("data/test_data_set_0", [1, 1])
    assert "test_data_set_0: gap     float  2 x 3  1    9    3.83333  0    0    node 1 (Sub)" in lines(
        "m.onnx", "--test-data", "data", "--stats"
    )


def test_a_progress_bar_on_a_terminal():
    program = "import sys; from mincli.cli import progress, group; progress.AFTER_SECONDS = -1; group.run(sys.argv[1:])"
    command = ("run-model", "m.onnx", "x.npy", "zero.npy")
    code, stdout, shown = on_terminal(*command, program=("-c", program))
    assert (code, stdout.splitlines()[1]) == (0, b"margin  float  2      [1. 1.]")
    assert "100%" in shown
    assert "100%" not in on_terminal(*command, "-q", program=("-c", program)).stderr


def test_fail_on_nan():
    assert lines("m.onnx", "x.npy", "y.npy", "--fail-on-nan", code=1)[2:] == [
        "node 2 (Sqrt root) makes 2 NaN out of finite inputs: root, the first at [0, 1]"
    ]
    assert lines("m.onnx", "x.npy", "zero.npy", "--fail-on-nan")[2:] == [
        "no node makes NaN or infinity out of finite inputs"
    ]


def test_profile():
    printed = lines("m.onnx", "x.npy", "y.npy", "--profile")[2:]
    assert [re.split("  +", line)[:2] for line in printed[:1] + sorted(printed[1:5])] == [
        ["operator", "calls"],
        ["Min", "1"],
        ["ReduceMin", "1"],
        ["Sqrt", "1"],
        ["Sub", "1"],
    ]
    assert sorted(re.split("  +", line)[0] for line in printed[5:]) == [
        "node",
        "node 0 (Min low)",
        "node 1 (Sub)",
        "node 2 (Sqrt root)",
        "node 3 (ReduceMin least)",
    ]


def test_intermediates_and_case():
    printed = lines("m.onnx", "x.npy", "zero.npy", "--save-intermediates", "all", "--save-case", "case")
    assert printed[2:] == [
        "->  lower   all/lower.npy",
        "->  margin  all/margin.npy",
        "->  gap     all/gap.npy",
        "->  root    all/root.npy",
        "case: case/test_data_set_0/input_0.pb",
        "case: case/test_data_set_0/input_1.pb",
        "case: case/test_data_set_0/output_0.pb",
        "case: case/test_data_set_0/output_1.pb",
        "case: case/model.onnx",
    ]
    assert run("run-model", "case/model.onnx", "--test-data", "case").code == 0


SUMMARY = [
    "m.onnx: IR version 7, opset 13, 4 nodes",
    "  x  float  2 x 3  x.npy",
    "  y  float  2 x 3  random, seed 0",
    "reference, TIME s",
]


def summary(outcome):
    return re.sub(r"\d+\.\d+ s", "TIME s", outcome.stderr).splitlines()


def test_a_summary():
    assert summary(run("run-model", "m.onnx", "x.npy", "--random", "-v")) == SUMMARY
    assert summary(run("run-model", "m.onnx", "x.npy", "--random", terminal=True)) == SUMMARY
    assert summary(run("run-model", "m.onnx", "x.npy", "--random", "-q", terminal=True)) == []


def test_colours_are_for_terminals():
    command = ("run-model", "m.onnx", "x.npy", "zero.npy", "--expect", "margin=margin.npy")
    assert b"\x1b" not in spawn(*command).stdout
    assert b"\x1b" not in on_terminal(*command).stdout  # stdout is a pipe
    coloured = run("--color", "always", *command).text
    assert "margin \x1b[31mdiffers from expected\x1b[0m: 1 of 2 elements" in coloured


def test_the_document():
    np.save("margin.npy", np.array([1, np.inf], "f4"))
    command = ("m.onnx", "x.npy", "y=zero.npy", "--expect", "margin=margin.npy", "--stats", "--profile")
    facts = document(*command, "-o", "out", code=1)
    (only,) = facts.pop("runs")
    assert facts == {
        "mincli": mincli.__version__,
        "model": {"path": "m.onnx", "ir_version": 7, "opsets": {"ai.onnx": 13}, "nodes": 4},
        "engine": "reference",
        "compare": None,
        "tolerance": {"rtol": 0.001, "atol": 1e-07, "max_ulp": None},
        "intermediates": None,
        "case": None,
        "found": True,
    }
    assert only.pop("seconds") > 0
    profile = only.pop("profile")
    assert sorted(row["name"] for row in profile["operators"]) == ["Min", "ReduceMin", "Sqrt", "Sub"]
    assert {row["calls"] for row in profile["nodes"]} == {1}
    stats = only.pop("stats")
    assert stats[3] == {
        "name": "gap", "maker": "node 1 (Sub)", "element": "float", "shape": [2, 3],
        "minimum": 1.0, "maximum": 9.0, "mean": 23 / 6, "nan": 0, "inf": 0,
    }  # fmt: skip
    assert only == {
        "set": None,
        "inputs": [
            {"name": "x", "type": "float", "shape": [2, 3], "file": "x.npy"},
            {"name": "y", "type": "float", "shape": [2, 3], "file": "zero.npy"},
        ],
        "outputs": [
            {"name": "lower", "type": "float", "shape": [2, 3], "file": "out/lower.npy", "values": [[0.0] * 3] * 2},
            {"name": "margin", "type": "float", "shape": [2], "file": "out/margin.npy", "values": [1.0, 1.0]},
        ],
        "comparisons": [
            {
                "against": "expected",
                "name": "margin",
                "got": "float[2]",
                "want": "float[2]",
                "same": False,
                "count": 2,
                "mismatches": 1,
                "nan_mismatches": 0,
                "inf_mismatches": 1,
                "mismatch_at": [1],
                "absolute": None,
                "relative": None,
                "ulp": None,
                "histogram": [{"up_to": 0.0, "count": 1}],
            }
        ],
        "first_difference": [{"against": "expected", "name": "margin", "node": "node 3 (ReduceMin least)"}],
        "notes": [],
        "failure": None,
        "reproduce": "mincli run-model m.onnx x.npy y=zero.npy --expect margin=margin.npy",
        "non_finite": None,
    }


def test_the_document_without_anything_to_say():
    (only,) = document("m.onnx", "x.npy", "zero.npy")["runs"]
    assert (only["comparisons"], only["first_difference"]) == ([], [])
    assert {only[key] for key in ("reproduce", "stats", "non_finite", "profile")} == {None}


def test_the_document_of_a_nan():
    (only,) = document("m.onnx", "x.npy", "y.npy", "--fail-on-nan", code=1)["runs"]
    assert only["non_finite"] == {"node": "node 2 (Sqrt root)", "name": "root", "nan": 2, "inf": 0, "place": [0, 1]}
    assert only["outputs"][1]["values"] == ["nan", "nan"]
    assert only["reproduce"] == "mincli run-model m.onnx x.npy y.npy --fail-on-nan"


def test_an_input_from_standard_input():
    with open("x.npy", "rb") as stdin:
        outcome = spawn("run-model", "m.onnx", "-", "zero.npy", stdin=stdin)
    assert (outcome.code, outcome.text.splitlines()[1], outcome.stderr) == (0, "margin  float  2      [1. 1.]", "")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_size_below_0_is_any_size(engine):
    model = proto('<ir_version: 10, opset_import: ["" : 21]> g (float[-1, 3] x) => (float[-1, 3] y) { y = Neg (x) }')
    onnx.save(model, "negative.onnx")
    assert lines("negative.onnx", "x.npy", "--engine", engine) == ["y  float  2 x 3  [[-3. -1. -4.] [-1. -5. -9.]]"]
    assert lines("negative.onnx", "--random", "--input-shape", "x:0,3", "--engine", engine) == ["y  float  0 x 3  []"]
