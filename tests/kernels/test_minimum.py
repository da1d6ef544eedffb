"""The element-wise kernel against the oracle: every type, every layout, every place of NaNs and zeros."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays, mutually_broadcastable_shapes

from mincli import kernels
from tests import oracle
from tests.arrays import ELEMENT_TYPES, element_id, every_type, random_array, special_bits

# signalling, quiet and all-ones NaNs, positive and negative; minus infinity; minus zero; one
NANS = {
    "float16": [0x7C01, 0x7E00, 0x7FFF, 0xFC01, 0xFE00, 0xFFFF],
    "bfloat16": [0x7F81, 0x7FC0, 0x7FFF, 0xFF81, 0xFFC0, 0xFFFF],
    "float": [0x7F800001, 0x7FC00000, 0x7FFFFFFF, 0xFF800001, 0xFFC00000, 0xFFFFFFFF],
    "double": [0x7FF0 << 48 | 1, 0x7FF8 << 48, 2**63 - 1, 0xFFF0 << 48 | 1, 0xFFF8 << 48, 2**64 - 1],
}
MINUS_INFINITY = {"float16": 0xFC00, "bfloat16": 0xFF80, "float": 0xFF800000, "double": 0xFFF0 << 48}
MINUS_ZERO = {"float16": 0x8000, "bfloat16": 0x8000, "float": 0x80000000, "double": 2**63}
ONE = {"float16": 0x3C00, "bfloat16": 0x3F80, "float": 0x3F800000, "double": 0x3FF0 << 48}

FLOATS = [element for element in ELEMENT_TYPES if element.is_float]
every_float = pytest.mark.parametrize("element", FLOATS, ids=element_id)
with_and_without_nan = pytest.mark.parametrize("nan", [True, False], ids=["nan", "no-nan"])

SHAPES = [(), (1,), (37,), (5, 7), (3, 1, 4), (2, 3, 4, 5), (0,), (3, 0, 2)]
VIEWS = {
    "strided": lambda array: array[::2, 1::3],
    "reversed": lambda array: array[:6, :4][::-1, ::-1],
    "transposed": lambda array: array[:4, :6].T,
    "row": lambda array: array[3, :4],
    "column": lambda array: array[:6, 2:3],
    "one": lambda array: array[5:6, 5:6],
    "scalar": lambda array: array[0, 0, ...],
    "repeated": lambda array: np.broadcast_to(array[0, :4], (6, 4)),
}


def from_bits(patterns, element):
    return np.array(patterns, f"u{element.itemsize}").view(element.storage)


def minimum(operands, shape, element):
    out = np.empty(shape, element.storage)
    with np.errstate(all="ignore"):  # as the streaming path calls the kernels
        kernels.minimum(operands, out, element)
    return out


def patterns(element):
    noise = st.integers(0, 1 if element.name == "bool" else 2 ** (8 * element.itemsize) - 1)
    return st.sampled_from(special_bits(element)) | noise


@st.composite
def broadcastable(draw):
    element = draw(st.sampled_from(ELEMENT_TYPES))
    shapes = draw(mutually_broadcastable_shapes(num_shapes=draw(st.integers(1, 5)), min_side=0, max_dims=3, max_side=3))
    bits = [draw(arrays(f"u{element.itemsize}", shape, elements=patterns(element))) for shape in shapes.input_shapes]
    return element, [array.view(element.storage) for array in bits], shapes.result_shape


@every_type
@with_and_without_nan
@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_equal_shapes(element, nan, count):
    for shape in SHAPES:
        operands = [random_array(seed, shape, element, nan=nan) for seed in range(count)]
        result = minimum(operands, shape, element)
        assert oracle.bits_of(result, element) == oracle.minimum(operands, shape, element)


@every_type
@with_and_without_nan
@pytest.mark.parametrize("view", VIEWS)
def test_views_and_broadcast_operands(element, nan, view):
    whole, other, third = (random_array(seed, (12, 12), element, nan=nan) for seed in range(3))
    operands = [VIEWS[view](whole), other[:6, :4], VIEWS["strided"](third)]
    for ordered in permutations(operands):
        result = minimum(ordered, (6, 4), element)
        assert oracle.bits_of(result, element) == oracle.minimum(operands, (6, 4), element)


@every_type
def test_all_operands_are_broadcast(element):
    operands = [random_array(seed, shape, element, nan=False) for seed, shape in enumerate([(5, 1, 1), (4, 1), (3,)])]
    result = minimum(operands, (5, 4, 3), element)
    assert oracle.bits_of(result, element) == oracle.minimum(operands, (5, 4, 3), element)


@every_type
@pytest.mark.parametrize("view", ["strided", "reversed", "transposed"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_result_in_any_layout(element, view, count):
    operands = [random_array(seed, (6, 4), element, nan=False) for seed in range(count)]
    out = VIEWS[view](random_array(9, (12, 12), element))
    kernels.minimum(operands, out, element)
    assert oracle.bits_of(out, element) == oracle.minimum(operands, (6, 4), element)


@every_float
@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_nan_at_every_place_wins(element, count):
    nans = NANS[element.name]
    bits = np.full((count, count * len(nans) + 1), MINUS_INFINITY[element.name], f"u{element.itemsize}")
    for place, (row, nan) in enumerate(product(range(count), nans)):
        bits[row, place] = nan
    result = minimum(list(bits.view(element.storage)), bits.shape[1:], element)
    expected = [oracle.NAN] * (count * len(nans)) + [MINUS_INFINITY[element.name]]
    assert list(oracle.bits_of(result, element).values()) == expected


@every_float
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_minus_zero_is_least_of_zeros_and_ones_in_every_order(element, count):
    minus_zero, one = MINUS_ZERO[element.name], ONE[element.name]
    columns = list(product([0, minus_zero, one], repeat=count))
    operands = list(from_bits(columns, element).T)
    result = minimum(operands, (len(columns),), element)
    expected = [minus_zero if minus_zero in column else min(column) for column in columns]
    assert list(oracle.bits_of(result, element).values()) == expected


@every_type
def test_every_pair_of_special_values(element):
    special = from_bits(special_bits(element), element)
    operands, shape = [special[:, None], special], (special.size, special.size)
    assert oracle.bits_of(minimum(operands, shape, element), element) == oracle.minimum(operands, shape, element)


@every_type
def test_order_of_operands_changes_no_bit(element):
    operands = [random_array(seed, (64,), element, nan=False) for seed in range(4)]
    results = {minimum(ordered, (64,), element).tobytes() for ordered in permutations(operands)}
    assert len(results) == 1


@every_type
def test_operands_are_left_alone(element):
    operands = [random_array(seed, (50,), element) for seed in range(3)]
    before = [operand.tobytes() for operand in operands]
    minimum(operands, (50,), element)
    assert [operand.tobytes() for operand in operands] == before


@every_float
def test_one_operand_keeps_the_payloads_of_its_nans(element):
    operand = from_bits(NANS[element.name], element)
    assert minimum([operand], operand.shape, element).tobytes() == operand.tobytes()


@settings(max_examples=150)
@given(broadcastable())
def test_agrees_with_the_oracle(case):
    element, operands, shape = case
    assert oracle.bits_of(minimum(operands, shape, element), element) == oracle.minimum(operands, shape, element)


@settings(max_examples=100)
@given(broadcastable())
def test_value_is_one_of_the_operands(case):
    element, operands, shape = case
    candidates = [oracle.bits_of(np.broadcast_to(operand, shape), element) for operand in operands]
    for index, bits in oracle.bits_of(minimum(operands, shape, element), element).items():
        assert bits in [own[index] for own in candidates]
