"""`run-model` refuses bad input with the exact exit code and message, before anything runs or is written."""

import os
import shlex
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.cli.runner import run
from tests.models.graphs import MARGIN, proto

HEADER = '<ir_version: 8, opset_import: ["" : 17, "own" : 1]>'
MODELS = {
    "m": MARGIN,
    "old": '<ir_version: 3, opset_import: ["" : 7]> g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}>'
    " { y = Add (x, w) }",
    "constant": f"{HEADER} g (float[2] x) => (float[2] y) <float[2] w = {{1, 2}}> {{ y = Add (x, w) }}",
    "operator": f"{HEADER} g (float[2] x) => (float[2] y) {{ [n] y = Nonsense (x) }}",
    "domain": '<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { [n] y = com.foo.Op (x) }',
    "unsorted": f"{HEADER} g (float[2] x) => (float[2] y) {{ y = Relu (z) z = Relu (x) }}",
    "cycle": f"{HEADER} g (float[2] x) => (float[2] y) {{ z = Relu (y) y = Relu (z) }}",
    "function": f"{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x) }}\n"
    '<domain: "own", opset_import: ["" : 17]> f (a) => (b) { [n] b = Nonsense (a) }',
    "min": '<ir_version: 8, opset_import: ["" : 8]> g (int32[2] x) => (int32[2] y) { [n] y = Min (x, x) }',
    "sparse": f"{HEADER} g (sparse_tensor(float[2]) s) => (float[2] y) {{ y = Identity (s) }}",
    "sequence": f"{HEADER} g (seq(float[2]) s) => (seq(float[2]) t) {{ t = Identity (s) }}",
}

CASES = r"""
$ missing.onnx
3 error: missing.onnx does not exist
$ -
3 error: - does not exist
  hint: a model on standard input is /dev/stdin
$ m.onnx
3 error: the input x is missing
  the model's inputs: x float[rows, cols], y float[rows, cols]
  hint: give it a file (x=FILE), or random values to all that are missing (--random)
$ m.onnx x.npy
3 error: the input y is missing
  the model's inputs: x float[rows, cols], y float[rows, cols]
  hint: give it a file (y=FILE), or random values to all that are missing (--random)
$ m.onnx x.npy x.npy x.npy
2 error: 3 files for 2 inputs: x.npy is one too many
  the model's inputs: x float[rows, cols], y float[rows, cols]
  hint: see mincli run-model --help
$ m.onnx x=x.npy x=x.npy
2 error: the input x is given twice
  hint: give each input once
$ m.onnx xx=x.npy y=x.npy
3 error: xx is no input of the model
  the model's inputs: x float[rows, cols], y float[rows, cols]
  hint: did you mean x?
$ m.onnx X=x.npy y=x.npy
3 error: X is no input of the model
  the model's inputs: x float[rows, cols], y float[rows, cols]
  hint: did you mean x?
$ m.onnx x.npy words.npy
3 error: words.npy holds strings, and not numbers or booleans
$ constant.onnx two.npy w=two.npy
3 error: w is a constant of the model, no input
  the model's inputs: x float[2]
  hint: to change it, make it an input of the graph as well
$ m.onnx x.npy missing.npy
3 error: missing.npy does not exist
$ m.onnx x.npy double.npy
3 error: the input y (double.npy) is double[2, 3]
  the model declares float[rows, cols]
$ m.onnx x.npy two.npy
3 error: the input y (two.npy) has rank 1, not 2
  the model declares float[rows, cols]
$ m.onnx x.npy wide.npy
3 error: the dimension cols is 3 in the input x (x.npy), and 4 in the input y (wide.npy)
  the model declares float[rows, cols]
$ old.onnx x.npy
3 error: the input x (x.npy) has rank 2, not 1
  the model declares float[2]
$ old.onnx three.npy
3 error: the input x (three.npy) has 3 elements along axis 0, not 2
  the model declares float[2]
$ sequence.onnx two.npy
3 error: two.npy is no SequenceProto
  it looks like a .npy file
$ sparse.onnx two.npy
4 error: the input s is declared sparse float
  inputs may be tensors, sequences, maps and optionals, not sparse tensors
  hint: declare it as a tensor: a model runs the same on a dense one
$ m.onnx x.npy y.npy --expect margn=x.npy
3 error: --expect: margn is no output of the model
  the model's outputs: lower float[rows, cols], margin float[rows]
  hint: did you mean margin?
$ m.onnx x.npy y.npy --expect margin=missing.npy
3 error: missing.npy does not exist
$ m.onnx x.npy y.npy --expect x.npy
3 error: --expect: x.npy is a file
  it takes NAME=FILE, or the folder or archive that -o wrote
  hint: write lower=x.npy
$ m.onnx x.npy y.npy --expect nothing
3 error: nothing has no file for the output lower
  it should be nothing/lower.npy or nothing/lower.pb
  hint: to compare some of the outputs, name them: --expect NAME=FILE
$ m.onnx --test-data nothing
3 error: nothing holds no test data
  sets are folders test_data_set_0, test_data_set_1, ... of input_0.pb, ..., output_0.pb, ...
$ m.onnx --test-data part
3 error: part is incomplete: it has no input_1.pb
  that is the input y, which has no default
$ m.onnx --random
2 error: the dimension rows of the input x is not known
  it is declared float[rows, cols]
  hint: give it: --dim rows=1
$ m.onnx --random --dim row=1
2 error: no input has a dimension called row
  the dimensions with a name: rows, cols
  hint: did you mean rows?
$ m.onnx x.npy --random --dim rows=5
3 error: the dimension rows is 2 in the input x (x.npy), and 5 in the input y
  the model declares float[rows, cols]
$ m.onnx x.npy --random --input-shape y:2
3 error: the input y has rank 1, not 2
  the model declares float[rows, cols]
$ m.onnx x.npy y.npy -o -
2 error: several outputs cannot go to standard output
  hint: name a folder or an .npz file
$ m.onnx x.npy y.npy -o x.npy
5 error: x.npy is no folder
  hint: name a folder, or an archive that ends in .npz
$ m.onnx x.npy y.npy --save-case part
5 error: the folder part is not empty
  hint: name a new folder
$ operator.onnx two.npy
4 error: node 0 (Nonsense n): opset 17 of ONNX has no operator Nonsense
$ domain.onnx two.npy
3 error: node 0 (Op n): no opset of the domain 'com.foo' is imported
$ unsorted.onnx two.npy
3 error: node 0 (Relu-14): its input z is made later, by node 1 (Relu)
  hint: sort the nodes
$ cycle.onnx two.npy
3 error: node 0 (Relu-14): node 0 (Relu) and node 1 (Relu) need each other's outputs
  hint: an earlier value may be meant by one of the names
$ function.onnx two.npy
4 error: function own:f > node 0 (Nonsense n): opset 17 of ONNX has no operator Nonsense
$ min.onnx ints.npy
3 error: node 0 (Min n): Min-8 does not accept int32 (x)
  Min-8 (opset 8 to 11) accepts float16, float, double
"""


def cases():
    for case in CASES.split("\n$ ")[1:]:
        command, _, rest = case.rstrip("\n").partition("\n")
        yield command, int(rest[0]), rest[2:] + "\n"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A folder of models, arrays and test data."""
    folder = tmp_path_factory.mktemp("shelf")
    for name, text in MODELS.items():
        onnx.save(proto(text), folder / f"{name}.onnx")
    shapes = {"x": (2, 3), "y": (2, 3), "two": 2, "three": 3, "wide": (2, 4)}
    for name, shape in shapes.items():
        np.save(folder / f"{name}.npy", np.zeros(shape, "f4"))
    np.save(folder / "words.npy", np.array(["a", "b"]))
    np.save(folder / "double.npy", np.zeros((2, 3)))
    np.save(folder / "ints.npy", np.zeros(2, "i4"))
    (folder / "nothing").mkdir()
    (folder / "part").mkdir()
    onnx.save_tensor(numpy_helper.from_array(np.zeros((2, 3), "f4")), folder / "part" / "input_0.pb")
    return folder


@pytest.mark.parametrize(("command", "code", "stderr"), list(cases()), ids=[command for command, *_ in cases()])
def test_refused_and_nothing_left_behind(command, code, stderr, shelf, monkeypatch):
    monkeypatch.chdir(shelf)
    before = sorted(os.listdir())
    assert run("run-model", *shlex.split(command)) == (code, b"", stderr)
    assert sorted(os.listdir()) == before


def test_a_path_that_exists_is_a_path_whatever_it_holds(shelf):
    """Beside the input x there is a file x=two.npy: with ./ in the path x=... is the input again."""
    np.save("x=two.npy", np.array([1, 2, 3], "f4"))
    np.save("two.npy", np.array([4, 5], "f4"))
    model = str(shelf / "old.onnx")
    assert run("run-model", model, "x=two.npy").stderr.splitlines()[0] == (
        "error: the input x (x=two.npy) has 3 elements along axis 0, not 2"
    )
    assert run("run-model", model, "x=./two.npy") == (0, b"y  float  2  [5. 7.]\n", "")
    assert run("run-model", model, "x=x=two.npy").stderr.splitlines()[0] == (
        "error: the input x (x=two.npy) has 3 elements along axis 0, not 2"
    )


FOREIGN = {
    b"": "an empty file",
    b"\x93NUMPY\1\0": "a .npy file",
    b"PK\3\4abc": "a zip archive",
    b"version https://git-lfs.github.com/spec/v1\n": "a git-lfs pointer",
    b"<!DOCTYPE html>": "an HTML page",
    b"\x80\x04K\x01.": "a Python pickle",
}


@pytest.mark.parametrize("content", FOREIGN, ids=FOREIGN.values())
def test_files_that_are_no_models(content):
    Path("f.onnx").write_bytes(content)
    outcome = run("run-model", "f.onnx")
    assert (outcome.code, outcome.stdout) == (3, b"")
    assert outcome.stderr.startswith("error: f.onnx is no ONNX model\n")
    assert f"it looks like {FOREIGN[content]}" in outcome.stderr


def test_a_truncated_model(shelf):
    Path("t.onnx").write_bytes((shelf / "m.onnx").read_bytes()[:-5])
    stderr = "error: t.onnx is no ONNX model\n  it begins like one, and is cut off or damaged\n"
    assert run("run-model", "t.onnx") == (3, b"", stderr)


def test_a_tensor_whose_data_and_shape_disagree(shelf):
    model = onnx.load(shelf / "constant.onnx")
    model.graph.initializer[0].dims[:] = [3]
    onnx.save(model, "d.onnx")
    outcome = run("run-model", "d.onnx", str(shelf / "two.npy"))
    assert outcome == (
        3,
        b"",
        "error: d.onnx: the data of the tensor w do not fit its shape: there are 2 entries\n"
        "  float[3] takes 3 entries\n",
    )


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"data_type": 10, "int32_data": [0, 70000]}, "the tensor w has 70000 in int32_data, which is no float16"),
        (
            {"data_type": 1, "float_data": [0, 1], "raw_data": bytes(8)},
            "the tensor w has elements in float_data and in raw_data",
        ),
        ({"data_type": 1}, "the data of the tensor w do not fit its shape: there are 0 entries"),
        ({"data_type": 99, "raw_data": bytes(8)}, "the tensor w has the element type 99, which is none"),
    ],
)
def test_malformed_tensors(fields, found, shelf):
    model = onnx.load(shelf / "constant.onnx")
    model.graph.initializer[0].CopyFrom(TensorProto(name="w", dims=[2], **fields))
    onnx.save(model, "d.onnx")
    outcome = run("run-model", "d.onnx", str(shelf / "two.npy"))
    assert (outcome.code, outcome.stdout) == (3, b"")
    assert outcome.stderr.splitlines()[0] == f"error: d.onnx: {found}"


def test_a_sparse_index_that_is_negative(shelf):
    model = onnx.load(shelf / "constant.onnx")
    del model.graph.initializer[:]
    sparse = model.graph.sparse_initializer.add(dims=[2])
    sparse.values.CopyFrom(helper.make_tensor("w", 1, [1], [1.0]))
    sparse.indices.CopyFrom(helper.make_tensor("i", 7, [1], [-1]))
    onnx.save(model, "d.onnx")
    assert run("run-model", "d.onnx", str(shelf / "two.npy")) == (
        3,
        b"",
        "error: d.onnx: the sparse tensor w has the index -1, which is outside the shape [2]\n",
    )


def external(location, **more):
    """Save a model `e.onnx` whose constant is in another file."""
    tensor = TensorProto(name="w", data_type=1, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in {"location": location, **more}.items():
        tensor.external_data.add(key=key, value=value)
    output = helper.make_tensor_value_info("y", 1, [2])
    node = helper.make_node("Identity", ["w"], ["y"])
    opsets = [helper.make_opsetid("", 17)]
    graph = helper.make_graph([node], "g", [], [output], [tensor])
    Path("e.onnx").write_bytes(helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString())


def test_external_data():
    os.mkdir("sub")
    Path("w.bin").write_bytes(np.array([1, 2], "f4").tobytes())
    external("w.bin")
    os.rename("w.bin", "sub/w.bin")
    os.rename("e.onnx", "sub/e.onnx")
    assert run("run-model", "sub/e.onnx") == (0, b"y  float  2  [1. 2.]\n", "")


UNREADABLE = """error: e.onnx: the external data of the tensor w cannot be read: {}
  hint: external data lie in files beside the model, or in folders there
"""


@pytest.mark.parametrize(
    ("location", "stderr"),
    [
        ("missing.bin", UNREADABLE.format("missing.bin is no file")),
        ("../w.bin", UNREADABLE.format("../w.bin is outside the folder of the model")),
        ("/etc/hostname", UNREADABLE.format("/etc/hostname is outside the folder of the model")),
        ("link.bin", UNREADABLE.format("link.bin is a link")),
        (
            "short.bin",
            "error: e.onnx: the data of the tensor w do not fit its shape: there are 4 bytes\n"
            "  float[2] takes 8 bytes\n",
        ),
    ],
)
def test_external_data_that_cannot_be_used(location, stderr):
    os.mkdir("sub")
    os.chdir("sub")
    for name, size in {"../w.bin": 8, "w.bin": 8, "short.bin": 4}.items():
        Path(name).write_bytes(bytes(size))
    os.symlink("../w.bin", "link.bin")
    external(location)
    assert run("run-model", "e.onnx") == (3, b"", stderr)


USAGE = {
    "": "Missing argument 'MODEL'.",
    "m.onnx -qv": "--quiet and --verbose exclude each other",
    "m.onnx --rtol 1": "--rtol is of comparisons: add --expect, --test-data or --compare",
    "m.onnx --max-ulp 1": "--max-ulp is of comparisons: add --expect, --test-data or --compare",
    "m.onnx --expect x --rtol 1 --max-ulp 1": "--rtol and --max-ulp exclude each other",
    "m.onnx --seed 1": "--seed is of random inputs: add --random",
    "m.onnx --expect x --atol -1": "Invalid value for '--atol': -1.0 is no tolerance; it is a finite number from 0 on",
    "m.onnx --expect x --rtol inf": "Invalid value for '--rtol': inf is no tolerance; it is a finite number from 0 on",
    "m.onnx --expect x --rtol nan": "Invalid value for '--rtol': nan is no tolerance; it is a finite number from 0 on",
    "m.onnx --random --dim N": "Invalid value for '--dim': 'N' cannot be read; write it like batch=2",
    "m.onnx --random --dim N=x": "Invalid value for '--dim': 'N=x' cannot be read; write it like batch=2",
    "m.onnx --random --dim N=1 --dim N=2": "Invalid value for '--dim': 'N' is given twice",
    "m.onnx --random --input-shape x": "Invalid value for '--input-shape': 'x' cannot be read; write it like x:2,3",
    "m.onnx --random --input-shape x:2,-3": (
        "Invalid value for '--input-shape': 'x:2,-3' cannot be read; write it like x:2,3"
    ),
    "m.onnx --engine tvm": "Invalid value for '--engine': 'tvm' is not one of 'reference', 'onnxruntime'.",
    "m.onnx --test-data d x.npy": "--test-data and INPUT exclude each other: test data hold inputs and outputs",
}


@pytest.mark.parametrize("command", USAGE)
def test_usage(command):
    stderr = f"error: {USAGE[command]}\n  hint: see mincli run-model --help\n"
    assert run("run-model", *command.split()) == (2, b"", stderr)


@pytest.mark.parametrize(("words", "shape"), [(["x:2,3"], (2, 3)), (["a:b:4"], (4,)), (["x:"], ()), (["x:0"], (0,))])
def test_shapes_are_split_at_the_last_colon(words, shape):
    name = words[0].rpartition(":")[0]
    value = helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
    output = helper.make_tensor_value_info("y", TensorProto.INT64, None)
    node = helper.make_node("Shape", [name], ["y"])
    opsets = [helper.make_opsetid("", 13)]
    onnx.save(helper.make_model(helper.make_graph([node], "g", [value], [output]), opset_imports=opsets), "s.onnx")
    outcome = run("run-model", "s.onnx", "--random", "--input-shape", *words, "-o", "out")
    assert (outcome.code, outcome.stderr) == (0, "")
    assert tuple(np.load("out/y.npy").tolist()) == shape
