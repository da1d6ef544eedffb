"""Shapes and axes: what is said, and where."""

import pytest

from mincli.findings import Place
from mincli.findings.shapes import (
    AXES_INPUT,
    AXIS_NEGATIVE,
    AXIS_RANGE,
    AXIS_TWICE,
    BROADCAST,
    DECLARED,
    KEEPDIMS,
    SYMBOL,
    UNEQUAL,
)
from tests.lint.told import findings_of, lines_of, model


def reduction(shape, axes, *, opset=13, more="", output="float[n, m]"):
    kind = f"float[{shape}]" if shape else "float"
    return model(f"g ({kind} x) => ({output} y) {{ y = ReduceMin <axes: ints = [{axes}]{more}> (x) }}", opset=opset)


def test_broadcasting():
    (own,) = findings_of(model("g (float[2, 3] x, float[1] y, float[4] z) => (float[a, b] w) { w = Min (x, y, z) }"))
    assert own == BROADCAST.at(
        Place("", 0, "Min-13", "", "z"),
        "x is float[2, 3] and z is float[4]",
        "Min-13 broadcasts: sizes, aligned at the last, are equal or 1",
    )


def test_broadcasting_of_other_operators():
    (own,) = findings_of(model("g (float[2, 3] x, float[2] y) => (float[a, b] w) { w = Mul (x, y) }"))
    assert (own.rule, own.found) == (BROADCAST, "A (x) is float[2, 3] and B (y) is float[2]")


@pytest.mark.parametrize(
    ("one", "other"),
    [("n", "3"), ("n", "m"), ("1", "3"), ("0", "1"), ("2, 1", "3"), ("", "3"), ("n, 3", "2, 1"), ("2, n", "m, 1, 5")],
)
def test_shapes_that_may_go_together(one, other):
    nodes = "v = Min (x, y) w = ReduceMin <keepdims = 0> (v)"
    assert findings_of(model(f"g (float[{one}] x, float[{other}] y) => (float w) {{ {nodes} }}")) == []


@pytest.mark.parametrize("shapes", [("n, 3", "2"), ("0", "2"), ("2", "m, 3"), ("3, n", "2, n")])
def test_shapes_that_never_go_together(shapes):
    one, other = shapes
    (own,) = findings_of(model(f"g (float[{one}] x, float[{other}] y) => (float[a, b] w) {{ w = Min (x, y) }}"))
    assert (own.rule, own.found) == (BROADCAST, f"x is float[{one}] and y is float[{other}]")


def test_three_shapes_of_which_two_clash_in_an_axis_that_the_first_lacks():
    text = "g (float x, float[4, 1] y, float[n] z, float[5, 2] w) => (float[a, b] v) { v = Min (x, y, z, w) }"
    (own,) = findings_of(model(text))
    assert own.found == "y is float[4, 1] and w is float[5, 2]"


@pytest.mark.parametrize("opset", [1, 6])
def test_shapes_that_have_to_be_equal(opset):
    text = "g (float[2, 3] x, float[2, 3] y, float[3] z) => (float[2, 3] w) { w = Min (x, y, z) }"
    (own,) = findings_of(model(text, opset=opset, ir_version=3))
    assert own == UNEQUAL.at(
        Place("", 0, f"Min-{opset}", "", "z"),
        "x is float[2, 3], and z is float[3]",
        {1: "Min-1 (opset 1 to 5) takes inputs of one shape", 6: "Min-6 (opset 6 to 7) takes inputs of one shape"}[
            opset
        ],
        "they are broadcast from Min-8 on (opset 8)",
        8,
    )


@pytest.mark.parametrize("shapes", [("2, 3", "2, 3"), ("n, 3", "2, m"), ("", "")])
def test_shapes_that_may_be_equal(shapes):
    one, other = shapes
    text = f"g (float[{one}] x, float[{other}] y) => (float w) {{ v = Min (x, y) w = ReduceMin <keepdims = 0> (v) }}"
    assert findings_of(model(text, opset=6, ir_version=3)) == []


def test_an_axis_out_of_range():
    (own,) = findings_of(reduction("2, 3", "0, 2"))
    assert own == AXIS_RANGE.at(
        Place("", 0, "ReduceMin-13"), "axes are 0, 2, and 2 is out of range", "ReduceMin-13: axes are -2 to 1 at rank 2"
    )


def test_two_axes_out_of_range_are_two_findings():
    assert lines_of(reduction("2, 3", "-3, 2")) == [
        "MC503 0 ReduceMin-13 : axes are -3, 2, and -3 is out of range",
        "MC503 0 ReduceMin-13 : axes are -3, 2, and 2 is out of range",
    ]


def test_a_scalar_has_no_axes():
    (own,) = findings_of(reduction("", "0", output="float"))
    assert (own.rule, own.expected) == (AXIS_RANGE, "ReduceMin-13: an input of rank 0 has no axes")


def test_a_negative_axis_of_an_early_version():
    (own,) = findings_of(reduction("2, 3", "-1", opset=10))
    assert own == AXIS_NEGATIVE.at(
        Place("", 0, "ReduceMin-1"),
        "axes are -1, and -1 is negative",
        "ReduceMin-1: axes are 0 to 1 at rank 2",
        "negative axes are accepted from ReduceMin-11 on (opset 11)",
        11,
    )


@pytest.mark.parametrize(("axes", "opset"), [("1, -1", 13), ("0, 0", 1), ("0, 1, 0", 13)])
def test_an_axis_given_twice(axes, opset):
    (own,) = findings_of(reduction("2, 3", axes, opset=opset))
    version = {1: "ReduceMin-1", 13: "ReduceMin-13"}[opset]
    expected = (f"axes are {axes}", "each axis once", "what repeated axes mean is left open")
    assert own == AXIS_TWICE.at(Place("", 0, version), *expected)


@pytest.mark.parametrize(("axes", "lines"), [("1, -1", []), ("1, 1", ["MC504 1 ReduceMin-13 : axes are 1, 1"])])
def test_axes_at_a_rank_that_is_not_known(axes, lines):
    text = f"g (float[n] x, int64[m] shape) => (y) {{ a = Reshape (x, shape) y = ReduceMin <axes = [{axes}]> (a) }}"
    assert lines_of(model(text, opset=13)) == lines


@pytest.mark.parametrize(
    ("axes", "lines"),
    [
        ("Constant <value_ints = [2]> ()", ["MC503 1 ReduceMin-20 : axes are 2, and 2 is out of range"]),
        ("Constant <value = int64[1] {5}> ()", ["MC503 1 ReduceMin-20 : axes are 5, and 5 is out of range"]),
        ("Constant <value_ints = [0, -2]> ()", ["MC504 1 ReduceMin-20 : axes are 0, -2"]),
        ("Constant <value_int = 1> ()", ["MC506 1 ReduceMin-20 axes: axes (axes) is int64[]"]),
        ("Constant <value_ints = [1]> ()", []),
        ("Identity (given)", []),
    ],
)
def test_axes_that_are_an_input(axes, lines):
    nodes = f"axes = {axes} y = ReduceMin (x, axes)"
    assert lines_of(model(f"g (float[2, 3] x, int64[1] given) => (float[n, m] y) {{ {nodes} }}")) == lines


@pytest.mark.parametrize("axis", [-2, 1])
def test_axes_that_are_an_initializer(axis):
    text = "g (float[2, 3] x) => (float[n, m] y) <int64[1] axes = {AXIS}> { y = ReduceMin (x, axes) }"
    assert lines_of(model(text.replace("AXIS", str(axis)))) == []
    found = f"axes are {axis * 3}, and {axis * 3} is out of range"
    assert lines_of(model(text.replace("AXIS", str(axis * 3)))) == [f"MC503 0 ReduceMin-20 : {found}"]


def test_axes_of_a_wrong_rank_that_are_not_known_beforehand():
    (own,) = findings_of(model("g (float[2, 3] x, int64[1, 1] axes) => (float[n, m] y) { y = ReduceMin (x, axes) }"))
    place = Place("", 0, "ReduceMin-20", "", "axes")
    expected = "ReduceMin-20 (opset 20 and newer) takes axes as a vector of int64"
    assert own == AXES_INPUT.at(place, "axes (axes) is int64[1, 1]", expected)


@pytest.mark.parametrize(("value", "shape"), [(2, "2, 1"), (2, "2"), (-1, "2, 1")])
def test_keepdims(value, shape):
    (own,) = findings_of(reduction("2, 3", "1", more=f", keepdims: int = {value}", output=f"float[{shape}]"))
    assert own == KEEPDIMS.at(Place("", 0, "ReduceMin-13"), f"keepdims is {value}", "ReduceMin-13: keepdims is 0 or 1")


def test_a_reduction_that_is_right():
    assert findings_of(reduction("2, 3", "0, -1", more=", keepdims: int = 0", output="float")) == []


def test_declared_shapes():
    (own,) = findings_of(model("g (float[2, 3] x) => (float[2, 1] y) { y = Relu (x) }"))
    assert own == DECLARED.at(
        Place("", 0, "Relu-14", "", "y"),
        "y is declared float[2, 1]",
        "Relu-14 makes float[2, 3]",
        "declare what it is, or leave the declaration out",
    )


def test_declared_ranks():
    text = "g (float[2, 3] x) => (float[2, 3] y) <float[n] a> { a = Relu (x) y = Neg (x) }"
    assert lines_of(model(text)) == ["MC508 0 Relu-14 a: a is declared float[n]"]


def test_an_initializer_of_another_shape_than_its_input():
    proto = model("g (float[2] x, float[3] w) => (float[2] y) <float[2] w = {1, 2}> { y = Add (x, w) }")
    (own,) = [own for own in findings_of(proto) if own.rule is DECLARED]
    assert (own.place, own.found, own.expected) == (
        Place(value="w"), "w is declared float[3]", "its initializer is float[2]"
    )  # fmt: skip


def test_onnx_refuses_shapes():
    text = "g (float[2, 3] x) => (float[a, b] y) { y = MatMul (x, x) }"
    assert lines_of(model(text)) == ["MC510 0 MatMul-13 : Incompatible dimensions for matrix multiplication"]


def test_an_axis_of_another_operator():
    (own,) = findings_of(model("g (float[2] x) => (float[2] y) { y = Softmax <axis = 3> (x) }"))
    assert own == AXIS_RANGE.at(
        Place(node=0, operator="Softmax-13"),
        "axis is 3, and input (x) is float[2]",
        "Softmax-13: axis is -1 to 0 at rank 1",
    )


def test_a_symbol_for_two_sizes():
    text = "g (float[2] x, float[3] y) => (float[n] a, float[m] b, float[n] c) { a = Neg (x) b = Neg (x) c = Neg (y) }"
    (own,) = findings_of(model(text))
    assert own == SYMBOL.at(
        Place(value="c"),
        "n is 2 in a, and 3 in c",
        "a name of a dimension stands for one size in all of a graph",
        "give the dimensions two names, or their sizes",
    )


def test_a_symbol_for_one_size():
    text = "g (float[2] x, float[n] y) => (float[n] a, float[n] b) { a = Neg (x) b = Abs (y) }"
    assert findings_of(model(text)) == []


def test_a_shape_that_is_computed():
    nodes = "s = Shape (x) i = Constant <value_ints = [1]> () t = Gather (s, i) y = Expand (one, t)"
    text = f"g (float[2, 3] x, float[1] one) => (float[SIZE] y) {{ {nodes} }}"
    assert lines_of(model(text.replace("SIZE", "3"))) == []
    assert lines_of(model(text.replace("SIZE", "4"))) == ["MC508 3 Expand-13 y: y is declared float[4]"]


def test_a_shape_of_which_the_rank_alone_is_known():
    (own,) = findings_of(model("g (float[6] x, int64[7] s) => (float[2, 3] y) { y = Reshape (x, s) }"))
    assert (own.found, own.expected) == ("y is declared float[2, 3]", "Reshape-21 makes float of rank 7")


def test_an_axis_of_a_scalar():
    text = "g (float x, float[2] s) => (float y) { y = LayerNormalization <axis = -100> (x, s) }"
    assert [line.partition(": ")[2] for line in lines_of(model(text))] == ["axis is -100, and X (x) is float[]"]


def test_the_words_of_onnx_about_what_is_too_small():
    body = "body = b (float s) => (float v) { v = Neg (s) }"
    text = f"g (float[2] x) => (float[2] y) {{ y = Scan <num_scan_inputs = -100, {body}> (x) }}"
    assert lines_of(model(text)) == ["MC510 0 Scan-21 : -100 is out of range"]
