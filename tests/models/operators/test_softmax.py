"""Softmax, LogSoftmax and Hardmax: rows of a matrix until 12, one axis from 13 on."""

import math

import pytest

from tests.models.operators.nodes import f4, run_node

X = f4([[[0, 0], [0, 1]]])
E1 = math.e / (3 + math.e)
E0 = 1 / (3 + math.e)


@pytest.mark.parametrize("opset", [1, 7, 11, 12])
def test_until_12_all_axes_from_the_second_on_are_one_distribution(opset):
    assert run_node("Softmax", opset, X).ravel().tolist() == pytest.approx([E0, E0, E0, E1])
    assert run_node("LogSoftmax", opset, X).ravel().tolist() == pytest.approx([math.log(p) for p in (E0, E0, E0, E1)])
    assert run_node("Hardmax", opset, X).ravel().tolist() == [0, 0, 0, 1]


def test_from_13_on_the_last_axis_alone_is():
    assert run_node("Softmax", 13, X).ravel().tolist() == pytest.approx(
        [0.5, 0.5, 1 / (1 + math.e), 1 / (1 + 1 / math.e)]
    )
    assert run_node("Hardmax", 13, X).ravel().tolist() == [1, 0, 0, 1]


def test_axes():
    assert run_node("Hardmax", 11, X, axis=2).ravel().tolist() == [1, 0, 0, 1]
    assert run_node("Hardmax", 11, X, axis=-1).ravel().tolist() == [1, 0, 0, 1]
    assert run_node("Hardmax", 11, X, axis=0).ravel().tolist() == [0, 0, 0, 1]


def test_no_elements():
    assert run_node("Softmax", 11, f4([[], []])).shape == (2, 0)
    assert run_node("LogSoftmax", 11, f4([[], []])).shape == (2, 0)
    assert run_node("Hardmax", 11, f4([[], []])).shape == (2, 0)


def test_great_values_do_not_overflow():
    assert run_node("Softmax", 1, f4([[1000, 1000]])).tolist() == [[0.5, 0.5]]
    assert run_node("LogSoftmax", 1, f4([[1000, 0]])).tolist() == [[0, -1000]]


def test_log_softmax_13_of_very_different_values():
    assert run_node("LogSoftmax", 13, f4([[1000, 0]])).tolist() == [[0, -1000]]
    assert run_node("LogSoftmax", 13, f4([[0], [0]]), axis=0).ravel().tolist() == pytest.approx([-0.6931472] * 2)
