"""Types against the constraints of operator versions: what is said, and where."""

import pytest

from mincli.findings import Place
from mincli.findings.shapes import AXES_INPUT
from mincli.findings.types import DECLARED, NOT_TAKEN, SEVERAL
from tests.lint.told import findings_of, lines_of, model


def test_a_type_that_a_later_version_takes():
    (own,) = findings_of(model("g (int32[2] x, float[2] y) => (int32[2] z) { [low] z = Min (x) }", opset=8))
    assert own == NOT_TAKEN.at(
        Place("", 0, "Min-8", "low", "x"),
        "x is int32[2]",
        "Min-8 (opset 8 to 11) accepts float16, float, double",
        "int32 is accepted from Min-12 on (opset 12)",
        12,
    )


def test_a_type_that_an_earlier_version_took():
    text = "g (float[3] x, int32[1] axes) => (float[n] y) { y = ReduceMin (x, axes) }"
    (own,) = findings_of(model(text, opset=18))
    assert own == AXES_INPUT.at(
        Place("", 0, "ReduceMin-18", "", "axes"),
        "axes (axes) is int32[1]",
        "ReduceMin-18 (opset 18 to 19) accepts int64",
        "no version of ReduceMin accepts int32 here",
    )


def test_a_type_that_no_version_takes():
    (own,) = findings_of(model("g (string[2] x) => (string[2] y) { y = Min (x, x) }", opset=13))
    assert own == NOT_TAKEN.at(
        Place("", 0, "Min-13", "", "x"),
        "x is string[2]",
        "Min-13 (opset 13 and newer) accepts uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, "
        "bfloat16, float, double",
        "no version of Min accepts string here",
    )


def test_many_inputs_of_a_wrong_type_are_one_finding():
    inputs = ", ".join(f"bool x{number}" for number in range(5))
    names = ", ".join(f"x{number}" for number in range(5))
    (own,) = findings_of(model(f"g ({inputs}) => (bool y) {{ y = Min ({names}) }}", opset=13))
    assert own.found == "x0 is bool[], x1 is bool[], x2 is bool[], and 2 more"


def test_a_tensor_in_place_of_a_sequence():
    (own,) = findings_of(model("g (float[2] x) => (int64 n) { n = SequenceLength (x) }"))
    assert (own.rule, own.found) == (NOT_TAKEN, "input_sequence (x) is float[2]")
    assert own.expected.startswith("SequenceLength-11 (opset 11 and newer) accepts seq(tensor(bool)), seq(tensor(")


def test_several_types():
    (own,) = findings_of(model("g (float[2] x, int64[2] y) => (float[2] z) { z = Add (x, y) }"))
    assert own == SEVERAL.at(
        Place("", 0, "Add-14", "", "y"),
        "A (x) is float[2], and B (y) is int64[2]",
        "Add-14 takes inputs of one type for T",
        "convert one of them with Cast: ONNX never converts by itself",
    )


def test_types_of_different_variables_may_differ():
    text = "g (bool[2] c, float[2] x, int64[2] i) => (float[2] y) { y = Where (c, x, x) z = Gather (x, i) }"
    assert findings_of(model(text)) == []


def test_inputs_whose_types_are_free():
    loop = "body (int64 i, bool more, float a, int64 b) => (bool go, float a2, int64 b2)"
    nodes = "go = Identity (more) a2 = Neg (a) b2 = Neg (b)"
    inputs = "int64 n, bool c, float x, int64 y"
    text = f"g ({inputs}) => (float p, int64 q) {{ p, q = Loop (n, c, x, y) <body = {loop} {{ {nodes} }}> }}"
    assert findings_of(model(text)) == []


@pytest.mark.parametrize(
    ("declared", "found", "made"),
    [
        ("int64[2]", "y is declared int64[2]", "Relu-14 makes float[2]"),
        ("seq(float[2])", "y is declared sequence of float[2]", "Relu-14 makes float[2]"),
        ("optional(float[2])", "y is declared optional float[2]", "Relu-14 makes float[2]"),
    ],
)
def test_declared_types(declared, found, made):
    (own,) = findings_of(model(f"g (float[2] x) => ({declared} y) {{ [r] y = Relu (x) }}"))
    assert own == DECLARED.at(
        Place("", 0, "Relu-14", "r", "y"), found, made, "declare what it is, or leave the declaration out"
    )


def test_a_value_info_of_another_type():
    text = "g (float[2] x) => (float[2] y) <int32[2] a> { a = Relu (x) y = Cast <to: int = 1> (a) }"
    assert lines_of(model(text)) == ["MC403 0 Relu-14 a: a is declared int32[2]"]


def test_an_initializer_of_another_type_than_its_input():
    proto = model("g (float[2] x, float[2] w) => (float[2] y) <int64[2] w = {1, 2}> { y = Add (x, w) }")
    assert lines_of(proto) == ["MC403 None  w: w is declared float[2]"]


def test_the_branches_of_an_if():
    text = """g (bool c, float x, int64 i) => (float y) {
       y = If (c) <then_branch = a () => (float p) { p = Neg (x) },
                   else_branch = b () => (int64 q) { q = Neg (i) }> }"""
    assert lines_of(model(text)) == ["MC404 0 If-21 : Mismatched tensor element type: inferred=int64 declared=float"]
