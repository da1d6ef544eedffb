"""Whether two results are the same."""

import ml_dtypes
import numpy as np
import pytest

from bench.compare import difference

NAN = float("nan")


@pytest.mark.parametrize("dtype", ["f2", ml_dtypes.bfloat16, "f4", "f8"])
@pytest.mark.parametrize(
    ("got", "want", "text"),
    [
        ([1, 2], [1, 2], ""),
        ([NAN, -0.0], [-NAN, 0.0], ""),
        ([NAN, 1], [1, 1], "1 of 2 elements"),
        ([1, 2], [2, 1], "2 of 2 elements"),
    ],
)
def test_floats(got, want, text, dtype):
    assert difference(np.array(got, dtype), np.array(want, dtype)) == text


@pytest.mark.parametrize("dtype", ["?", "i1", "u8"])
def test_integers(dtype):
    assert difference(np.array([[0, 1]], dtype), np.array([[0, 1]], dtype)) == ""
    assert difference(np.array([[0, 1]], dtype), np.array([[0, 0]], dtype)) == "1 of 2 elements"


def test_types_and_shapes():
    zeros = np.zeros((2, 1), "f4")
    assert difference(zeros, np.zeros((1, 2), "f4")) == "float32 (2, 1) instead of float32 (1, 2)"
    assert difference(zeros, np.zeros((2, 1), "f8")) == "float32 (2, 1) instead of float64 (2, 1)"


def test_large_arrays_are_compared_to_the_end():
    got, want = np.zeros((2, 5_000_000), "i1")
    got[-1] = 1
    assert difference(got, want) == "1 of 5000000 elements"
