"""MaxPool, MaxRoiPool."""

import numpy as np

from tests.models.operators.nodes import f4, run_node

X = f4([[[[1, 2, 3], [6, 5, 4]]]])


def test_windows():
    assert run_node("MaxPool", 1, X, kernel_shape=[2, 2]).tolist() == [[[[6, 5]]]]
    assert run_node("MaxPool", 12, X, kernel_shape=[1, 2], strides=[1, 2]).tolist() == [[[[2], [6]]]]
    assert run_node("MaxPool", 12, X, kernel_shape=[1, 2], dilations=[1, 2]).tolist() == [[[[3], [6]]]]


def test_padding_never_wins():
    assert run_node("MaxPool", 12, -X, kernel_shape=[2, 1], pads=[1, 0, 0, 0]).tolist() == [
        [[[-1, -2, -3], [-1, -2, -3]]]
    ]
    assert run_node("MaxPool", 12, np.full((1, 1, 2), -128, "i1"), kernel_shape=[2], pads=[1, 1]).tolist() == [
        [[-128] * 3]
    ]


def test_automatic_padding():
    x = f4([[[1, 5, 2]]])
    assert run_node("MaxPool", 12, x, kernel_shape=[2], auto_pad="SAME_UPPER").tolist() == [[[5, 5, 2]]]
    assert run_node("MaxPool", 12, x, kernel_shape=[2], auto_pad="SAME_LOWER").tolist() == [[[1, 5, 5]]]
    assert run_node("MaxPool", 12, x, kernel_shape=[2], auto_pad="VALID").tolist() == [[[5, 5]]]


def test_ceil_mode():
    x = f4([[[1, 5, 2, 7]]])
    assert run_node("MaxPool", 10, x, kernel_shape=[3], strides=[2]).tolist() == [[[5]]]
    assert run_node("MaxPool", 10, x, kernel_shape=[3], strides=[2], ceil_mode=1).tolist() == [[[5, 7]]]
    assert run_node("MaxPool", 10, x, kernel_shape=[1], strides=[4], pads=[0, 1], ceil_mode=1).tolist() == [[[1]]]


def test_indices_count_the_whole_input():
    x = f4([[[[1, 2], [4, 3]], [[9, 8], [7, 6]]]])
    _, rows = run_node("MaxPool", 8, x, kernel_shape=[2, 2], outputs=2)
    assert rows.ravel().tolist() == [2, 4]
    _, columns = run_node("MaxPool", 8, x, kernel_shape=[2, 2], outputs=2, storage_order=1)
    assert columns.ravel().tolist() == [1, 4]


def test_nan_wins_and_the_first_of_equal_ones():
    y, indices = run_node("MaxPool", 12, f4([[[3, 3, np.nan]]]), kernel_shape=[2], outputs=2)
    assert str(y.tolist()) == "[[[3.0, nan]]]"
    assert indices.tolist() == [[[0, 2]]]


def test_max_roi_pool():
    x = f4(np.arange(16).reshape(1, 1, 4, 4))
    y = run_node("MaxRoiPool", 1, x, f4([[0, 0, 0, 3, 1], [0, 2, 2, 2, 2]]), pooled_shape=[1, 2])
    assert y.tolist() == [[[[5, 7]]], [[[10, 10]]]]
    y = run_node("MaxRoiPool", 22, x, f4([[0, 0, 0, 6, 6]]), pooled_shape=[2, 2], spatial_scale=0.5)
    assert y.tolist() == [[[[5, 7], [13, 15]]]]
