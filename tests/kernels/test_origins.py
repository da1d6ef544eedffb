"""Where NaNs are, and which operand the elements of a minimum came from: cases worked out by hand."""

import numpy as np
import pytest

from mincli import kernels
from mincli.spec.dtypes import BY_NAME
from tests import oracle
from tests.arrays import every_type, random_array, special_bits
from tests.kernels.test_minimum import NANS, every_float, from_bits, minimum

FLOAT, INT32 = BY_NAME["float"], BY_NAME["int32"]


@every_type
def test_is_nan(element):
    array = np.concatenate([from_bits(special_bits(element), element), random_array(1, (40,), element)])
    expected = [bits == oracle.NAN for bits in oracle.bits_of(array, element).values()]
    found = kernels.is_nan(array, element)
    assert found.dtype == bool
    assert found.tolist() == expected


@every_float
def test_every_nan_pattern_is_nan(element):
    assert kernels.is_nan(from_bits(NANS[element.name], element), element).tolist() == [True] * 6


@every_type
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)], ids=str)
def test_is_nan_keeps_the_shape(element, shape):
    assert kernels.is_nan(np.zeros(shape, element.storage), element).shape == shape


def counted(operands, element):
    arrays = [np.array(operand, element.storage) for operand in operands]
    result = minimum(arrays, np.broadcast_shapes(*(array.shape for array in arrays)), element)
    return kernels.origins(arrays, result, element)


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        pytest.param([[1, 2, 3]], ([3], 0), id="one"),
        pytest.param([[1, 5, 2], [4, 0, 3]], ([2, 1], 0), id="two"),
        pytest.param([[1, 1], [1, 1], [1, 0]], ([1, 0, 1], 0), id="the-earliest-of-equals"),
        pytest.param([[[1], [9]], [5, 7, 8]], ([3, 3], 0), id="broadcast"),
        pytest.param([4, 3], ([0, 1], 0), id="scalars"),
        pytest.param([[], []], ([0, 0], 0), id="nothing"),
    ],
)
def test_integers(operands, expected):
    assert counted(operands, INT32) == expected


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        pytest.param([[np.nan, 1.0], [0.0, 2.0]], ([1, 0], 1), id="nan-counts-for-nobody"),
        pytest.param([[np.nan, np.nan]], ([0], 2), id="only-nan"),
        pytest.param([[0.0, -0.0], [-0.0, 0.0]], ([1, 1], 0), id="zeros-differ"),
        pytest.param([np.nan, -np.inf], ([0, 0], 1), id="scalars"),
    ],
)
def test_floats(operands, expected):
    assert counted(operands, FLOAT) == expected


def test_halves_are_compared_as_patterns():
    half = BY_NAME["float16"]
    operands = [[0x8000, 0x3C00, 0x7E00], [0x0000, 0xBC00, 0x0000]]  # -0, 1, NaN; 0, -1, 0
    assert counted(operands, half) == ([1, 1], 1)


@every_type
def test_every_element_is_counted_once(element):
    operands = [random_array(seed, (9, 20), element, special=0.2) for seed in range(4)]
    counts, nan = kernels.origins(operands, minimum(operands, (9, 20), element), element)
    assert len(counts) == 4
    assert sum(counts) + nan == 180


@every_type
def test_no_operands_count_only_nan(element):
    result = random_array(5, (60,), element)
    expected = list(oracle.bits_of(result, element).values()).count(oracle.NAN)
    assert kernels.origins([], result, element) == ([], expected)


def test_operands_may_share_one_buffer():
    """Each operand is looked at before the next one is asked for, so a reader may reuse its memory."""
    buffer, rows = np.empty(3, "i4"), [[1, 5, 9], [4, 2, 8]]

    def read():
        for row in rows:
            buffer[:] = row
            yield buffer

    assert kernels.origins(read(), np.array([1, 2, 8], "i4"), INT32) == ([1, 2], 0)
