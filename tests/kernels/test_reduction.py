"""The reduction kernels against the oracle: every type, subset of axes, length of loop, and cut into parts."""

import tracemalloc
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mincli import kernels
from mincli.kernels.folds import LONG
from mincli.spec.dtypes import BY_NAME
from tests import oracle
from tests.arrays import ELEMENT_TYPES, every_type, random_array
from tests.kernels.test_minimum import (
    MINUS_INFINITY,
    MINUS_ZERO,
    NANS,
    ONE,
    every_float,
    from_bits,
    with_and_without_nan,
)

SMALL = [(), (1,), (7,), (1, 5, 1), (3, 4), (2, 3, 4), (2, 3, 2, 5)]
# where the method changes: loops of LONG elements, and folds of 2 * LONG
LONG_SHAPES = [
    *[(length,) for length in (LONG - 1, LONG, LONG + 1, 2 * LONG - 1, 2 * LONG + 1)],
    *[(3, length) for length in (LONG - 1, LONG, LONG + 1)],
    *[(length, 2) for length in (LONG - 1, LONG, LONG + 1, 4 * LONG + 1)],
    *[(2, length, 3) for length in (2 * LONG // 3, 2 * LONG // 3 + 1, 2 * LONG + 3)],
    *[(2, 3, length) for length in (LONG - 1, LONG)],
]
LAYOUTS = {
    "transposed": lambda array: array.transpose(2, 0, 1),
    "fortran": np.asfortranarray,
    "strided": lambda array: array[::2, :, 1::2],
    "reversed": lambda array: array[::-1, ::-1, ::-1],
    "repeated": lambda array: np.broadcast_to(array[:1], array.shape),
}


def subsets(rank):
    return [axes for count in range(rank + 1) for axes in combinations(range(rank), count)]


def partial(block, axes, element):
    with np.errstate(all="ignore"):  # as the streaming path calls the kernels
        return kernels.partial(block, axes, element)


def combine(accumulator, part, element):
    with np.errstate(all="ignore"):
        return kernels.combine(accumulator, part, element)


def check(block, axes, element):
    result = partial(block, axes, element)
    assert result.dtype == element.storage
    assert oracle.bits_of(result, element) == oracle.reduce_min(block, axes, element)


@every_type
@with_and_without_nan
@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_every_subset_of_axes(element, nan, shape):
    block = random_array(1, shape, element, nan=nan, special=0.2)
    for axes in subsets(len(shape)):
        check(block, axes, element)


@every_type
@pytest.mark.parametrize("shape", LONG_SHAPES, ids=str)
def test_every_subset_of_long_axes(element, shape):
    block = random_array(2, shape, element, nan=False)
    for axes in subsets(len(shape)):
        check(block, axes, element)


@every_type
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout(element, layout):
    block = LAYOUTS[layout](random_array(3, (4, 6, 5), element, nan=False))
    for axes in subsets(3):
        check(block, axes, element)


@every_type
def test_axes_in_any_order(element):
    block = random_array(4, (3, 4, 5), element, nan=False)
    assert partial(block, (2, 0), element).tobytes() == partial(block, (0, 2), element).tobytes()


def rows_with_one_odd(fill, odds, length, inner, element):
    """Return rows of `fill`, each with one of `odds` at one place of its last column: a row for each odd and place."""
    bits = np.full((len(odds) * length, length, inner), fill, f"u{element.itemsize}")
    for row, (odd, place) in enumerate(product(odds, range(length))):
        bits[row, place, -1] = odd
    return bits.view(element.storage)


@every_float
@pytest.mark.parametrize("length", [1, 2, 7, LONG, 2 * LONG + 3])
@pytest.mark.parametrize("inner", [1, 3])
def test_nan_at_every_place_wins(element, length, inner):
    fill = MINUS_INFINITY[element.name]
    rows = rows_with_one_odd(fill, NANS[element.name], length, inner, element)
    result = list(oracle.bits_of(partial(rows, (1,), element), element).values())
    assert result == [*[fill] * (inner - 1), oracle.NAN] * len(rows)


@every_float
@pytest.mark.parametrize("length", [2, 7, LONG, 2 * LONG + 3])
@pytest.mark.parametrize("inner", [1, 3])
def test_minus_zero_at_every_place_is_least(element, length, inner):
    minus_zero, one = MINUS_ZERO[element.name], ONE[element.name]
    for fill, odd in [(0, minus_zero), (minus_zero, 0), (one, minus_zero)]:
        rows = rows_with_one_odd(fill, [odd], length, inner, element)
        result = list(oracle.bits_of(partial(rows, (1,), element), element).values())
        assert result == [*[fill] * (inner - 1), minus_zero] * len(rows)


@every_type
@with_and_without_nan
def test_parts_of_any_cut_combine_to_the_whole(element, nan):
    block = random_array(3, (4, 6, 5), element, nan=nan, special=0.1)
    for axes in subsets(3)[1:]:
        whole = oracle.reduce_min(block, axes, element)
        for axis in axes:
            for cut in range(1, block.shape[axis]):
                parts = [partial(part, axes, element) for part in np.split(block, [cut], axis)]
                assert oracle.bits_of(combine(*parts, element), element) == whole
                assert oracle.bits_of(combine(*reversed(parts), element), element) == whole


@every_type
def test_three_parts_combine_in_any_grouping(element):
    block = random_array(5, (9, 4), element, nan=False)
    a, b, c = (partial(part, (0,), element) for part in np.split(block, [2, 5]))
    left = combine(combine(a, b, element), c, element)
    right = combine(a, combine(b, c, element), element)
    assert left.tobytes() == right.tobytes()
    assert oracle.bits_of(left, element) == oracle.reduce_min(block, (0,), element)


@every_type
def test_identity_is_the_minimum_of_nothing_and_changes_nothing(element):
    shape = (3, 1, 20)
    nothing = kernels.identity(shape, element)
    assert oracle.bits_of(nothing, element) == dict.fromkeys(oracle.indices(shape), oracle.least([], element))
    some = random_array(6, shape, element)
    assert oracle.bits_of(combine(nothing, some, element), element) == oracle.bits_of(some, element)
    assert oracle.bits_of(combine(some, nothing, element), element) == oracle.bits_of(some, element)


@every_type
@pytest.mark.parametrize("axes", [(), (0,), (1,), (0, 1)], ids=str)
def test_block_is_left_alone_and_the_result_is_new(element, axes):
    block = random_array(7, (3, 5), element)
    before = block.tobytes()
    result = partial(block, axes, element)
    assert not np.shares_memory(result, block)
    result[...] = 0
    assert block.tobytes() == before


@every_type
def test_axes_of_one_element_keep_every_value(element):
    block = random_array(8, (1, 40, 1), element, nan=False)
    assert partial(block, (0, 2), element).tobytes() == block.tobytes()


@every_float
def test_reduction_without_axes_keeps_the_payloads_of_nans(element):
    block = from_bits(NANS[element.name], element)
    assert partial(block, (), element).tobytes() == block.tobytes()


@settings(max_examples=120)
@given(st.data())
def test_agrees_with_the_oracle(data):
    element = data.draw(st.sampled_from(ELEMENT_TYPES))
    shape = tuple(data.draw(st.lists(st.integers(1, 6), max_size=4)))
    axes = data.draw(st.sets(st.sampled_from(range(len(shape))))) if shape else ()
    check(random_array(data.draw(st.integers(0, 999)), shape, element, nan=data.draw(st.booleans())), [*axes], element)


@settings(max_examples=60)
@given(st.data())
def test_agrees_with_the_oracle_for_loops_of_any_length(data):
    element = data.draw(st.sampled_from(ELEMENT_TYPES))
    length = data.draw(st.integers(1, 5 * LONG))
    inner = data.draw(st.integers(1, 5 * LONG // length))
    outer = data.draw(st.integers(1, 2))
    block = random_array(data.draw(st.integers(0, 999)), (outer, length, inner), element, nan=False)
    for axes in [(1,), (0, 1), (1, 2)]:
        check(block, axes, element)


@pytest.mark.parametrize(
    ("shape", "axes", "name", "once"),
    [
        pytest.param((1 << 16,), (0,), "int8", True, id="one-row"),
        pytest.param((512, 160), (1,), "float", True, id="long-rows"),
        pytest.param((512, 128), (1,), "float", False, id="short-rows"),
        pytest.param((512, 128), (1,), "int32", True, id="of-integers"),
        pytest.param((512, 128), (0,), "float", True, id="along-columns"),
        pytest.param((8, 64, 128), (0, 1), "float", True, id="several-leading-axes"),
        pytest.param((8, 64, 160), (0, 2), "float", True, id="the-long-last-axis-first"),
        pytest.param((64, 128, 8), (1, 2), "float", False, id="the-middle-axis-first"),
        pytest.param((64, 128, 8), (0, 1), "float", True, id="wide-steps"),
        pytest.param((512, 128), (), "float16", True, id="no-axes"),
        pytest.param((512, 128), (1,), "float16", False, id="16-bit-floats"),
        pytest.param((512, 128), (1,), "bfloat16", False, id="16-bit-brain-floats"),
    ],
)
def test_what_is_read_once_takes_no_memory_beside_its_result(shape, axes, name, once):
    element = BY_NAME[name]
    block = random_array(1, shape, element, nan=False, special=0)
    assert kernels.reads_once(shape, axes, element) is once
    kernels.partial(block, axes, element)
    tracemalloc.start()
    result = kernels.partial(block, axes, element)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (peak < block.nbytes / 4 + result.nbytes) is once
