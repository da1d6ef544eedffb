"""Models by the path of their file."""

import onnx
import pytest
from onnx import TensorProto, helper

from mincli.findings import Place
from mincli.lint.files import Checked, check_file, check_model
from tests.lint.told import proto

TEXT = '<ir_version: 10, opset_import: ["" : 21, "ai.onnx.ml" : 5]> g (float[2] x) => (float[2] y) { y = Relu (x) }'
FAULTY = """<ir_version: 10, opset_import: ["" : 18, "own" : 1]>
g (float[2] x, bool b) => (float[2] y, float[2] z) {
   y = Relux (a)
   i = If (b) <then_branch = t () => (float[2] o) { o = Relux (c) }, else_branch = e () => (float[2] o) { o = Add (x) }>
   z = Add (i)
}
<domain: "own", opset_import: ["" : 18]>
f (p) => (q) { q = Relux (p) }"""


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
    assert finding[1:] == (Place(), f"{path} is no ONNX model: it looks like a zip archive", "", "", None)


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


def test_findings_are_in_the_order_of_the_model(tmp_path):
    model = proto(FAULTY)
    onnx.save(model, tmp_path / "m.onnx")
    checked = check_file(str(tmp_path / "m.onnx"))
    errors = [
        (finding.place.path, finding.place.node, finding.rule.code)
        for finding in checked.findings
        if finding.rule.severity == "error"
    ]
    then, other = "node 1 (If) then_branch > ", "node 1 (If) else_branch > "
    assert errors[:3] == [("", 0, "MC201"), ("", 0, "MC301"), ("", 2, "MC306")]
    assert [error for error in errors if error[0] == then] == [(then, 0, "MC201"), (then, 0, "MC301")]
    assert [error for error in errors if error[0] == other] == [(other, 0, "MC306")]
    assert ("function own:f > ", 0, "MC301") in errors
    assert len(errors) == 7
    assert check_model(model) == checked.findings == check_model(tmp_path / "m.onnx")


def test_a_file_of_any_name():
    (finding,) = check_model("no\n.onnx")
    assert finding.found == r"no\n.onnx does not exist"
    assert check_file("no.onnx").readable is False


@pytest.mark.parametrize(
    "node",
    [
        helper.make_node("Relu", ["x", "", ""], ["y"]),
        helper.make_node("Constant", ["x"], ["y"], value_int=1),
        helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2], dilations=3),
    ],
    ids=lambda node: node.op_type,
)
def test_nodes_with_errors_are_not_brought_to_another_opset(tmp_path, node):
    model = proto(TEXT)
    model.graph.node[0].CopyFrom(node)
    onnx.save(model, tmp_path / "m.onnx")
    checked = check_file(str(tmp_path / "m.onnx"), 8)
    assert "error" in {finding.rule.severity for finding in checked.findings}
    assert checked.migration[1:] == ([], 0, 0, 1)


def test_another_opset_is_asked_for_by_number(tmp_path):
    onnx.save(proto(FAULTY), tmp_path / "m.onnx")
    checked = check_file(str(tmp_path / "m.onnx"), 18)
    assert checked.readable
    assert (checked.opsets, checked.nodes) == ({"": 18, "own": 1}, 3)
    assert checked.migration.target == 18
    assert checked.migration.findings == []


def test_not_enough_memory_for_one_file(tmp_path, monkeypatch):
    def check(*_, **__):
        raise MemoryError

    path = str(tmp_path / "m.onnx")
    onnx.save(proto(TEXT), path)
    monkeypatch.setattr("onnx.shape_inference.infer_shapes", check)
    checked = check_file(path)
    (finding,) = checked.findings
    words = f"{path} cannot be read: there is not enough memory for it"
    assert (finding.rule.code, finding.found, checked.readable) == ("MC101", words, False)
