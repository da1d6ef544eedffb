"""Files and models in memory: findings in the order of the model, and what cannot be read."""

import onnx

from mincli.lint.files import check_file, check_model

TEXT = """<ir_version: 10, opset_import: ["" : 18, "own" : 1]>
g (float[2] x, bool b) => (float[2] y, float[2] z) {
   y = Relux (a)
   i = If (b) <then_branch = t () => (float[2] o) { o = Relux (c) }, else_branch = e () => (float[2] o) { o = Add (x) }>
   z = Add (i)
}
<domain: "own", opset_import: ["" : 18]>
f (p) => (q) { q = Relux (p) }"""


def test_findings_are_in_the_order_of_the_model(tmp_path):
    model = onnx.parser.parse_model(TEXT)
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


def test_another_opset_is_asked_for_by_number(tmp_path):
    onnx.save(onnx.parser.parse_model(TEXT), tmp_path / "m.onnx")
    checked = check_file(str(tmp_path / "m.onnx"), 18)
    assert checked.readable
    assert (checked.opsets, checked.nodes) == ({"": 18, "own": 1}, 3)
    assert checked.migration.target == 18
    assert checked.migration.findings == []
