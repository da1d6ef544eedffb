"""Random arrays to compute on."""

import numpy as np
import pytest

from bench.case import ELEMENTS, FLOATS
from bench.operands import dtype_of, values


@pytest.mark.parametrize("element", ELEMENTS)
def test_type_count_and_seed(element):
    first, again, other = values(element, 1000, 1), values(element, 1000, 1), values(element, 1000, 2)
    assert (first.dtype, first.shape) == (dtype_of(element), (1000,))
    assert first.tobytes() == again.tobytes() != other.tobytes()
    assert first.flags.writeable


@pytest.mark.parametrize("element", FLOATS)
def test_special_values(element):
    plain, relu, nan = (values(element, 1000, 1, special).astype("f8") for special in ("", "ReLU", "NaN"))
    assert np.isfinite(plain).all()
    assert (relu == np.maximum(plain, 0)).all()
    assert not np.signbit(relu).any()
    assert np.flatnonzero(np.isnan(nan)).tolist() == list(range(0, 1000, 100))
