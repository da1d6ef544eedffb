"""Broadcasting, axes and reduced shapes, against NumPy's broadcasting and a small model of the axes rules."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mincli.errors import AxesError, ShapeError
from mincli.spec.operators import OPERATOR_VERSIONS
from mincli.spec.shapes import broadcast_shapes, drawing, reduced_axes, reduced_shape

REDUCTIONS = {row.label: row for row in OPERATOR_VERSIONS if row.name == "ReduceMin"}


def names(shapes: Sequence[tuple[int, ...]]) -> list[str]:
    return [f"in{number}" for number in range(len(shapes))]


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        pytest.param([(2, 3)], (2, 3), id="one"),
        pytest.param([()], (), id="one-scalar"),
        pytest.param([(), ()], (), id="scalars"),
        pytest.param([(), (2, 3)], (2, 3), id="scalar-and-matrix"),
        pytest.param([(3,), (2, 1)], (2, 3), id="row-and-column"),
        pytest.param([(1,), (1, 1, 1)], (1, 1, 1), id="ones"),
        pytest.param([(0,), (1,)], (0,), id="zero-with-one"),
        pytest.param([(1,), (0,)], (0,), id="one-with-zero"),
        pytest.param([(0, 3), (3,)], (0, 3), id="zero-and-missing"),
        pytest.param([(2, 1, 4), (0, 1)], (2, 0, 4), id="zero-in-the-middle"),
        pytest.param([(0,), (0,), ()], (0,), id="zeros"),
        pytest.param([(4, 1, 1), (3, 1), (2,), ()], (4, 3, 2), id="four-ranks"),
        pytest.param([(1,) * 64, (2,)], (1,) * 63 + (2,), id="rank-64"),
        pytest.param([(1, 5), (7, 1), *[()] * 98], (7, 5), id="hundred"),
    ],
)
def test_broadcast_shapes(shapes, expected):
    assert broadcast_shapes(shapes, names(shapes)) == expected


@pytest.mark.parametrize(
    ("shapes", "lines"),
    [
        pytest.param([(2, 3, 4), (5, 4)],
                     ["in0  2 x 3 x 4", "in1      5 x 4", "         ^ 3 and 5 differ, and neither is 1"], id="middle"),
        pytest.param([(640, 480), (7,)],
                     ["in0  640 x 480", "in1          7", "             ^ 480 and 7 differ, and neither is 1"],
                     id="wide"),
        pytest.param([(10, 20, 30), (9, 1, 1)],
                     ["in0  10 x 20 x 30", "in1   9 x  1 x  1", "      ^ 10 and 9 differ, and neither is 1"],
                     id="first-axis"),
        pytest.param([(0,), (2,)],
                     ["in0  0", "in1  2", "     ^ 0 and 2 differ, and neither is 1"], id="zero-with-two"),
        pytest.param([(1, 2), (3, 1), (4, 2)],
                     ["in1  3 x 1", "in2  4 x 2", "     ^ 3 and 4 differ, and neither is 1"], id="first-takes-no-part"),
        pytest.param([(3,), (3,), (2,), (2,)],
                     ["in0  3", "in2  2", "     ^ 3 and 2 differ, and neither is 1"], id="first-of-each-size"),
        pytest.param([(3,), *[(1,)] * 98, (2,)],
                     ["in0   3", "in99  2", "      ^ 3 and 2 differ, and neither is 1"], id="hundred"),
    ],
)  # fmt: skip
def test_clash_is_drawn_and_marked(shapes, lines):
    with pytest.raises(ShapeError) as caught:
        broadcast_shapes(shapes, names(shapes))
    assert str(caught.value).split("\n  ") == ["the shapes do not broadcast", *lines]


def test_drawing_shows_the_first_shape_and_one_that_differs():
    assert drawing([(2, 30, 4), (5, 4), ()], ["a.npy", "longer.npy", "c"]) == [
        "a.npy       2 x 30 x 4",
        "longer.npy       5 x 4",
    ]


def test_drawing_of_a_scalar():
    assert drawing([(), (2, 3)], ["a", "b"]) == ["a  scalar", "b  2 x 3"]


@given(st.lists(st.lists(st.integers(0, 3), max_size=4).map(tuple), min_size=1, max_size=6))
def test_broadcasting_agrees_with_numpy(shapes):
    try:
        expected = np.broadcast_shapes(*shapes)
    except ValueError:
        with pytest.raises(ShapeError, match="the shapes do not broadcast"):
            broadcast_shapes(shapes, names(shapes))
    else:
        assert broadcast_shapes(shapes, names(shapes)) == expected


def model(label: str, rank: int, axes: tuple[int, ...] | None, noop: bool) -> tuple[int, ...] | str:
    """Return the axes to reduce, or why they are refused."""
    if not axes:
        identity = label == "oneDNN ReduceMin" or (noop and label in ("ReduceMin-18", "ReduceMin-20"))
        return () if identity else tuple(range(rank))
    lowest = 0 if label == "ReduceMin-1" else -rank
    if min(axes) < lowest or max(axes) >= rank:
        return "refused"
    places = [axis % rank for axis in axes]
    return tuple(sorted(places)) if len(set(places)) == len(places) else "refused"


def outcome(label: str, rank: int, axes: tuple[int, ...] | None, noop: bool) -> tuple[int, ...] | str:
    try:
        return reduced_axes(REDUCTIONS[label], rank, axes, noop_with_empty_axes=noop)
    except AxesError:
        return "refused"


@pytest.mark.parametrize("noop", [False, True], ids=["default", "noop"])
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
@pytest.mark.parametrize("label", REDUCTIONS)
def test_every_choice_of_up_to_three_axes(label, rank, noop):
    around = range(-rank - 1, rank + 2)
    choices = [None, *(axes for count in range(4) for axes in product(around, repeat=count))]
    assert {axes: outcome(label, rank, axes, noop) for axes in choices} == {
        axes: model(label, rank, axes, noop) for axes in choices
    }


TWICE = "the standard leaves repeated axes open; mincli refuses them\n  hint: name each axis once"
FROM_11 = "negative axes are accepted from ReduceMin-11 on: use --opset 11 or newer"


@pytest.mark.parametrize(
    ("label", "rank", "axes", "text"),
    [
        ("ReduceMin-20", 2, (1, -1), f"ReduceMin-20: axis 1 is given twice (axes 1, -1, rank 2)\n  {TWICE}"),
        ("ReduceMin-1", 3, (0, 2, 0), f"ReduceMin-1: axis 0 is given twice (axes 0, 2, 0, rank 3)\n  {TWICE}"),
        ("oneDNN ReduceMin", 1, (-1, 0), f"oneDNN ReduceMin: axis 0 is given twice (axes -1, 0, rank 1)\n  {TWICE}"),
        ("ReduceMin-20", 2, (2,), "ReduceMin-20: axis 2 is out of range\n  axes are -2 to 1 at rank 2"),
        ("ReduceMin-11", 2, (0, -3), "ReduceMin-11: axis -3 is out of range\n  axes are -2 to 1 at rank 2"),
        ("ReduceMin-1", 3, (3,), "ReduceMin-1: axis 3 is out of range\n  axes are 0 to 2 at rank 3"),
        ("ReduceMin-18", 0, (0,), "ReduceMin-18: axis 0 is out of range\n  an array of rank 0 has no axes"),
        ("oneDNN ReduceMin", 0, (-1,), "oneDNN ReduceMin: axis -1 is out of range\n  an array of rank 0 has no axes"),
        ("ReduceMin-1", 3, (-1,), "ReduceMin-1 does not accept the negative axis -1\n"
         f"  ReduceMin-1 (opset 1 to 10): axes are 0 to 2 at rank 3\n  hint: {FROM_11}"),
    ],
    ids=["repeated", "repeated-1", "repeated-onednn", "high", "low", "high-1", "rank-0", "rank-0-onednn", "negative"],
)  # fmt: skip
def test_refused_axes_are_explained(label, rank, axes, text):
    with pytest.raises(AxesError) as caught:
        reduced_axes(REDUCTIONS[label], rank, axes)
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("shape", "axes", "kept", "dropped"),
    [
        pytest.param((), (), (), (), id="scalar"),
        pytest.param((5,), (), (5,), (5,), id="no-axes"),
        pytest.param((5,), (0,), (1,), (), id="vector"),
        pytest.param((2, 3, 4), (0, 2), (1, 3, 1), (3,), id="outer"),
        pytest.param((2, 3, 4), (1,), (2, 1, 4), (2, 4), id="middle"),
        pytest.param((2, 3, 4), (0, 1, 2), (1, 1, 1), (), id="all"),
        pytest.param((2, 0, 4), (1,), (2, 1, 4), (2, 4), id="zero-size-reduced"),
        pytest.param((2, 0, 4), (0,), (1, 0, 4), (0, 4), id="zero-size-kept"),
        pytest.param((1, 1), (1,), (1, 1), (1,), id="ones"),
    ],
)
def test_reduced_shape(shape, axes, kept, dropped):
    assert reduced_shape(shape, axes, keepdims=True) == kept
    assert reduced_shape(shape, axes, keepdims=False) == dropped
