"""Plans: blocks that are disjoint and cover the space, threads, and memory within the limit."""

from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mincli.errors import UsageError
from mincli.streaming import plan
from mincli.streaming.plan import Limits, Plan, cut, cut_into_blocks
from mincli.streaming.space import Space
from mincli.tensors.tensor import strides_of
from tests.oracle import indices

KIB, MIB = 1 << 10, 1 << 20
BUFFERS = 7
"""Blocks that a thread holds, unless a test says otherwise."""


def plan_of(space, itemsize, limits, buffers=BUFFERS, *, in_place=False):
    return cut_into_blocks(space, itemsize, buffers, limits, in_place=in_place)


@st.composite
def spaces(draw):
    """Spaces of operands in C and Fortran order, the output reduced along some axes."""
    shape = tuple(draw(st.lists(st.integers(2, 5), max_size=4)))
    reduced = draw(st.sets(st.integers(0, 3)))
    output = tuple(0 if axis in reduced else step for axis, step in enumerate(strides_of(shape)))
    orders = draw(st.lists(st.sampled_from("CF"), min_size=1, max_size=3))
    return Space(shape, (*(strides_of(shape, order) for order in orders), output))


def elements(region):
    return [
        tuple(part.start + i for part, i in zip(region, index, strict=True))
        for index in indices([part.stop - part.start for part in region])
    ]


@settings(max_examples=150)
@given(spaces(), st.integers(1, 700), st.sampled_from([1, 2, 4, 8]))
def test_regions_are_disjoint_and_cover_the_space(space, limit, itemsize):
    how = plan_of(space, itemsize, Limits(1, BUFFERS * itemsize * limit))
    regions = list(how.regions())
    assert sorted(index for region in regions for index in elements(region)) == list(indices(space.shape))
    assert len(regions) == how.blocks
    for region in regions:
        assert prod(part.stop - part.start for part in region) <= min(limit, how.buffer // itemsize)


@settings(max_examples=150)
@given(spaces(), st.integers(1, 100))
def test_the_blocks_of_one_result_follow_each_other(space, limit):
    how = plan_of(space, 4, Limits(1, BUFFERS * 4 * limit))
    kept = [axis for axis in range(len(space.shape)) if axis not in space.reduced]
    keys = [tuple(region[axis].start for axis in kept) for region in how.regions()]
    each = how.blocks_per_result
    assert keys == [key for key in dict.fromkeys(keys) for _ in range(each)]
    assert each == prod(-(-space.shape[axis] // how.extents[axis]) for axis in space.reduced)


@settings(max_examples=150)
@given(
    spaces(),
    st.sampled_from([1, 2, 4, 8]),
    st.integers(1, 20),
    st.integers(0, 8),
    st.integers(8 * 20, 10_000_000),
    st.booleans(),
)
def test_memory_and_threads_are_within_the_limits(space, itemsize, buffers, threads, memory, in_place):
    how = plan_of(space, itemsize, Limits(threads, memory), buffers, in_place=in_place)
    assert how.memory == how.threads * how.buffer * buffers <= memory
    assert 1 <= how.threads <= (threads or plan.usable_cpus())
    assert how.buffer == prod(how.extents) * itemsize


@pytest.mark.parametrize(
    ("elements", "itemsize", "limits", "threads", "buffer"),
    [
        pytest.param(MIB, 4, Limits(4, 64 * MIB), 4, plan.BLOCK, id="blocks-of-the-usual-size"),
        pytest.param(MIB, 4, Limits(16, 64 * MIB), 4, plan.BLOCK, id="no-more-threads-than-blocks"),
        pytest.param(1000, 4, Limits(4), 1, 4000, id="small-array"),
        pytest.param(0, 4, Limits(4), 1, 0, id="empty-array"),
        pytest.param(MIB, 4, Limits(4, BUFFERS * 64 * KIB), 1, 64 * KIB, id="memory-for-one-thread"),
        pytest.param(MIB, 4, Limits(4, 2 * BUFFERS * 64 * KIB), 2, 64 * KIB, id="memory-for-two-threads"),
        pytest.param(MIB, 4, Limits(4, BUFFERS * 4), 1, 4, id="blocks-of-one-element"),
        pytest.param(MIB, 4, Limits(4, 1000 + BUFFERS * 4, held=1000), 1, 4, id="beside-what-is-held"),
        pytest.param(MIB, 3, Limits(1, BUFFERS * KIB), 1, 1023, id="whole-elements"),
    ],
)
def test_plan(elements, itemsize, limits, threads, buffer):
    how = plan_of(Space((elements,), ((1,), (1,))), itemsize, limits)
    assert (how.threads, how.buffer) == (threads, buffer)
    assert how.memory == threads * buffer * BUFFERS + limits.held


@pytest.mark.parametrize(
    "output", [(1 << 10, 1), (0, 1), (1, 0)], ids=["nothing-reduced", "along-columns", "along-rows"]
)
def test_blocks_of_arrays_in_memory(output):
    space = Space((1 << 15, 1 << 10), ((1 << 10, 1), output))
    assert plan_of(space, 4, Limits(2), 1, in_place=True).buffer == plan.BLOCK_IN_PLACE


def test_no_limits_mean_24_mib_and_the_usable_cpus(monkeypatch):
    monkeypatch.setattr(plan, "usable_cpus", lambda: 3)
    space = Space((1 << 30,), ((1,),) * 2)
    how = plan_of(space, 8, Limits())
    assert (how.threads, how.buffer) == (3, plan.BLOCK)
    how = plan_of(space, 8, Limits(8), 15)
    assert (how.threads, how.buffer) == (8, 24 * MIB // (8 * 15) // 8 * 8)


@pytest.mark.parametrize(
    ("held", "hint"),
    [
        pytest.param(0, "give at least 56 bytes", id="nothing-held"),
        pytest.param(
            100,
            "give at least 156 bytes, 100 of them for the result, which is held whole",
            id="beside-what-is-held",
        ),
    ],
)
def test_too_little_memory(held, hint):
    space, least = Space((100,), ((1,), (1,))), held + 8 * BUFFERS
    assert plan_of(space, 8, Limits(1, least, held)).extents == (1,)
    with pytest.raises(UsageError) as caught:
        plan_of(space, 8, Limits(1, least - 1, held))
    assert str(caught.value) == f"--max-memory {least - 1} is too little\n  hint: {hint}"


@pytest.mark.parametrize(
    ("size", "extent", "ranges"),
    [
        pytest.param(6, 2, [(0, 2), (2, 4), (4, 6)], id="even"),
        pytest.param(5, 2, [(0, 2), (2, 4), (4, 5)], id="rest"),
        pytest.param(3, 9, [(0, 3)], id="one"),
        pytest.param(0, 2, [], id="nothing"),
    ],
)
def test_cut(size, extent, ranges):
    assert [(part.start, part.stop) for part in cut(size, extent)] == ranges


def test_a_space_without_axes_is_one_block_of_one_element():
    how = plan_of(Space((), ((), ())), 4, Limits())
    assert list(how.regions()) == [()]
    assert (how.blocks, how.blocks_per_result, how.buffer) == (1, 1, 4)


def test_reduced_axes_vary_fastest():
    how = Plan(Space((2, 2, 2), ((4, 2, 1), (0, 1, 0))), (1, 1, 1), 1, 4, 28)
    starts = [tuple(part.start for part in region) for region in how.regions()]
    assert starts == [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1), (0, 1, 0), (0, 1, 1), (1, 1, 0), (1, 1, 1)]
    assert how.blocks_per_result == 4
