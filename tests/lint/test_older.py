"""What older versions of operators refuse and newer ones take: words of unequal shapes, negative axes, values."""

import onnx
import pytest

from mincli.graphs.signatures import signature
from mincli.lint import findings_in
from mincli.lint.older import is_strict
from mincli.spec.changes import ALLOWED, CHANGES, WITHOUT, stricter
from mincli.spec.operators import versions


def parsed(graph, opset):
    return onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : {opset}]> g {graph}')


def told(graph, opset):
    findings = findings_in(parsed(graph, opset))
    return [(own.rule.code, own.place.value, own.found, own.expected, own.hint, own.opset) for own in findings]


SHAPES = "(float[2, 3] x, float[3] y, float[2, 3] s, float y0, float[K, 3] k) => (float[N, M] z) { z = %s }"
GEMM = "(float[2, 3] x, float[3, 4] y, float[4, 3] t, float[4] c, float[2, 4] d) => (float[N, M] z) { z = Gemm %s }"
GEMM_TAKES = "Gemm-6 (opset 6) takes a C of the shape of the result, or broadcast = 1"
ROW = "float[2, 1] x) => (float[N, M] z)"

WORDS = [
    (SHAPES % "Max (x, y)", 7, [
        ("MC502", "y", "x is float[2, 3], and y is float[3]", "Max-6 (opset 6 to 7) takes inputs of one shape",
         "they are broadcast from Max-8 on (opset 8)", 8)]),
    (SHAPES % "Sum (x, s, y)", 5, [
        ("MC502", "y", "x is float[2, 3], and y is float[3]", "Sum-1 (opset 1 to 5) takes inputs of one shape",
         "they are broadcast from Sum-8 on (opset 8)", 8)]),
    (SHAPES % "Mean (x, s)", 7, []),
    (SHAPES % "Mean (x, k)", 7, []),
    (SHAPES % "Max (x, y)", 8, []),
    (SHAPES % "Add (x, y)", 6, [
        ("MC502", "y", "A (x) is float[2, 3], and B (y) is float[3]",
         "Add-6 (opset 6) takes inputs of one shape, or broadcast = 1", "they are broadcast from Add-7 on (opset 7)",
         7)]),
    (SHAPES % "Add <broadcast = 1> (x, y)", 6, []),
    (SHAPES % "Add <broadcast = 0> (x, s)", 6, []),
    (SHAPES % "Add (x, y)", 7, []),
    (GEMM % "(x, y, c)", 6, [
        ("MC502", "c", "the product is [2, 4], and C (c) is float[4]", GEMM_TAKES,
         "they are broadcast from Gemm-7 on (opset 7)", 7)]),
    (GEMM % "<broadcast = 1> (x, y, c)", 6, []),
    (GEMM % "(x, y, d)", 6, []),
    (GEMM % "<transB = 1> (x, t, d)", 6, []),
    (GEMM % "(x, y, c)", 7, []),
    (f"({ROW} {{ z = Unsqueeze <axes = [-1]> (x) }}", 10, [
        ("MC505", "", "axes are -1", "Unsqueeze-1 (opset 1 to 10) counts axes from 0",
         "negative axes are accepted from Unsqueeze-11 on (opset 11)", 11)]),
    (f"({ROW} {{ z = ReduceMax <axes = [0, -1]> (x) }}", 10, [
        ("MC511", "", "axes are 0, -1", "ReduceMax-1 (opset 1 to 10) says nothing of negative ones",
         "negative axes are accepted from ReduceMax-11 on (opset 11)", 11)]),
    (f"({ROW} {{ z = Softmax <axis = -1> (x) }}", 10, [
        ("MC511", "", "axis is -1", "Softmax-1 (opset 1 to 10) says nothing of negative ones",
         "negative axes are accepted from Softmax-11 on (opset 11)", 11)]),
    (f"""({ROW} {{
        s = Constant <value = int64[1] {{0}}> ()
        a = Constant <value = int64[1] {{-1}}> ()
        z = Slice (x, s, s, a)
     }}""", 10, [
        ("MC511", "", "axes are -1", "Slice-10 (opset 10) says nothing of negative ones",
         "negative axes are accepted from Slice-11 on (opset 11)", 11)]),
    ('(float[2, 3] x, int64[4] p) => (float[N, M] y) { y = Pad <mode = "wrap"> (x, p) }', 18, [
        ("MC314", "", "the attribute mode is wrap, which Pad-18 (opset 18) does not have", "",
         "Pad-19 introduced it: use opset 19 or newer", 19)]),
    ('(float[2, 3] x, int64[4] p) => (float[N, M] y) { y = Pad <mode = "wrap"> (x, p) }', 19, []),
]  # fmt: skip


@pytest.mark.parametrize(("graph", "opset", "expected"), WORDS)
def test_words(graph, opset, expected):
    assert [own for own in told(graph, opset) if own[0] != "MC212"] == expected


def test_a_model_of_ir_version_1_need_not_say_the_types_of_attributes():
    model = parsed(SHAPES % "Add <broadcast = 1> (x, y)", 6)
    model.ir_version = 1
    model.graph.node[0].attribute[0].ClearField("type")
    assert [own.rule.code for own in findings_in(model) if own.rule.severity == "error"] == ["MC106"]


@pytest.mark.parametrize("version", versions("Min"))
def test_the_rows_of_min_are_those_of_its_versions(version):
    assert (stricter("Min", version.since_version) is None) is version.broadcasts


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_between_versions_that_there_are(change):
    for name in change.operators:
        newer = signature("", name, change.since)
        assert newer is not None
        assert newer.since_version == change.since
        assert newer.earlier


@pytest.mark.parametrize(("operator", "attribute"), [*WITHOUT, *ALLOWED])
def test_an_attribute_in_the_tables_is_one_of_the_operator(operator, attribute):
    newest = signature("", operator, 28)
    assert any(attribute in own.attributes for own in (newest, *newest.earlier))


def test_which_versions_are_strict():
    asked = [("Min", 6), ("Min", 8), ("Softmax", 9), ("Softmax", 11), ("Relu", 6)]
    assert [is_strict(signature("", name, opset)) for name, opset in asked] == [True, False, True, False, False]
