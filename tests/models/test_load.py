"""Models in files: what is read, and what is refused, in which words."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from mincli.errors import EngineError, FileError, FormatError, ModelError
from mincli.models.load import as_model, load_model, opsets_of

TEXT = """<ir_version: 8, opset_import: ["" : 13]>
small (float[2] x) => (float[2] y) { y = Relu (x) }
"""


@pytest.fixture
def proto():
    return onnx.parser.parse_model(TEXT)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


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


@pytest.mark.parametrize("form", ["textproto", "json", "onnxtxt"])
def test_text_forms_are_known_by_their_content(folder, proto, form):
    onnx.save(proto, "model", format=form)
    assert load_model("model").proto.graph.node[0].op_type == "Relu"


def test_external_data_lie_beside_the_model_whatever_the_working_directory(folder):
    inner = folder / "inner"
    inner.mkdir()
    (inner / "data").write_bytes(b"junk" + np.array([1, -2], "<f4").tobytes())
    (inner / "m.onnx").write_bytes(with_external_data("data"))
    (tensor,) = load_model("inner/m.onnx").proto.graph.initializer
    assert numpy_helper.to_array(tensor).tolist() == [1, -2]


def external_refused(path, fault):
    refused(
        FileError,
        path,
        f"{path}: the external data of the tensor w cannot be read",
        fault,
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
    inner = helper.make_graph([helper.make_node("Constant", [], ["c"], value=tensor)], "i", [], [])
    model.graph.node.append(helper.make_node("If", ["w"], ["z"], then_branch=inner, else_branch=inner))
    del model.graph.initializer[:]
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    external_refused("m.onnx", "data is no file")


def test_a_tensor_whose_data_and_shape_disagree(folder, proto):
    proto.graph.initializer.add(name="w", data_type=TensorProto.FLOAT, dims=[3], raw_data=bytes(8))
    (folder / "m.onnx").write_bytes(proto.SerializeToString())
    refused(
        ModelError,
        "m.onnx",
        "m.onnx: the data of the tensor w do not fit its shape",
        "float[3] takes 12 bytes, and there are 8",
    )


def test_no_file(folder):
    refused(FileError, "none.onnx", "none.onnx does not exist")


def test_a_folder(folder):
    refused(FileError, ".", ". is a folder", hint="name the model in it")


@pytest.mark.parametrize(
    ("content", "looks"),
    [
        (b"", "an empty file"),
        (b"<!DOCTYPE html><html></html>", "an HTML page"),
        (b"PK\x03\x04" + bytes(40), "a zip archive"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a git-lfs pointer"),
        (b"\x93NUMPY\x01\x00", "a .npy file"),
    ],
    ids=["empty", "html", "zip", "git-lfs", "npy"],
)  # fmt: skip
def test_what_is_no_model(folder, content, looks):
    (folder / "m.onnx").write_bytes(content)
    with pytest.raises(FormatError) as raised:
        load_model("m.onnx")
    assert raised.value.message == "m.onnx is no ONNX model"
    assert raised.value.details[0].startswith(f"it looks like {looks}")


def test_a_truncated_model(folder, proto):
    (folder / "m.onnx").write_bytes(proto.SerializeToString()[:-5])
    with pytest.raises(FormatError, match=r"m\.onnx is no ONNX model"):
        load_model("m.onnx")


def test_a_tensor_is_no_model(folder):
    (folder / "m.onnx").write_bytes(numpy_helper.from_array(np.zeros(3, "f4"), "t").SerializeToString())
    with pytest.raises(FormatError, match=r"m\.onnx is no ONNX model"):
        load_model("m.onnx")


@pytest.mark.parametrize("text", ["no model", '{"a": 1}', "<ir_version: 8> g (float x) =>", "graph { node: 3 }"])
def test_text_that_is_no_model(folder, text):
    (folder / "m.onnx").write_text(text)
    with pytest.raises(FormatError, match=r"m\.onnx is no ONNX model"):
        load_model("m.onnx")


def test_a_file_longer_than_a_protocol_buffer(folder):
    with open("m.onnx", "wb") as file:
        file.truncate(2**31)
    refused(
        FormatError,
        "m.onnx",
        "m.onnx is no model: it has 2147483648 bytes, and a protocol buffer at most 2147483647",
        hint="models with larger tensors keep them in other files, as external data",
    )


def version_refused(proto, kind, words):
    with pytest.raises(kind) as raised:
        as_model(proto, "m")
    assert raised.value.message == words
    return raised.value


def test_an_ir_version_that_is_newer_than_known(proto):
    proto.ir_version = onnx.IR_VERSION + 1
    error = version_refused(proto, EngineError, f"m has IR version {onnx.IR_VERSION + 1}")
    assert error.hint == "pip install --upgrade onnx"


def test_no_ir_version(proto):
    proto.ClearField("ir_version")
    version_refused(proto, ModelError, "m says no IR version")


def test_from_ir_version_3_on_there_is_an_opset(proto):
    del proto.opset_import[:]
    version_refused(proto, ModelError, "m imports no opset")
    proto.ir_version = 2
    assert as_model(proto, "m").opsets == {"": 1}


def test_until_ir_version_2_there_is_no_opset(proto):
    proto.ir_version = 2
    version_refused(proto, ModelError, "m imports opsets")


def test_an_opset_that_is_newer_than_known(proto):
    newest = onnx.defs.onnx_opset_version()
    proto.opset_import[0].version = newest + 1
    error = version_refused(proto, EngineError, f"m imports opset {newest + 1}")
    assert error.details == (f"the installed onnx {onnx.__version__} knows those up to {newest}",)


def test_of_several_imports_of_a_domain_the_highest_binds():
    imports = [helper.make_opsetid(*pair) for pair in (("", 9), ("ai.onnx", 12), ("", 11), ("ai.onnx.ml", 2))]
    assert opsets_of(imports, "m") == {"": 12, "ai.onnx.ml": 2}
