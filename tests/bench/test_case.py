"""Cases: their shapes, bytes and names."""

from math import prod

import pytest

from bench.case import (
    ELEMENTS,
    GIB,
    KIB,
    MIB,
    PATTERNS,
    SHORT_LAST_AXIS,
    Case,
    broadcast,
    itemsize,
    minimum,
    nbytes,
    parse,
    reduction,
)
from mincli.spec.dtypes import ELEMENT_TYPES


def test_elements_are_the_types_of_mincli():
    names = {"float32": "float", "float64": "double"}
    assert {names.get(element, element) for element in ELEMENTS} == {element.name for element in ELEMENT_TYPES}
    assert len(ELEMENTS) == 13


@pytest.mark.parametrize(
    ("element", "size"), [("bool", 1), ("int8", 1), ("uint16", 2), ("bfloat16", 2), ("float32", 4), ("int64", 8)]
)
def test_itemsize(element, size):
    assert itemsize(element) == size


@pytest.mark.parametrize(
    ("count", "words"), [(1, "1 B"), (1536, "1.5 KiB"), (500 * MIB, "500 MiB"), (4 * GIB, "4 GiB")]
)
def test_nbytes(count, words):
    assert nbytes(count) == words


@pytest.mark.parametrize(
    ("case", "shapes", "name"),
    [
        (minimum("float32", 2, KIB), ((16, 16),) * 2, "2 x 1 KiB float32"),
        (minimum("int8", 3, MIB), ((1024, 1024),) * 3, "3 x 1 MiB int8"),
        (minimum("float64", 2, 64), ((4, 2),) * 2, "2 x 64 B float64"),
        (minimum("float32", 2, KIB, "CF"), ((16, 16),) * 2, "2 x 1 KiB float32, 1 in Fortran order"),
        (minimum("float32", 2, KIB, "SS"), ((16, 16),) * 2, "2 x 1 KiB float32, swapped bytes"),
        (
            minimum("float32", 2, KIB)._replace(values="NaN"),
            ((16, 16),) * 2,
            "2 x 1 KiB float32, NaN",
        ),
        (broadcast("float32", KIB, "row"), ((16, 16), (1, 16)), "1 KiB float32 (16, 16) with (1, 16)"),
        (broadcast("float32", KIB, "column"), ((16, 16), (16, 1)), "1 KiB float32 (16, 16) with (16, 1)"),
        (broadcast("float32", KIB, "scalar"), ((16, 16), (1, 1)), "1 KiB float32 (16, 16) with (1, 1)"),
    ],
)
def test_minimum(case, shapes, name):
    assert (case.operator, case.shapes, case.shape, case.axes, case.name) == ("min", shapes, shapes[0], (), name)


def test_bytes():
    case = broadcast("float32", KIB, "row")
    assert (case.read, case.written) == (KIB + 64, KIB)
    case = reduction(((4, -1), (0,)), "int64", KIB)
    assert (case.read, case.written) == (KIB, KIB // 4)


@pytest.mark.parametrize("element", ["int8", "float16", "float32", "int64"])
@pytest.mark.parametrize("pattern", PATTERNS, ids=str)
def test_a_reduction_has_the_bytes_it_should(pattern, element):
    case = reduction(pattern, element, 64 * MIB)
    (shape,) = case.shapes
    assert prod(shape) * itemsize(element) == case.read == 64 * MIB
    assert all(found == given for found, given in zip(shape, pattern[0], strict=True) if given > 0)
    assert case.shape == tuple(1 if axis in pattern[1] else size for axis, size in enumerate(shape))


def test_short_last_axes():
    assert [shape[-1] for shape, axes in SHORT_LAST_AXIS if axes == (1,)] == [4, 16]
    assert set(SHORT_LAST_AXIS) <= set(PATTERNS)


def test_a_case_goes_through_its_repr():
    for case in (minimum("bfloat16", 2, KIB, "FS"), reduction(PATTERNS[7], "float32", MIB)):
        again = parse(repr(tuple(case)))
        assert again == case
        assert isinstance(again, Case)


def test_layouts():
    assert [minimum("int8", 2, 16, "CF").layout(operand) for operand in (0, 1)] == ["C", "F"]
    assert minimum("int8", 2, 16).layout(1) == "C"
