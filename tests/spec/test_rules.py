"""Which operands each operator version takes, cell by cell, and how it refuses the others."""

from typing import NamedTuple

import pytest

from mincli.errors import ElementTypeError, OperatorAttributeError, ShapeError
from mincli.spec import rules
from mincli.spec.dtypes import BY_NAME, ElementType
from mincli.spec.operators import OPERATOR_VERSIONS

BY_LABEL = {row.label: row for row in OPERATOR_VERSIONS}

LABELS = (
    "Min-1", "Min-6", "Min-8", "Min-12", "Min-13",
    "ReduceMin-1", "ReduceMin-11", "ReduceMin-12", "ReduceMin-13", "ReduceMin-18", "ReduceMin-20",
    "oneDNN Minimum", "oneDNN ReduceMin",
)  # fmt: skip
MARKS = {
    #                  Min          ReduceMin        oneDNN
    #                  1 6 8 12 13  1 11 12 13 18 20
    "bool":           ". . . . .    . . . . . x      . .",
    "uint8":          ". . . x x    . . x x x x      . .",
    "uint16":         ". . . x x    . . . . . .      . .",
    "uint32":         ". . . x x    x x x x x x      . .",
    "uint64":         ". . . x x    x x x x x x      . .",
    "int8":           ". . . x x    . . x x x x      . .",
    "int16":          ". . . x x    . . . . . .      . .",
    "int32":          ". . . x x    x x x x x x      . .",
    "int64":          ". . . x x    x x x x x x      . .",
    "float16":        "x x x x x    x x x x x x      x x",
    "bfloat16":       ". . . . x    . . . x x x      x x",
    "float":          "x x x x x    x x x x x x      x x",
    "double":         "x x x x x    x x x x x x      . .",
    "string":         ". . . . .    . . . . . .      . .",
    "complex64":      ". . . . .    . . . . . .      . .",
    "complex128":     ". . . . .    . . . . . .      . .",
    "float8e4m3fn":   ". . . . .    . . . . . .      . .",
    "float8e4m3fnuz": ". . . . .    . . . . . .      . .",
    "float8e5m2":     ". . . . .    . . . . . .      . .",
    "float8e5m2fnuz": ". . . . .    . . . . . .      . .",
    "uint4":          ". . . . .    . . . . . .      . .",
    "int4":           ". . . . .    . . . . . .      . .",
    "float4e2m1":     ". . . . .    . . . . . .      . .",
    "float8e8m0":     ". . . . .    . . . . . .      . .",
    "uint2":          ". . . . .    . . . . . .      . .",
    "int2":           ". . . . .    . . . . . .      . .",
    "float6e2m3":     ". . . . .    . . . . . .      . .",
    "float6e3m2":     ". . . . .    . . . . . .      . .",
}  # fmt: skip
CELLS = [(label, name, mark) for name in MARKS for label, mark in zip(LABELS, MARKS[name].split(), strict=True)]
ACCEPTED = [pytest.param(label, name, id=f"{label}-{name}") for label, name, mark in CELLS if mark == "x"]
REFUSED = [pytest.param(label, name, id=f"{label}-{name}") for label, name, mark in CELLS if mark == "."]


class Operand(NamedTuple):
    """What the rules look at."""

    name: str
    element: ElementType
    shape: tuple[int, ...] = ()


def operands(*facts: tuple[str, str]) -> list[Operand]:
    return [Operand(name, BY_NAME[element]) for name, element in facts]


def floats(*shapes: tuple[int, ...]) -> list[Operand]:
    return [Operand(name, BY_NAME["float"], shape) for name, shape in zip("abc", shapes, strict=False)]


def test_the_table_is_complete():
    assert set(LABELS) == set(BY_LABEL)
    assert set(MARKS) == set(BY_NAME)


@pytest.mark.parametrize(("label", "name"), ACCEPTED)
def test_type_is_accepted(label, name):
    assert rules.check_types(BY_LABEL[label], operands(("a.npy", name), ("b.npy", name))) is None


@pytest.mark.parametrize(("label", "name"), REFUSED)
def test_type_is_refused(label, name):
    with pytest.raises(ElementTypeError) as caught:
        rules.check_types(BY_LABEL[label], operands(("a.npy", name)))
    assert caught.value.message == f"{label} does not accept {name} (a.npy)"


MIN_12 = "uint16, int16, uint8, int8, uint32, uint64, int32, int64, float16, float, double"
REDUCE_12 = "uint8, int8, uint32, uint64, int32, int64, float16, float, double"

EXPLAINED = [
    ("Min-8", "int32", "Min-8 (opset 8 to 11) accepts float16, float, double",
     "int32 is accepted from Min-12 on: use --opset 12 or newer"),
    ("Min-1", "bfloat16", "Min-1 (opset 1 to 5) accepts float16, float, double",
     "bfloat16 is accepted from Min-13 on: use --opset 13 or newer"),
    ("Min-12", "bfloat16", f"Min-12 (opset 12) accepts {MIN_12}",
     "bfloat16 is accepted from Min-13 on: use --opset 13 or newer"),
    ("Min-13", "bool", f"Min-13 (opset 13 and newer) accepts bfloat16, {MIN_12}",
     "no version of Min accepts bool; for a logical minimum use And"),
    ("Min-13", "string", f"Min-13 (opset 13 and newer) accepts bfloat16, {MIN_12}",
     "no version of Min accepts string"),
    ("ReduceMin-12", "bfloat16", f"ReduceMin-12 (opset 12) accepts {REDUCE_12}",
     "bfloat16 is accepted from ReduceMin-13 on: use --opset 13 or newer"),
    ("ReduceMin-18", "bool", f"ReduceMin-18 (opset 18 to 19) accepts bfloat16, {REDUCE_12}",
     "bool is accepted from ReduceMin-20 on: use --opset 20 or newer"),
    ("ReduceMin-20", "uint16", f"ReduceMin-20 (opset 20 and newer) accepts bool, bfloat16, {REDUCE_12}",
     "no version of ReduceMin accepts uint16"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("label", "name", "accepts", "hint"), EXPLAINED, ids=[f"{row[0]}-{row[1]}" for row in EXPLAINED]
)
def test_refusal_says_what_is_accepted_and_from_where_on(label, name, accepts, hint):
    with pytest.raises(ElementTypeError) as caught:
        rules.check_types(BY_LABEL[label], operands(("a.npy", name)))
    assert str(caught.value) == f"{label} does not accept {name} (a.npy)\n  {accepts}\n  hint: {hint}"


@pytest.mark.parametrize("name", ["double", "int32", "bool"])
@pytest.mark.parametrize("operator", ["Minimum", "ReduceMin"])
def test_refusal_by_onednn(operator, name):
    with pytest.raises(ElementTypeError) as caught:
        rules.check_types(BY_LABEL[f"oneDNN {operator}"], operands(("a.npy", name)))
    assert str(caught.value) == (
        f"oneDNN {operator} does not accept {name} (a.npy)\n"
        f"  oneDNN {operator} accepts float, bfloat16, float16\n"
        f"  hint: oneDNN has no other version of {operator}; --spec onnx takes more types"
    )


def test_the_refused_operand_is_named_though_types_are_mixed():
    with pytest.raises(ElementTypeError) as caught:
        rules.check_types(BY_LABEL["Min-8"], operands(("a.npy", "float"), ("b.npy", "int32")))
    assert caught.value.message == "Min-8 does not accept int32 (b.npy)"


@pytest.mark.parametrize(
    ("label", "first", "second"),
    [
        pytest.param("Min-13", "float", "double", id="floats"),
        pytest.param("Min-13", "float", "int32", id="of-one-size"),
        pytest.param("Min-13", "float16", "bfloat16", id="of-one-storage"),
        pytest.param("Min-12", "uint64", "int64", id="integers"),
        pytest.param("oneDNN Minimum", "float", "float16", id="onednn"),
    ],
)
def test_mixed_types_are_never_promoted(label, first, second):
    with pytest.raises(ElementTypeError) as caught:
        rules.minimum_shape(BY_LABEL[label], operands(("a.npy", first), ("b.npy", second)))
    assert str(caught.value) == (
        f"{label} needs one element type for all inputs\n"
        f"  a.npy is {first}, b.npy is {second}\n"
        "  hint: convert one of them first: mincli never promotes"
    )


@pytest.mark.parametrize(
    ("label", "count", "text"),
    [
        pytest.param("Min-1", 0, "Min-1 takes 1 to 2147483647 inputs, not 0", id="min-1-none"),
        pytest.param("Min-13", 0, "Min-13 takes 1 to 2147483647 inputs, not 0", id="min-13-none"),
        pytest.param("oneDNN Minimum", 0, "oneDNN Minimum takes exactly 2 inputs, not 0", id="onednn-none"),
        pytest.param("oneDNN Minimum", 1, "oneDNN Minimum takes exactly 2 inputs, not 1", id="onednn-one"),
        pytest.param("oneDNN Minimum", 3, "oneDNN Minimum takes exactly 2 inputs, not 3", id="onednn-three"),
    ],
)
def test_count_is_refused(label, count, text):
    with pytest.raises(ShapeError) as caught:
        rules.minimum_shape(BY_LABEL[label], floats(*[(2,)] * count))
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("label", "shapes", "broadcast", "expected"),
    [
        pytest.param("Min-1", [(2, 3)], True, (2, 3), id="one"),
        pytest.param("Min-1", [(2, 3)] * 3, True, (2, 3), id="equal"),
        pytest.param("Min-6", [()] * 2, True, (), id="scalars"),
        pytest.param("Min-8", [(2, 1), (3,)], True, (2, 3), id="min-8-broadcasts"),
        pytest.param("Min-13", [(4, 1, 1), (3, 1), (2,)], True, (4, 3, 2), id="three"),
        pytest.param("oneDNN Minimum", [(2, 1), (3,)], True, (2, 3), id="onednn-broadcasts"),
        pytest.param("oneDNN Minimum", [(2, 3)] * 2, False, (2, 3), id="auto-broadcast-none"),
    ],
)
def test_shape_of_the_minimum(label, shapes, broadcast, expected):
    assert rules.minimum_shape(BY_LABEL[label], floats(*shapes), broadcast=broadcast) == expected


NEWER = "broadcasting is allowed from Min-8 on: use --opset 8 or newer"
NUMPY = "--auto-broadcast numpy allows NumPy broadcasting"


@pytest.mark.parametrize(
    ("label", "shapes", "broadcast", "text"),
    [
        pytest.param("Min-1", [(2, 3), (1, 3)], True,
                     f"Min-1 needs equal shapes\n  a  2 x 3\n  b  1 x 3\n  hint: {NEWER}", id="min-1"),
        pytest.param("Min-6", [(2, 3), (2, 3), (3,)], True,
                     f"Min-6 needs equal shapes\n  a  2 x 3\n  c      3\n  hint: {NEWER}", id="min-6-third"),
        pytest.param("Min-6", [(), (1,)], True,
                     f"Min-6 needs equal shapes\n  a  scalar\n  b  1\n  hint: {NEWER}", id="scalar-and-one"),
        pytest.param("oneDNN Minimum", [(10, 1), (10, 20)], False,
                     "oneDNN Minimum needs equal shapes with auto_broadcast none\n"
                     f"  a  10 x  1\n  b  10 x 20\n  hint: {NUMPY}", id="auto-broadcast-none"),
    ],
)  # fmt: skip
def test_unequal_shapes_are_refused(label, shapes, broadcast, text):
    with pytest.raises(ShapeError) as caught:
        rules.minimum_shape(BY_LABEL[label], floats(*shapes), broadcast=broadcast)
    assert str(caught.value) == text


@pytest.mark.parametrize("label", ["ReduceMin-18", "ReduceMin-20"])
def test_noop_attribute_is_accepted(label):
    assert rules.check_attribute(BY_LABEL[label], "noop_with_empty_axes") is None


@pytest.mark.parametrize("label", ["ReduceMin-1", "ReduceMin-11", "ReduceMin-12", "ReduceMin-13"])
def test_noop_attribute_is_refused_before_18(label):
    with pytest.raises(OperatorAttributeError) as caught:
        rules.check_attribute(BY_LABEL[label], "noop_with_empty_axes")
    assert str(caught.value) == (
        f"{label} has no attribute noop_with_empty_axes\n"
        "  its attributes: axes, keepdims\n"
        "  hint: ReduceMin-18 introduced it: use --opset 18 or newer"
    )


def test_noop_attribute_is_unknown_to_onednn():
    with pytest.raises(OperatorAttributeError) as caught:
        rules.check_attribute(BY_LABEL["oneDNN ReduceMin"], "noop_with_empty_axes")
    assert str(caught.value) == (
        "oneDNN ReduceMin has no attribute noop_with_empty_axes\n  its attributes: axes, keep_dims"
    )


@pytest.mark.parametrize(
    ("label", "name", "last"),
    [("Min-6", "consumed_inputs", "Min-1"), ("ReduceMin-18", "axes", "ReduceMin-13")],
)
def test_attribute_that_was_dropped(label, name, last):
    with pytest.raises(OperatorAttributeError) as caught:
        rules.check_attribute(BY_LABEL[label], name)
    assert caught.value.hint == f"{last} was the last to have it"
