"""ConvTranspose."""

from tests.models.operators.nodes import f4, run_node


def test_conv_transpose():
    x, w = f4([[[1, 2]]]), f4([[[1, 10, 100]]])
    assert run_node("ConvTranspose", 11, x, w).tolist() == [[[1, 12, 120, 200]]]
    assert run_node("ConvTranspose", 1, x, w, f4([0.5]), strides=[2]).tolist() == [[[1.5, 10.5, 102.5, 20.5, 200.5]]]
    assert run_node("ConvTranspose", 11, x, w, pads=[1, 1]).tolist() == [[[12, 120]]]
    assert run_node("ConvTranspose", 11, x, w, output_padding=[1]).tolist() == [[[1, 12, 120, 200, 0]]]
    assert run_node("ConvTranspose", 11, x, w, dilations=[2]).tolist() == [[[1, 2, 10, 20, 100, 200]]]


def test_conv_transpose_with_an_output_shape():
    x, w = f4([[[1, 2]]]), f4([[[1, 10, 100]]])
    assert run_node("ConvTranspose", 1, x, w, output_shape=[3]).tolist() == [[[12, 120, 200]]]
    assert run_node("ConvTranspose", 11, x, w, output_shape=[3]).tolist() == [[[12, 120, 200]]]
    assert run_node("ConvTranspose", 11, x, w, output_shape=[1, 1, 3]).tolist() == [[[12, 120, 200]]]
    assert run_node("ConvTranspose", 11, x, w, output_shape=[3], auto_pad="SAME_UPPER").tolist() == [[[1, 12, 120]]]
    assert run_node("ConvTranspose", 11, x, w, output_shape=[6]).tolist() == [[[1, 12, 120, 200, 0, 0]]]
    assert run_node("ConvTranspose", 11, x, w, auto_pad="SAME_LOWER").tolist() == [[[12, 120]]]


def test_conv_transpose_in_groups():
    x, w = f4([[[1], [2]]]), f4([[[1, 0], [0, 1]], [[5, 0], [0, 7]]])  # 2 groups of 1 channel, 2 outputs each
    assert run_node("ConvTranspose", 11, x, w, group=2).tolist() == [[[1, 0], [0, 1], [10, 0], [0, 14]]]
