"""The oracle itself, by cases worked out by hand."""

import numpy as np
import pytest

from mincli.spec.dtypes import BY_NAME
from tests import oracle

HALF, BRAIN, FLOAT, DOUBLE = BY_NAME["float16"], BY_NAME["bfloat16"], BY_NAME["float"], BY_NAME["double"]


@pytest.mark.parametrize(
    ("element", "patterns", "expected"),
    [
        pytest.param(FLOAT, [0x3F800000, 0xBF800000], 0xBF800000, id="one-and-minus-one"),
        pytest.param(FLOAT, [0x00000000, 0x80000000], 0x80000000, id="plus-zero-then-minus-zero"),
        pytest.param(FLOAT, [0x80000000, 0x00000000], 0x80000000, id="minus-zero-then-plus-zero"),
        pytest.param(FLOAT, [0xFF800000, oracle.NAN], oracle.NAN, id="nan-after-minus-infinity"),
        pytest.param(FLOAT, [], 0x7F800000, id="nothing"),
        pytest.param(HALF, [0x3C00, 0x3BFF], 0x3BFF, id="half"),
        pytest.param(HALF, [0xC000, 0x4000], 0xC000, id="half-minus-two-and-two"),
        pytest.param(BRAIN, [0x4000, 0xFF7F, 0x3F80], 0xFF7F, id="bfloat16-lowest"),
        pytest.param(DOUBLE, [0x8000000000000000, 0x8000000000000001], 0x8000000000000001, id="subnormal-below-zero"),
        pytest.param(BY_NAME["int8"], [0x7F, 0x80], 0x80, id="int8-extremes"),
        pytest.param(BY_NAME["uint64"], [2**64 - 1, 2**64 - 2], 2**64 - 2, id="uint64-beyond-double"),
        pytest.param(BY_NAME["int64"], [2**63 - 1, 2**63 - 2], 2**63 - 2, id="int64-beyond-double"),
        pytest.param(BY_NAME["bool"], [1, 0], 0, id="bool"),
        pytest.param(BY_NAME["bool"], [], 1, id="bool-nothing"),
    ],
)
def test_least(element, patterns, expected):
    assert oracle.least(patterns, element) == expected


def test_every_nan_is_one_value():
    array = np.array([0x7C01, 0x7FFF, 0xFC01, 0xFFFF, 0x7C00, 0xFC00], "u2")
    expected = [oracle.NAN] * 4 + [0x7C00, 0xFC00]
    assert list(oracle.bits_of(array, HALF).values()) == expected


def test_minimum_broadcasts():
    column, row = np.array([[1], [3]], "i4"), np.array([2, 0], "i4")
    expected = {(0, 0): 1, (0, 1): 0, (1, 0): 2, (1, 1): 0}
    assert oracle.minimum([column, row], (2, 2), BY_NAME["int32"]) == expected


def test_reduce_min_keeps_axes():
    array = np.array([[3, 1, 2], [6, 5, 4]], "u1")
    assert oracle.reduce_min(array, (1,), BY_NAME["uint8"]) == {(0, 0): 1, (1, 0): 4}
    assert oracle.reduce_min(array, (0, 1), BY_NAME["uint8"]) == {(0, 0): 1}
    assert oracle.reduce_min(array[:, :0], (1,), BY_NAME["uint8"]) == {(0, 0): 255, (1, 0): 255}
