"""The iteration space: axes dropped, sorted and merged without losing an element; the extents of blocks."""

from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mincli.streaming.space import Space, aligned_strides, make_space, tile
from tests.oracle import indices


@st.composite
def layouts(draw, greatest=4):
    """A shape, and the strides of operands in any order of axes, some of them broadcast, some of them reversed."""
    shape = tuple(draw(st.lists(st.integers(1, greatest), max_size=4)))
    axes = range(len(shape))
    operands = []
    for _ in range(draw(st.integers(1, 3))):
        steps, step = [0] * len(shape), 1
        for axis in draw(st.permutations(axes)):
            if draw(st.integers(0, 3)):  # else it does not vary along this axis
                steps[axis] = step * draw(st.sampled_from([1, 1, 1, -1]))
                step *= shape[axis]
        operands.append(tuple(steps))
    return shape, operands


def offsets(shape, operands):
    """Return, for each element of an iteration, where it lies in each operand; sorted, as the order is free."""
    return sorted(
        tuple(sum(i * step for i, step in zip(index, steps, strict=True)) for steps in operands)
        for index in indices(shape)
    )


@settings(max_examples=150)
@given(layouts())
def test_the_space_visits_the_same_elements_together(layout):
    shape, operands = layout
    space = make_space(shape, operands)
    assert offsets(*space) == offsets(shape, operands)


@settings(max_examples=150)
@given(layouts())
def test_no_axis_is_left_that_could_be_dropped_or_merged(layout):
    space = make_space(*layout)
    assert all(size >= 2 for size in space.shape)
    assert len(space.strides) == len(layout[1])
    for outer, inner in zip(range(len(space.shape)), range(1, len(space.shape)), strict=False):
        assert any(steps[outer] != steps[inner] * space.shape[inner] for steps in space.strides)


@pytest.mark.parametrize(
    ("shape", "strides", "space"),
    [
        pytest.param((), [(), ()], Space((), ((), ())), id="scalars"),
        pytest.param((1, 1), [(0, 0)], Space((), ((),)), id="one-element"),
        pytest.param((2, 3, 4), [(12, 4, 1)] * 3, Space((24,), ((1,),) * 3), id="all-in-C-order"),
        pytest.param((2, 3, 4), [(1, 2, 6)] * 3, Space((24,), ((1,),) * 3), id="all-in-Fortran-order"),
        pytest.param((2, 3), [(3, 1), (0, 1), (3, 1)], Space((2, 3), ((3, 1), (0, 1), (3, 1))), id="row-broadcast"),
        pytest.param((2, 3), [(3, 1), (1, 0), (3, 1)], Space((2, 3), ((3, 1), (1, 0), (3, 1))), id="column-broadcast"),
        pytest.param(
            (2, 3, 4),
            [(12, 4, 1), (0, 4, 1), (12, 4, 1)],
            Space((2, 12), ((12, 1), (0, 1), (12, 1))),
            id="leading-axis",
        ),
        pytest.param((2, 3), [(1, 2), (1, 2), (3, 1)], Space((3, 2), ((2, 1), (2, 1), (1, 3))), id="most-win"),
        pytest.param((2, 3), [(1, 2), (3, 1)], Space((2, 3), ((1, 2), (3, 1))), id="the-output-decides-a-draw"),
        pytest.param((2, 3, 4), [(12, 4, 1), (0, 0, 0)], Space((24,), ((1,), (0,))), id="reduce-all"),
        pytest.param((2, 3, 4), [(12, 4, 1), (3, 1, 0)], Space((6, 4), ((4, 1), (1, 0))), id="reduce-last"),
        pytest.param((2, 3, 4), [(12, 4, 1), (0, 4, 1)], Space((2, 12), ((12, 1), (0, 1))), id="reduce-first"),
        pytest.param((2, 3), [(1, 2), (0, 1)], Space((3, 2), ((2, 1), (1, 0))), id="reduce-first-in-Fortran-order"),
    ],
)
def test_make_space(shape, strides, space):
    assert make_space(shape, strides) == space


@pytest.mark.parametrize(
    ("shape", "strides", "rank", "aligned"),
    [
        pytest.param((), (), 0, (), id="scalar"),
        pytest.param((), (), 2, (0, 0), id="scalar-at-rank-2"),
        pytest.param((3, 4), (4, 1), 2, (4, 1), id="nothing-to-do"),
        pytest.param((4,), (1,), 3, (0, 0, 1), id="from-the-right"),
        pytest.param((1, 4), (4, 1), 2, (0, 1), id="size-1"),
        pytest.param((0, 4), (4, 1), 2, (4, 1), id="size-0"),
    ],
)
def test_aligned_strides(shape, strides, rank, aligned):
    assert aligned_strides(shape, strides, rank) == aligned


def test_order_is_innermost_first():
    space = Space((2, 3, 4), ((12, 4, 1), (1, 2, 6), (-1, 0, 2)))
    assert [space.order(operand) for operand in range(3)] == [[2, 1, 0], [0, 1, 2], [0, 2]]


def test_reduced_axes_are_those_that_the_output_lacks():
    assert Space((2, 3, 4), ((12, 4, 1), (0, 1, 0))).reduced == (0, 2)
    assert Space((24,), ((1,), (1,))).reduced == ()


C, FORTRAN = (1000, 1), (1, 4)
XYZ, ZYX, ZXY = (9801, 99, 1), (1, 99, 9801), (99, 1, 9801)


@pytest.mark.parametrize(
    ("space", "limit", "extents"),
    [
        pytest.param(Space((), ((), ())), 1, (), id="one-element"),
        pytest.param(Space((1000,), ((1,),)), 300, (300,), id="one-axis"),
        pytest.param(Space((4, 1000), (C,)), 1, (1, 1), id="limit-1"),
        pytest.param(Space((4, 1000), (C,)), 300, (1, 300), id="part-of-a-row"),
        pytest.param(Space((4, 1000), (C, C)), 2500, (2, 1000), id="whole-rows"),
        pytest.param(Space((4, 1000), (C,)), 9999, (4, 1000), id="all"),
        pytest.param(Space((4, 1000), (C, (0, 1), (1, 0))), 300, (1, 300), id="broadcasting-does-not-matter"),
        # runs of sqrt(100) = 10 in either order, but the first axis ends at 4; what is left lengthens the rows
        pytest.param(Space((4, 1000), (C, FORTRAN)), 100, (4, 25), id="mixed-order"),
        pytest.param(Space((100, 1000), ((1000, 1), (1, 100))), 120, (10, 12), id="mixed-order-rounded-down"),
        pytest.param(Space((99,) * 3, (XYZ, ZYX, ZXY)), 1000, (10, 10, 10), id="three-orders"),
        pytest.param(Space((99,) * 3, (XYZ, ZXY, ZYX)), 1000, (10, 10, 10), id="three-orders-in-any-sequence"),
        pytest.param(Space((99,) * 3, (XYZ, (1, 99, 0), ZXY)), 1000, (1, 31, 32), id="small-operands-do-not-matter"),
    ],
)
def test_tile(space, limit, extents):
    assert tile(space, limit, limit) == extents


@pytest.mark.parametrize(
    ("shape", "strides", "extents"),
    [
        pytest.param((99, 50), ((50, 1), (0, 1)), (4, 10), id="leading-axis"),
        pytest.param((99, 50), ((50, 1), (1, 0)), (1, 40), id="last-axis"),
        pytest.param((99, 5, 2), ((10, 2, 1), (0, 1, 0)), (4, 5, 2), id="around-a-short-axis"),
        pytest.param((99, 50, 2), ((100, 2, 1), (0, 1, 0)), (2, 10, 2), id="around-a-long-axis"),
    ],
)
def test_a_run_of_a_reduction_ends_at_10_results(shape, strides, extents):
    assert tile(Space(shape, strides), 40, 10) == extents


@settings(max_examples=150)
@given(layouts(50), st.integers(1, 3000))
def test_blocks_keep_the_limit_and_use_most_of_it(layout, limit):
    space = make_space(*layout)
    extents = tile(space, limit, limit)
    assert len(extents) == len(space.shape)
    assert all(1 <= extent <= size for extent, size in zip(extents, space.shape, strict=True))
    assert prod(extents) <= limit
    assert prod(extents) * 4 >= min(limit, prod(space.shape))
