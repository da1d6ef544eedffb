"""AveragePool and LpPool; their values are worked out by hand."""

import numpy as np
import pytest

from tests.models.operators.nodes import f4, run_node


def average(opset, *values, **attributes):
    return run_node("AveragePool", opset, f4([[values]]), **attributes).ravel().tolist()


def lp(opset, *values, **attributes):
    return run_node("LpPool", opset, f4([[values]]), **attributes).ravel().tolist()


@pytest.mark.parametrize("opset", [1, 7, 10, 11, 19, 22])
def test_averages(opset):
    assert average(opset, 1, 2, 3, 4, kernel_shape=[2]) == [1.5, 2.5, 3.5]
    assert average(opset, 1, 2, 3, 4, kernel_shape=[2], strides=[2]) == [1.5, 3.5]
    assert average(opset, 1, 2, 3, 4, kernel_shape=[3], strides=[3], pads=[1, 1]) == [1.5, 3.5]


@pytest.mark.parametrize("opset", [7, 10, 11, 19, 22])
def test_padding_counts_if_told(opset):
    at = {"kernel_shape": [3], "strides": [3], "pads": [1, 1], "count_include_pad": 1}
    assert average(opset, 1, 2, 3, 4, **at) == pytest.approx([1, 7 / 3])


@pytest.mark.parametrize("opset", [10, 11, 19, 22])
@pytest.mark.parametrize("include", [0, 1])
def test_ceil_mode_neither_moves_the_windows_nor_counts_what_stands_out(opset, include):
    at = {"kernel_shape": [3], "strides": [3], "ceil_mode": 1, "count_include_pad": include}
    assert average(opset, 1, 2, 3, 4, 5, 6, 7, **at) == [2, 5, 7]


def test_no_window_starts_in_the_padding_at_the_end():
    # by the formula 3 windows; the third would start at 4, behind the input
    assert average(22, 1, 2, 3, 4, kernel_shape=[1], strides=[2], pads=[0, 1], ceil_mode=1) == [1, 3]


def test_auto_pad():
    assert average(7, 1, 2, 3, kernel_shape=[2], auto_pad="SAME_UPPER") == [1.5, 2.5, 3]
    assert average(7, 1, 2, 3, kernel_shape=[2], auto_pad="SAME_LOWER") == [1, 1.5, 2.5]
    assert average(7, 1, 2, 3, kernel_shape=[2], auto_pad="SAME_LOWER", count_include_pad=1) == [0.5, 1.5, 2.5]
    assert average(7, 1, 2, 3, kernel_shape=[2], auto_pad="VALID") == [1.5, 2.5]
    assert average(7, 1, 2, 3, 4, kernel_shape=[1], strides=[3], auto_pad="SAME_UPPER") == [1, 4]


def test_dilations_count_in_the_padding_of_auto_pad():
    at = {"kernel_shape": [2], "dilations": [3]}
    assert average(19, 1, 2, 3, 4, 5, **at) == [2.5, 3.5]
    assert average(19, 1, 2, 3, 4, auto_pad="SAME_UPPER", **at) == [3, 2.5, 2, 3]  # from -1, 0, 1 and 2 on


def test_nan_is_a_value():
    assert str(average(22, 1, np.nan, 3, 4, kernel_shape=[2])) == "[nan, nan, 3.5]"
    assert str(lp(22, 1, np.nan, 3, 4, kernel_shape=[2])) == "[nan, nan, 5.0]"


def test_two_axes():
    x = f4([[[[1, 2], [3, 4]]]])
    assert run_node("AveragePool", 22, x, kernel_shape=[2, 2], pads=[1, 0, 0, 0]).tolist() == [[[[1.5], [2.5]]]]
    y = run_node("AveragePool", 22, x, kernel_shape=[2, 2], pads=[1, 0, 0, 0], count_include_pad=1)
    assert y.tolist() == [[[[0.75], [2.5]]]]


def test_float16_is_summed_in_float32():
    y = run_node("AveragePool", 22, np.array([[[60000, 60000]]], np.float16), kernel_shape=[2])
    assert (y.dtype, y.tolist()) == (np.float16, [[[60000]]])


def test_lp_pool():
    assert lp(1, 3, -4, 0, kernel_shape=[2], p=1.0) == [7, 4]
    for opset in (1, 2, 11, 18, 22):
        assert lp(opset, 3, -4, 0, kernel_shape=[2]) == [5, 4]
        assert lp(opset, 3, kernel_shape=[2], pads=[1, 1]) == [3, 3]
    assert lp(18, 3, 4, 5, kernel_shape=[2], strides=[2], ceil_mode=1) == [5, 5]
    assert lp(18, 3, 4, 5, kernel_shape=[2], dilations=[2], p=1) == [8]
