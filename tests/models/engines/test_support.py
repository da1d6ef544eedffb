"""What onnxruntime has no kernel for: all such nodes, at their places; refusals and crashes; no model is changed."""

import onnx
import pytest
from onnx import TensorProto

from mincli.errors import EngineError, TimeLimitError
from mincli.findings import Place
from mincli.models.engines import worker
from mincli.models.engines.support import check


def told(text):
    return [(f.rule.code, f.place, f.found) for f in check(onnx.parser.parse_model(text))]


def test_a_model_that_it_takes():
    assert (
        told("""<ir_version: 10, opset_import: ["" : 13]>
g (float[2] x) => (float[2] y) { y = Min (x, x) }""")
        == []
    )


def test_every_node_without_a_kernel():
    found = told("""<ir_version: 10, opset_import: ["" : 13]>
g (int16[2] x, uint16[N] u, float[2] f) => (int16[2] z, uint16[N] w, float[2] h) {
  [a] y = Min (x, x)
  h = Relu (f)
  [b] z = Min (y, x)
  w = Min (u)
}""")
    none = "valid, but onnxruntime has no kernel for Min-13 on"
    assert found == [
        ("MC801", Place("", 0, "Min-13", "a"), f"{none} int16"),
        ("MC801", Place("", 2, "Min-13", "b"), f"{none} int16"),
        ("MC801", Place("", 3, "Min-13"), f"{none} uint16"),
    ]


def test_in_subgraphs_with_values_from_around_them():
    found = told("""<ir_version: 10, opset_import: ["" : 20]>
g (bool c, uint64[2] x) => (uint64 y) {
  y = If (c) <then_branch = yes () => (uint64 t) { t = ReduceMin <keepdims = 0> (x) },
              else_branch = no () => (uint64 e) { e = ReduceMin <keepdims = 0> (x) }>
}""")
    none = "valid, but onnxruntime has no kernel for ReduceMin-20 on uint64"
    assert found == [
        ("MC801", Place("node 0 (If) then_branch > ", 0, "ReduceMin-20"), none),
        ("MC801", Place("node 0 (If) else_branch > ", 0, "ReduceMin-20"), none),
    ]


def test_what_a_call_and_an_operator_are_made_of():
    found = told("""<ir_version: 10, opset_import: ["" : 13, "own" : 1]>
g (int16[2] x, int16 low) => (int16[2] y, int16[2] z) { y = own.F (x)  z = Clip (x, low) }
<opset_import: ["" : 13], domain: "own"> F (a) => (b) { b = Min (a, a) }""")
    assert found == [
        ("MC801", Place("", 0, "F"),
         "valid, but onnxruntime has no kernel for Min-13, which it makes of F on int16"),
        ("MC801", Place("", 1, "Clip-13"),
         "valid, but onnxruntime has no kernel for Where-9, which it makes of Clip-13 on int16"),
    ]  # fmt: skip


def test_where_the_types_are_not_known_the_first_node_is_named():
    """What an operator of onnxruntime's own domain gives is unknown to onnx."""
    found = told("""<ir_version: 10, opset_import: ["" : 13, "com.microsoft" : 1]>
g (float[2] x, float s, uint16 o) => (uint16[N] z) {
  y = com.microsoft.QuantizeLinear (x, s, o)
  [low] z = Min (y)
}""")
    assert found == [
        ("MC801", Place("", 1, "Min-13", "low"), "no errors found, but onnxruntime has no kernel for Min-13")
    ]


def test_what_cannot_be_judged_is_not_called_valid():
    """Each node, and a call by what the whole model holds."""
    found = told("""<ir_version: 10, opset_import: ["" : 13, "com.microsoft" : 1, "own" : 1]>
g (int16[2] x, float[2] f) => (int16[2] y, int16[2] z, float[2] w) {
  y = own.F (x)  z = Min (x, x)  w = com.microsoft.Gelu (f)
}
<opset_import: ["" : 13], domain: "own"> F (a) => (b) { b = Min (a, a) }""")
    none = "but onnxruntime has no kernel for Min-13"
    assert found == [
        ("MC801", Place("", 0, "F"), f"no errors found, {none}, which it makes of F on int16"),
        ("MC801", Place("", 1, "Min-13"), f"valid, {none} on int16"),
    ]


def test_a_model_that_it_refuses():
    """Of a domain that onnx does not know either."""
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 13, "com.example" : 1]>
g (float[2] x) => (float[2] y) { y = com.example.Foo (x) }""")
    before = model.SerializeToString()
    no = "Fatal error: com.example:Foo(-1) is not a registered function/op"
    assert [(f.rule.code, f.place, f.found) for f in check(model)] == [
        ("MC802", Place(), f"no errors found, but onnxruntime refuses it: {no}"),
    ]
    assert model.SerializeToString() == before


CRASHING = """
import os, pickle, sys
while True:
    request = pickle.load(sys.stdin.buffer)
    if WORD in request[1]:
        os.kill(os.getpid(), 11)
    pickle.dump((True, None), sys.stdout.buffer)
    sys.stdout.buffer.flush()
"""
TWO = """<ir_version: 10, opset_import: ["" : 13]>
loads (float[2] x) => (float[2] z) { y = Relu (x)  [bad] z = Min (y, x) }"""


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (b"Min", ("MC803", Place("", 1, "Min-13", "bad"),
                  "valid, but onnxruntime crashed with SIGSEGV while it loaded Min-13 alone")),
        (b"loads", ("MC803", Place(), "valid, but onnxruntime crashed with SIGSEGV while it loaded the model")),
    ],
)  # fmt: skip
def test_crashes(monkeypatch, tmp_path, word, expected):
    """Of a stand-in for the process: of the node that crashes alone, or of the whole model if none does."""
    child = tmp_path / "child.py"
    child.write_text(CRASHING.replace("WORD", repr(word)))
    monkeypatch.setattr(worker, "_CHILD", str(child))
    assert told(TWO) == [expected]


def test_an_engine_that_does_not_end(monkeypatch, tmp_path):
    child = tmp_path / "child.py"
    child.write_text("import time; time.sleep(60)")
    monkeypatch.setattr(worker, "_CHILD", str(child))
    with pytest.raises(TimeLimitError) as caught:
        check(onnx.parser.parse_model(TWO), limit=0.3)
    assert str(caught.value) == (
        "onnxruntime was stopped after 0.3 seconds while it loaded a model\n"
        "  an engine that does not end would keep mincli waiting for ever; the limit is fixed"
    )


def test_it_is_asked_once_for_nodes_that_are_alike(monkeypatch):
    asked = []
    ask = worker.Worker.ask
    monkeypatch.setattr(worker.Worker, "ask", lambda self, request: asked.append(request) or ask(self, request))
    found = told("""<ir_version: 10, opset_import: ["" : 13]>
g (int16[2] x, int16[3] u) => (int16[2] y, int16[2] z, int16[3] w) {
  y = Min (x, x)  z = Min (y, y)  w = Min (u, u)
}""")
    assert [code for code, *_ in found] == ["MC801"] * 3
    assert len(asked) == 2


def test_not_installed(monkeypatch, tmp_path):
    (tmp_path / "onnxruntime.py").write_text("raise ModuleNotFoundError(\"No module named 'onnxruntime'\")")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(EngineError) as caught:
        told(TWO)
    assert str(caught.value) == "onnxruntime is not installed\n  hint: pip install 'mincli[onnxruntime]'"


def test_external_data_stay_where_they_are(tmp_path):
    (tmp_path / "w.bin").write_bytes(bytes(8))
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 13]>
g (float[2] x) => (float[2] y) <float[2] w = {0, 0}> { y = Min (x, w) }""")
    tensor = model.graph.initializer[0]
    tensor.ClearField("float_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="w.bin")
    assert check(model, str(tmp_path)) == []
