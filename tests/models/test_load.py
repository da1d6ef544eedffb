"""Models in files: what is read, and what is refused, in which words."""

import os

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from mincli.errors import EngineError, FileError, ModelError
from mincli.findings import Severity
from mincli.findings.table import RULES
from mincli.models.load import REFUSED, as_model, load_model

TEXT = """<ir_version: 8, opset_import: ["" : 13]>
small (float[2] x) => (float[2] y) { y = Relu (x) }
"""


@pytest.fixture
def proto():
    return onnx.parser.parse_model(TEXT)


def refused(kind, path, words, *details, hint=""):
    with pytest.raises(kind) as raised:
        load_model(path)
    assert type(raised.value) is kind
    assert raised.value.message == words
    assert raised.value.details == details
    assert raised.value.hint == hint


def with_external_data(location, length=8):
    weights = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in (("location", location), ("offset", "4"), ("length", str(length))):
        weights.external_data.add(key=key, value=value)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])
    graph = helper.make_graph([helper.make_node("Relu", ["w"], ["y"])], "g", [], [y], [weights])
    return helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)]).SerializeToString()


@pytest.mark.parametrize("name", ["model.onnx", "model.of_any_name"])
def test_a_model_is_loaded(folder, proto, name):
    (folder / name).write_bytes(proto.SerializeToString())
    model = load_model(name)
    assert (model.name, model.opsets) == (name, {"": 13})
    assert model.proto == proto


def test_external_data_lie_beside_the_model_whatever_the_working_directory(folder):
    inner = folder / "inner"
    inner.mkdir()
    (inner / "data").write_bytes(b"junk" + np.array([1, -2], "<f4").tobytes())
    (inner / "m.onnx").write_bytes(with_external_data("data"))
    (tensor,) = load_model("inner/m.onnx").proto.graph.initializer
    assert numpy_helper.to_array(tensor).tolist() == [1, -2]


def external_refused(path, fault, place=""):
    words = f"the external data of the tensor w cannot be read: {fault}"
    refused(
        FileError,
        path,
        f"{place or path}: {words}",
        hint="external data lie in files beside the model, or in folders there",
    )


def test_external_data_that_are_missing(folder):
    (folder / "m.onnx").write_bytes(with_external_data("data"))
    external_refused("m.onnx", "data is no file")


@pytest.mark.parametrize("location", ["../data", "/etc/passwd", "sub/../../data"])
def test_external_data_outside_the_folder(folder, location):
    inner = folder / "inner"
    (inner / "sub").mkdir(parents=True)
    (folder / "data").write_bytes(bytes(12))
    (inner / "m.onnx").write_bytes(with_external_data(location))
    external_refused("inner/m.onnx", f"{location} is outside the folder of the model")


def test_external_data_behind_links(folder):
    outside = folder / "outside"
    inner = folder / "inner"
    outside.mkdir()
    inner.mkdir()
    (outside / "data").write_bytes(bytes(12))
    (inner / "linked").symlink_to("../outside/data")
    (inner / "folder").symlink_to("../outside")
    (inner / "m.onnx").write_bytes(with_external_data("linked"))
    external_refused("inner/m.onnx", "linked is a link")
    (inner / "m.onnx").write_bytes(with_external_data("folder/data"))
    external_refused("inner/m.onnx", "folder/data is outside the folder of the model")


def test_external_data_that_are_too_short(folder):
    (folder / "data").write_bytes(bytes(8))
    (folder / "m.onnx").write_bytes(with_external_data("data"))
    external_refused("m.onnx", "data is too short: it has 8 bytes")


def test_external_data_whose_length_is_no_number(folder):
    (folder / "data").write_bytes(bytes(12))
    (folder / "m.onnx").write_bytes(with_external_data("data", length=-8))
    external_refused("m.onnx", "data is given with an offset or a length that is no number")


def test_external_data_in_an_attribute_of_a_subgraph(folder):
    model = onnx.ModelProto.FromString(with_external_data("data"))
    (tensor,) = model.graph.initializer
    inner = helper.make_graph(
        [helper.make_node("Constant", [], ["c"], value=tensor)], "i", [], [helper.make_empty_tensor_value_info("c")]
    )
    model.graph.node.append(helper.make_node("If", ["y"], ["z"], then_branch=inner, else_branch=inner))
    model.graph.node[0].input[0] = "x"
    model.graph.input.add(name="x")
    del model.graph.initializer[:]
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    external_refused("m.onnx", "data is no file", "node 1 (If) else_branch > node 0 (Constant-13)")


def test_a_tensor_whose_data_and_shape_disagree(folder, proto):
    proto.graph.initializer.add(name="w", data_type=TensorProto.FLOAT, dims=[3], raw_data=bytes(8))
    (folder / "m.onnx").write_bytes(proto.SerializeToString())
    refused(
        ModelError,
        "m.onnx",
        "m.onnx: the data of the tensor w do not fit its shape: there are 8 bytes",
        "float[3] takes 12 bytes",
    )


def model_refused(proto, kind, words):
    with pytest.raises(kind) as raised:
        as_model(proto, "m")
    assert raised.value.message == words
    return raised.value


def test_an_ir_version_that_is_newer_than_known(proto):
    proto.ir_version = onnx.IR_VERSION + 1
    error = model_refused(proto, EngineError, f"m: it has IR version {onnx.IR_VERSION + 1}")
    assert error.hint == "pip install --upgrade onnx"


def test_no_ir_version(proto):
    proto.ClearField("ir_version")
    model_refused(proto, ModelError, "m: it says no IR version")


def test_from_ir_version_3_on_there_is_an_opset(proto):
    del proto.opset_import[:]
    model_refused(proto, ModelError, "m: it imports no opset")
    proto.ir_version = 2
    assert as_model(proto, "m").opsets == {"": 1}


def test_until_ir_version_2_there_is_no_opset(proto):
    proto.ir_version = 2
    model_refused(proto, ModelError, "m: it imports opsets")


def test_an_opset_that_is_newer_than_known(proto):
    newest = onnx.defs.onnx_opset_version()
    proto.opset_import[0].version = newest + 1
    error = model_refused(proto, EngineError, f"m: it imports opset {newest + 1}")
    assert error.details == (f"the installed onnx {onnx.__version__} knows those up to {newest}",)


def test_an_opset_below_1(proto):
    proto.opset_import[0].version = 0
    newest = onnx.defs.onnx_opset_version()
    error = model_refused(proto, ModelError, "m: it imports opset 0")
    assert (error.details, error.hint) == ((f"opsets from 1 to {newest}",), "set OperatorSetIdProto.version")


def test_external_data_without_a_length_are_as_many_as_the_shape_takes(folder):
    (folder / "data").write_bytes(bytes(4) + np.array([1, -2], "<f4").tobytes() + bytes(40))
    model = onnx.ModelProto.FromString(with_external_data("data"))
    del model.graph.initializer[0].external_data[2]
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    (tensor,) = load_model("m.onnx").proto.graph.initializer
    assert numpy_helper.to_array(tensor).tolist() == [1, -2]
    assert not tensor.external_data


def test_external_data_with_several_names_are_read(folder):
    (folder / "data").write_bytes(bytes(4) + np.array([1, -2], "<f4").tobytes())
    (folder / "again").hardlink_to(folder / "data")
    (folder / "m.onnx").write_bytes(with_external_data("again"))
    assert numpy_helper.to_array(load_model("m.onnx").proto.graph.initializer[0]).tolist() == [1, -2]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_external_data_that_may_not_be_read(folder):
    (folder / "data").write_bytes(bytes(12))
    (folder / "data").chmod(0)
    (folder / "m.onnx").write_bytes(with_external_data("data"))
    with pytest.raises(FileError, match="Permission denied"):
        load_model("m.onnx")


HEAD = '<ir_version: 10, opset_import: ["" : 21, "own" : 1]>'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "g (float[2] x) => (float[2] y) { y = Relu (x) y = Neg (x) }",
            "node 1 (Neg-13): its output y is made by node 0 (Relu) as well",
        ),
        (
            "g (float[2] x) => (float[2] y) { x = Relu (x) y = Neg (x) }",
            "node 0 (Relu-14): its output x is made by an input of the graph as well",
        ),
        ("g (float[2] x, float[2] x) => (float[2] y) { y = Relu (x) }", "m: 2 inputs have the name x"),
        (
            "g (float[1] x) => (float[1] y) <float[1] w = {1}, float[1] w = {2}> { y = Add (x, w) }",
            "m: 2 initializers have the name w",
        ),
        (
            'g (float[2] x) => (float[2] y) { y = own.f (x) } <domain: "own", opset_import: ["" : 21]> f (a) => (b) '
            '{ b = Neg (a) } <domain: "own", opset_import: ["" : 21]> f (a) => (b) { b = Abs (a) }',
            "function own:f: it is defined before",
        ),
        (
            'g (float[2] x) => (float[2] y) { y = own.f (x) } <domain: "own", opset_import: ["" : 21]> '
            "f <to> (a) => (b) { b = Cast <to: int = @to> (a) }",
            "node 0 (f): the attribute to is not given",
        ),
        ("g (float[2] x) => (float[2] y) { z = Relu (x) }", "m: nothing in the graph makes the output y"),
        (
            "g (bool c) => (float y) { y = If (c) <then_branch = t (float a) => (float p) { p = Neg (a) }, "
            "else_branch = e (float b) => (float q) { q = Abs (b) }> }",
            "node 0 (If) then_branch: it has 1 input",
        ),
    ],
)  # fmt: skip
def test_models_that_have_no_one_meaning(text, words):
    model_refused(onnx.parser.parse_model(f"{HEAD} {text}"), ModelError, words)


def test_what_is_only_untidy_is_run():
    text = "g (float[] x, float[2] u) => (float[] y) { a = Abs (x) y = Relu (x) }"
    model = onnx.parser.parse_model(f"{HEAD} {text}")
    model.graph.ClearField("name")
    model.metadata_props.add(key="a")
    model.metadata_props.add(key="a")
    assert as_model(model, "m").opsets == {"": 21, "own": 1}


def test_the_table_of_refused_findings_has_errors_alone():
    assert {RULES[code].severity for code in REFUSED} == {Severity.ERROR}
