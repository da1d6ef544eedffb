"""The binary operators until opset 6."""

import numpy as np
import pytest

from mincli.errors import ModelError
from tests.models.operators.nodes import f4, run_node

A = f4([[1, 2], [3, 4]])


@pytest.mark.parametrize("opset", [1, 5, 6])
def test_the_second_operand_is_a_part_of_the_first_from_axis_on(opset):
    assert run_node("Add", opset, A, f4([10, 20]), broadcast=1).tolist() == [[11, 22], [13, 24]]
    assert run_node("Add", opset, A, f4([10, 20]), broadcast=1, axis=0).tolist() == [[11, 12], [23, 24]]
    assert run_node("Mul", opset, A, f4(2), broadcast=1).tolist() == [[2, 4], [6, 8]]
    assert run_node("Sub", opset, A, A).tolist() == [[0, 0], [0, 0]]


def test_shapes_are_equal_without_broadcast():
    with pytest.raises(ModelError) as raised:
        run_node("Add", 6, A, f4([10, 20]))
    assert raised.value.message == "node 0 (Add): the shapes 2 x 2 and 2 differ"
    assert raised.value.details == ("until opset 6, they have to be equal unless the attribute broadcast is 1",)


def test_what_is_no_part():
    with pytest.raises(ModelError, match=r"^node 0 \(Add\): 3 is no part of 2 x 2 from axis 1 on"):
        run_node("Add", 6, A, f4([1, 2, 3]), broadcast=1)


def test_integers_are_divided_towards_zero():
    a, b = np.array([7, -7, 7, -7, 6]), np.array([2, 2, -2, -2, 3])
    assert run_node("Div", 6, a, b).tolist() == [3, -3, -3, 3, 2]


def test_comparisons_and_logic():
    t = np.array([True, False])
    assert run_node("And", 1, t, np.array(True), broadcast=1).tolist() == [True, False]
    assert run_node("Or", 1, t, t).tolist() == [True, False]
    assert run_node("Xor", 1, t, np.array(True), broadcast=1).tolist() == [False, True]
    assert run_node("Equal", 1, np.array([1, 2]), np.array([1, 3])).tolist() == [True, False]
    assert run_node("Less", 1, A, f4([2, 4]), broadcast=1).tolist() == [[True, True], [False, False]]
    assert run_node("Greater", 1, A, f4([0, 4]), broadcast=1).tolist() == [[True, False], [True, False]]
    assert run_node("Pow", 1, A, f4([1, 2]), broadcast=1).tolist() == [[1, 4], [3, 16]]


def test_from_7_on_they_broadcast_as_numpy_does():
    assert run_node("Add", 7, A, f4([10, 20])).tolist() == [[11, 22], [13, 24]]
