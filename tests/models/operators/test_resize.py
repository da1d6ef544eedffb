"""Upsample, Resize-10, and tf_half_pixel_for_nn."""

import pytest

from mincli.errors import EngineError
from tests.models.operators.nodes import f4, ints, run_node

X = f4([[[[1, 2], [3, 4]]]])


def test_nearest():
    want = [[[[1, 1, 1, 2, 2, 2], [1, 1, 1, 2, 2, 2], [3, 3, 3, 4, 4, 4], [3, 3, 3, 4, 4, 4]]]]
    assert run_node("Upsample", 7, X, mode="nearest", scales=[1.0, 1.0, 2.0, 3.0]).tolist() == want
    assert run_node("Upsample", 9, X, f4([1, 1, 2, 3])).tolist() == want
    assert run_node("Resize", 10, X, f4([1, 1, 2, 3])).tolist() == want
    assert run_node("Upsample", 1, X, height_scale=2.0, width_scale=3.0).tolist() == want


def test_linear():
    y = run_node("Resize", 10, f4([[[[1, 3]]]]), f4([1, 1, 1, 2]), mode="linear")
    assert y.tolist() == [[[[1, 2, 3, 3]]]]  # at 0, 0.5, 1 and 1.5, which is behind the last
    assert run_node("Upsample", 9, f4([[[[1, 3]]]]), f4([1, 1, 1, 2]), mode="linear").tolist() == [[[[1, 2, 3, 3]]]]


def test_resize_10_takes_the_next_element_where_it_shrinks():
    y = run_node("Resize", 10, f4([[[[1, 2, 3, 4], [5, 6, 7, 8]]]]), f4([1, 1, 0.6, 0.6]))
    assert y.tolist() == [[[[1, 3]]]]  # at 0 and 1 / 0.6


def test_upsample_is_gone_from_10_on():
    with pytest.raises(EngineError, match="opset 10 of ONNX has no operator Upsample any more"):
        run_node("Upsample", 10, X, f4([1, 1, 2, 2]))


def test_tf_half_pixel_for_nn():
    x = f4([[[[1, 2, 3, 4]]]])
    mode = {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "mode": "nearest", "nearest_mode": "floor"}
    assert run_node("Resize", 11, x, f4([]), f4([]), ints(1, 1, 1, 2), **mode).tolist() == [[[[2, 4]]]]  # at 1 and 3
    assert run_node("Resize", 13, x, None, f4([1, 1, 1, 0.5]), **mode).tolist() == [[[[2, 4]]]]


def test_other_modes_of_resize_11_are_onnxs():
    y = run_node("Resize", 11, f4([[[[1, 3]]]]), f4([]), f4([1, 1, 1, 2]), mode="linear")
    assert y.tolist() == [[[[1, 1.5, 2.5, 3]]]]
