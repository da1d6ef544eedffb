"""Models by the path of their file."""

import onnx
from onnx import TensorProto

from mincli.findings import Place
from mincli.lint.files import Checked, check_file
from tests.lint.said import proto

TEXT = '<ir_version: 10, opset_import: ["" : 21, "ai.onnx.ml" : 5]> g (float[2] x) => (float[2] y) { y = Relu (x) }'


def test_a_model(tmp_path):
    path = str(tmp_path / "m.onnx")
    onnx.save(proto(TEXT), path)
    assert check_file(path) == Checked(path, [], {"": 21, "ai.onnx.ml": 5}, 1)


def test_a_file_that_holds_none(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(b"PK\3\4")
    checked = check_file(str(path))
    assert checked._replace(findings=[]) == Checked(str(path), [], {}, 0)
    (finding,) = checked.findings
    assert finding.rule.code == "MC101"
    assert finding[1:] == (Place(), f"{path} is no ONNX model", "it looks like a zip archive", "", None)


def test_no_file():
    (finding,) = check_file("none.onnx").findings
    assert (finding.rule.code, finding.found, finding.hint) == ("MC101", "none.onnx does not exist", "")


def test_external_data_lie_beside_the_file(tmp_path, monkeypatch):
    model = proto(TEXT)
    tensor = model.graph.initializer.add(name="w", data_type=1, dims=[2], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="w.bin")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "m.onnx").write_bytes(model.SerializeToString())
    monkeypatch.chdir(tmp_path)
    assert [finding.rule.code for finding in check_file("inside/m.onnx").findings] == ["MC212", "MC102"]
    (inside / "w.bin").write_bytes(bytes(8))
    assert [finding.rule.code for finding in check_file("inside/m.onnx").findings] == ["MC212"]
