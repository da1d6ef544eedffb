"""Plans: blocks that are disjoint and cover the space, threads, and memory within the limit."""

from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mincli.errors import UsageError
from mincli.streaming import plan
from mincli.streaming.plan import Limits, Plan, cut, plan_minimum, plan_reduction
from mincli.streaming.space import Space
from mincli.tensors.tensor import strides_of
from tests.oracle import indices

KIB, MIB = 1 << 10, 1 << 20
SCRATCH = plan.SCRATCH


def buffers(inputs):
    """Return how many blocks a thread holds: inputs, at most 8; the result; two to fold more inputs between."""
    return min(inputs, 8) + (1 if inputs <= 8 else 3) + SCRATCH


REDUCTION = 4 + SCRATCH


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
    how = plan_reduction(space, itemsize, Limits(1, REDUCTION * itemsize * limit))
    regions = list(how.regions())
    assert sorted(index for region in regions for index in elements(region)) == list(indices(space.shape))
    assert len(regions) == how.blocks
    for region in regions:
        assert prod(part.stop - part.start for part in region) <= min(limit, how.buffer // itemsize)


@settings(max_examples=150)
@given(spaces(), st.integers(1, 100))
def test_the_blocks_of_one_result_follow_each_other(space, limit):
    how = plan_reduction(space, 4, Limits(1, REDUCTION * 4 * limit))
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
    st.integers(8 * buffers(9), 10_000_000),
)
def test_memory_and_threads_are_within_the_limits(space, itemsize, inputs, threads, memory):
    for how in (
        plan_minimum(space, itemsize, inputs, Limits(threads, memory)),
        plan_reduction(space, itemsize, Limits(threads, memory)),
    ):
        assert how.memory <= memory
        assert 1 <= how.threads <= (threads or plan.usable_cpus())
        assert how.buffer == prod(how.extents) * itemsize


@pytest.mark.parametrize(
    ("elements", "itemsize", "inputs", "limits", "threads", "buffer"),
    [
        pytest.param(MIB, 4, 2, Limits(4, 64 * MIB), 4, plan.BLOCK, id="blocks-of-the-usual-size"),
        pytest.param(MIB, 4, 2, Limits(16, 64 * MIB), 4, plan.BLOCK, id="no-more-threads-than-blocks"),
        pytest.param(1000, 4, 2, Limits(4), 1, 4000, id="small-array"),
        pytest.param(MIB, 4, 2, Limits(4, buffers(2) * 64 * KIB), 1, 64 * KIB, id="memory-for-one-thread"),
        pytest.param(MIB, 4, 2, Limits(4, 2 * buffers(2) * 64 * KIB), 2, 64 * KIB, id="memory-for-two-threads"),
        pytest.param(MIB, 4, 2, Limits(4, buffers(2) * 4), 1, 4, id="blocks-of-one-element"),
        pytest.param(MIB, 4, 8, Limits(1, buffers(8) * KIB), 1, KIB, id="8-inputs"),
        pytest.param(MIB, 4, 9, Limits(1, buffers(9) * KIB), 1, KIB, id="9-inputs"),
        pytest.param(MIB, 4, 500, Limits(1, buffers(500) * KIB), 1, KIB, id="500-inputs"),
        pytest.param(MIB, 8, 1, Limits(1, buffers(1) * KIB), 1, KIB, id="1-input"),
        pytest.param(MIB, 4, 0, Limits(1, REDUCTION * KIB), 1, KIB, id="reduction"),
        pytest.param(MIB, 3, 0, Limits(1, REDUCTION * KIB), 1, 1023, id="whole-elements"),
    ],
)
def test_plan(elements, itemsize, inputs, limits, threads, buffer):
    space = Space((elements,), ((1,), (1,)))
    how = plan_minimum(space, itemsize, inputs, limits) if inputs else plan_reduction(space, itemsize, limits)
    assert (how.threads, how.buffer) == (threads, buffer)
    assert how.memory == threads * buffer * (buffers(inputs) if inputs else REDUCTION)


def test_no_limits_mean_24_mib_and_the_usable_cpus(monkeypatch):
    monkeypatch.setattr(plan, "usable_cpus", lambda: 3)
    space = Space((1 << 30,), ((1,),) * 21)
    how = plan_minimum(space, 8, 2, Limits())
    assert (how.threads, how.buffer) == (3, plan.BLOCK)
    how = plan_minimum(space, 8, 20, Limits(8))
    assert (how.threads, how.buffer) == (8, 24 * MIB // (8 * buffers(20)) // 8 * 8)


@pytest.mark.parametrize("inputs", [1, 2, 8, 9, 20])
def test_too_little_memory_for_a_minimum(inputs):
    space, least = Space((100,), ((1,),) * (inputs + 1)), 8 * buffers(inputs)
    assert plan_minimum(space, 8, inputs, Limits(1, least)).extents == (1,)
    with pytest.raises(UsageError) as caught:
        plan_minimum(space, 8, inputs, Limits(1, least - 1))
    assert str(caught.value) == f"--max-memory {least - 1} is too little\n  hint: give at least {least} bytes"


def test_too_little_memory_for_a_reduction():
    space, least = Space((100,), ((1,), (0,))), 2 * REDUCTION
    assert plan_reduction(space, 2, Limits(1, least)).extents == (1,)
    with pytest.raises(UsageError) as caught:
        plan_reduction(space, 2, Limits(1, least - 1))
    assert str(caught.value) == f"--max-memory {least - 1} is too little\n  hint: give at least {least} bytes"


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
    how = plan_minimum(Space((), ((), ())), 4, 1, Limits())
    assert list(how.regions()) == [()]
    assert (how.blocks, how.blocks_per_result, how.buffer) == (1, 1, 4)


def test_reduced_axes_vary_fastest():
    how = Plan(Space((2, 2, 2), ((4, 2, 1), (0, 1, 0))), (1, 1, 1), 1, 4, 28)
    starts = [tuple(part.start for part in region) for region in how.regions()]
    assert starts == [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1), (0, 1, 0), (0, 1, 1), (1, 1, 0), (1, 1, 1)]
    assert how.blocks_per_result == 4
