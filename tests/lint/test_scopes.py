"""Graphs and functions as the rules see them."""

import pytest

from mincli.findings import Place
from mincli.lint.scopes import scopes_of
from tests.lint.told import proto

BODY = "g (float[2] x) => (float[2] y) { [n] y = Relu (x) }"


@pytest.mark.parametrize(
    ("header", "opset", "judged", "label"),
    [
        ('ir_version: 10, opset_import: ["" : 21]', 21, True, "Relu-14"),
        ('ir_version: 10, opset_import: ["ai.onnx" : 13]', 13, True, "Relu-13"),
        ("ir_version: 2", 1, True, "Relu-1"),
        ('ir_version: 10, opset_import: ["ai.onnx.ml" : 3]', None, True, ""),
        ("ir_version: 10", None, False, ""),
        ('ir_version: 10, opset_import: ["" : 1000]', 1000, False, ""),
        ('ir_version: 10, opset_import: ["" : 0]', 0, False, ""),
    ],
)
def test_what_a_node_means(header, opset, judged, label):
    (scope,) = scopes_of(proto(f"<{header}> {BODY}"))
    (node,) = scope.nodes
    assert (node.number, node.domain, node.opset, node.judged, node.inputs, node.outputs) == (
        *(0, "", opset, judged, ("x",), ("y",)),
    )
    assert (node.signature.label if node.signature else "") == label
    assert scope.place(node, "x") == Place("", 0, label or "Relu", "n", "x")


def test_functions_are_in_order_and_each_has_its_own_opsets():
    text = f"""<ir_version: 10, opset_import: ["" : 21, "own" : 1]> {BODY}
    <domain: "own", opset_import: ["" : 13]> f (a) => (b) {{ b = Relu (a) }}
    <domain: "own", opset_import: ["" : 14, "own" : 1]> h (a) => (b) {{ b = own.f (a) }}"""
    main, first, second = scopes_of(proto(text))
    assert [scope.path for scope in (main, first, second)] == ["", "function own:f > ", "function own:h > "]
    assert first.nodes[0].signature.label == "Relu-13"
    assert second.nodes[0].function.name == "f"
    assert second.nodes[0].signature is None


def test_what_a_graph_in_a_node_needs_of_those_around():
    text = """<ir_version: 10, opset_import: ["" : 21]> g (bool c, float[2] x) => (float[2] y) {
       y = If (c) <
          then_branch = t () => (float[2] p) { p = If (c) <
             then_branch = tt () => (float[2] r) { r = Neg (x) },
             else_branch = te () => (float[2] s) { s = Identity (c) }> },
          else_branch = e () => (float[2] q) { a = Abs (x) q = Neg (a) }>
    }"""
    (main,) = scopes_of(proto(text))
    then, other = (inner for _, _, inner in main.subgraphs)
    assert (then.captured, other.captured) == ({"c", "x"}, {"x"})
    assert [scope.path for scope in main.all()] == [
        "",
        "node 0 (If) then_branch > ",
        "node 0 (If) then_branch > node 0 (If) then_branch > ",
        "node 0 (If) then_branch > node 0 (If) else_branch > ",
        "node 0 (If) else_branch > ",
    ]
