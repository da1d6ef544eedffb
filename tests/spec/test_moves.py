"""What moves between attributes and inputs, by the names alone."""

import pytest

from mincli.spec.moves import is_same


@pytest.mark.parametrize(
    ("attribute", "input_", "same"),
    [
        pytest.param("axes", "axes", True, id="equal"),
        pytest.param("k", "K", True, id="case-of-the-input"),
        pytest.param("Ratio", "ratio", True, id="case-of-the-attribute"),
        pytest.param("value", "constant_value", True, id="last-word"),
        pytest.param("value", "value_constant", False, id="first-word"),
        pytest.param("is", "axis", False, id="part-of-a-word"),
        pytest.param("constant_value", "value", False, id="longer-attribute"),
        pytest.param("axis", "axes", False, id="another-word"),
    ],
)
def test_is_same(attribute, input_, same):
    assert is_same(attribute, input_) is same
