"""The operators that differ in a rule or two; their values are worked out by hand."""

import numpy as np
import pytest

from mincli.errors import EngineError, ModelError
from tests.models.operators.nodes import f4, ints, run_node

X = f4([[1, 2, 3], [4, 5, 6]])


def test_cast_21_saturates_4_bit_integers_and_24_wraps():
    x = f4([-9, -8, 7, 8, 100])
    assert run_node("Cast", 21, x, to=22).astype(int).tolist() == [-8, -8, 7, 7, 7]
    assert run_node("Cast", 23, x, to=21).astype(int).tolist() == [0, 0, 7, 8, 15]
    assert run_node("Cast", 24, x, to=22).astype(int).tolist() == [7, -8, 7, -8, 4]


def test_cast_23_makes_the_greatest_float4_of_nan():
    assert run_node("Cast", 23, f4([np.nan, 1, -100]), to=23).astype(float).tolist() == [6, 1, -6]


def test_cast_of_strings():
    assert run_node("Cast", 13, np.array(["1.5", "-2", "inf"], object), to=1).tolist() == [1.5, -2, float("inf")]
    y = run_node("Cast", 13, ints(3, -4), to=8)
    assert (y.dtype, y.tolist()) == (object, ["3", "-4"])


def test_clip_1_has_its_bounds_as_attributes():
    assert run_node("Clip", 1, X, min=2.0, max=5.0).tolist() == [[2, 2, 3], [4, 5, 5]]
    assert run_node("Clip", 1, X, max=2.0, consumed_inputs=[0]).tolist() == [[1, 2, 2], [2, 2, 2]]
    assert run_node("Clip", 6, X, min=2.0).tolist() == [[2, 2, 3], [4, 5, 6]]


def test_concat_1_has_the_axis_1_by_default():
    assert run_node("Concat", 1, X, X).shape == (2, 6)
    assert run_node("Concat", 1, X, X, axis=0).shape == (4, 3)


def test_reshape_1_has_its_shape_as_attribute():
    assert run_node("Reshape", 1, X, shape=[0, -1, 1]).shape == (2, 3, 1)


def test_split_1():
    left, right = run_node("Split", 1, X, outputs=2, axis=1, split=[1, 2])
    assert (left.tolist(), right.tolist()) == ([[1], [4]], [[2, 3], [5, 6]])
    top, bottom = run_node("Split", 1, X, outputs=2)
    assert (top.tolist(), bottom.tolist()) == ([[1, 2, 3]], [[4, 5, 6]])
    left, right = run_node("Split", 1, X, f4([2, 1]).astype("i8"), outputs=2, axis=1)
    assert (left.tolist(), right.tolist()) == ([[1, 2], [4, 5]], [[3], [6]])


def test_tile_1_repeats_along_one_axis():
    assert run_node("Tile", 1, f4([[1, 2]]), f4(2), f4(1)).tolist() == [[1, 2, 1, 2]]


def test_dropout_before_7():
    assert run_node("Dropout", 6, X, is_test=1).tolist() == X.tolist()
    with pytest.raises(
        EngineError, match=r"^node 0 \(Dropout\) failed on .*: ValueError: it is in training mode, which is random"
    ):
        run_node("Dropout", 6, X)


def test_selu_1_has_the_constants_of_its_time():
    assert run_node("Selu", 1, f4([1, -50])).tolist() == pytest.approx([1.0507, -1.0507 * 1.6732], rel=1e-6)
    assert run_node("Selu", 6, f4([1])).tolist() == [np.float32(1.05070102214813232421875)]


def test_gemm_1_broadcasts_when_told():
    assert run_node("Gemm", 1, f4([[1, 2]]), f4([[3], [4]]), f4([1]), broadcast=1).tolist() == [[12]]


def test_cumsum_takes_one_element_as_axis():
    assert run_node("CumSum", 11, X, ints(1)).tolist() == [[1, 3, 6], [4, 9, 15]]
    assert run_node("CumSum", 14, X, np.array(-1), reverse=1).tolist() == [[6, 5, 3], [15, 11, 6]]
    assert run_node("CumSum", 14, X, np.array(0), exclusive=1).tolist() == [[0, 0, 0], [1, 2, 3]]
    assert run_node("CumSum", 14, X, np.array(1), exclusive=1, reverse=1).tolist() == [[5, 3, 0], [11, 6, 0]]


def test_dequantize_linear_10_and_13():
    x = np.array([[0, 2], [4, 255]], "u1")
    assert run_node("DequantizeLinear", 10, x, f4(0.5), np.uint8(2)).tolist() == [[-1, 0], [1, 126.5]]
    assert run_node("DequantizeLinear", 13, x, f4([1, 2])).tolist() == [[0, 4], [4, 510]]
    y = run_node("DequantizeLinear", 13, x, f4([1, 2]), np.array([1, 0], "u1"), axis=0)
    assert y.tolist() == [[-1, 1], [8, 510]]


def test_global_pools_of_any_rank():
    x = f4([[[3, -4]]])
    assert run_node("GlobalMaxPool", 1, x).tolist() == [[[3]]]
    assert run_node("GlobalLpPool", 2, x).tolist() == [[[5]]]
    assert run_node("GlobalLpPool", 22, x, p=1).tolist() == [[[7]]]
    assert run_node("GlobalMaxPool", 1, f4(np.arange(8).reshape(1, 2, 2, 2))).ravel().tolist() == [3, 7]


def test_grid_sample_16_has_its_own_names_of_modes():
    x, grid = f4([[[[1, 3]]]]), f4([[[[0, 0]]]])
    assert run_node("GridSample", 16, x, grid).tolist() == [[[[2]]]]
    assert run_node("GridSample", 16, x, grid, mode="bilinear").tolist() == [[[[2]]]]
    assert run_node("GridSample", 20, x, grid, mode="linear").tolist() == [[[[2]]]]
    with pytest.raises(ModelError) as raised:
        run_node("GridSample", 16, x, grid, mode="linear")
    assert str(raised.value) == (
        "node 0 (GridSample): it has no mode linear\n  until opset 19, the modes are bilinear, nearest and bicubic"
    )


def test_one_hot():
    values = f4([0, 5])
    assert run_node("OneHot", 11, ints(1, -1, 3), np.array(3), values).tolist() == [[0, 5, 0], [0, 0, 5], [0, 0, 0]]
    assert run_node("OneHot", 9, ints(1, -1), ints(3), values).tolist() == [[0, 5, 0], [0, 0, 0]]
    assert run_node("OneHot", 11, ints(1, 0), ints(2), values, axis=0).tolist() == [[0, 5], [5, 0]]
    assert run_node("OneHot", 11, ints(-3, -4), ints(3), values).tolist() == [[5, 0, 0], [0, 0, 0]]
    few = run_node("OneHot", 11, np.array([255], "u1"), ints(300), values)  # more classes than the type has indices
    assert (few.shape, few.ravel().nonzero()[0].tolist()) == ((1, 300), [255])


def test_roi_align_10_does_not_shift_by_half_a_pixel():
    x = f4(np.arange(16).reshape(1, 1, 4, 4))
    rois, batch = f4([[0, 0, 2, 2]]), ints(0)
    at = {"output_height": 1, "output_width": 1, "sampling_ratio": 1}
    assert run_node("RoiAlign", 10, x, rois, batch, **at).item() == 5  # at (1, 1)
    assert run_node("RoiAlign", 16, x, rois, batch, **at).item() == 2.5  # at (0.5, 0.5)


def test_scatter():
    y = run_node("Scatter", 9, f4([[1, 2, 3], [4, 5, 6]]), np.array([[2, 0]]), f4([[7, 8]]), axis=1)
    assert y.tolist() == [[8, 2, 7], [4, 5, 6]]
    y = run_node("Scatter", 10, f4([[1, 2], [3, 4]]), np.array([[1, 0]]), f4([[7, 8]]))
    assert y.tolist() == [[1, 8], [7, 4]]
    with pytest.raises(EngineError, match="opset 11 of ONNX has no operator Scatter any more"):
        run_node("Scatter", 11, X, np.array([[1, 0]]), f4([[7, 8]]))


def test_mod_of_integers_and_floats():
    a, b = f4([-7.5, 7.5]), f4([3, -3])
    assert run_node("Mod", 13, a, b, fmod=1).tolist() == [-1.5, 1.5]
    assert run_node("Mod", 10, np.array([-7, 7]), np.array([3, -3])).tolist() == [2, -2]
    assert run_node("Mod", 28, a, b).tolist() == [1.5, -1.5]


def test_unsqueeze_takes_axes_in_any_order():
    assert run_node("Unsqueeze", 11, X, axes=[4, 0, 2]).shape == (1, 2, 1, 3, 1)
    assert run_node("Unsqueeze", 1, X, axes=[1]).shape == (2, 1, 3)


def test_experimental_operators():
    assert run_node("ThresholdedRelu", 7, f4([1, 3]), alpha=2.0).tolist() == [0, 3]
    assert run_node("Affine", 6, f4([1, 3]), alpha=2.0, beta=1.0).tolist() == [3, 7]
    assert run_node("ScaledTanh", 6, f4([0.5]), alpha=2.0, beta=3.0).tolist() == pytest.approx(
        [1.8102965]
    )  # 2 tanh(1.5)
    softplus = run_node("ParametricSoftplus", 6, f4([1]), alpha=2.0, beta=3.0)
    assert softplus.tolist() == pytest.approx([6.0971747])  # 2 ln(e^3 + 1)
    assert run_node("ImageScaler", 6, f4([[[[1]], [[2]]]]), scale=2.0, bias=[1.0, 0.0]).ravel().tolist() == [3, 4]
    assert run_node("DynamicSlice", 9, X, ints(0, -2), ints(1, 9)).tolist() == [[2, 3]]
    assert run_node("DynamicSlice", 9, X, ints(1), ints(2), ints(1)).tolist() == [[2], [5]]
    y = run_node("MeanVarianceNormalization", 8, f4([[[[1, 3]]]]))
    assert y.ravel().tolist() == pytest.approx([-1, 1])
    with pytest.raises(EngineError, match="opset 10 of ONNX has no operator DynamicSlice"):
        run_node("DynamicSlice", 10, X, ints(1), ints(2), ints(1))


def test_lp_normalization():
    assert run_node("LpNormalization", 1, f4([[3, -1]]), p=1).tolist() == [[0.75, -0.25]]
    assert run_node("LpNormalization", 22, f4([[3, -4], [0, 0]])).ravel().tolist() == pytest.approx([0.6, -0.8, 0, 0])


def test_dropout_7_has_a_mask_of_the_datas_type():
    y, mask = run_node("Dropout", 7, X, outputs=2)
    assert y.tolist() == X.tolist()
    assert (mask.dtype, mask.tolist()) == (np.float32, [[1, 1, 1], [1, 1, 1]])


def test_gather_elements_of_fewer_indices():
    assert run_node("GatherElements", 11, X, np.array([[2, -3]]), axis=1).tolist() == [[3, 1]]
    assert run_node("GatherElements", 13, X, np.array([[1, 0]])).tolist() == [[4, 2]]


def test_limits_of_non_max_suppression_are_scalars_or_vectors():
    boxes, scores = f4([[[0, 0, 1, 1], [0, 0, 1, 1], [5, 5, 6, 6]]]), f4([[[0.5, 0.9, 0.7]]])
    for limits in ((np.array(3), f4(0.5)), (ints(3), f4([0.5]))):
        y = run_node("NonMaxSuppression", 10, boxes, scores, *limits)
        assert y.tolist() == [[0, 0, 1], [0, 0, 2]]


def test_pad_has_four_modes():
    with pytest.raises(EngineError) as caught:
        run_node("Pad", 13, X, ints(1, 0, 0, 0), mode="symmetric")
    assert str(caught.value) == (
        "node 0 (Pad) failed on float[2, 3] x0, int64[4] x1: "
        "ValueError: the mode 'symmetric' is none of constant, reflect, edge, wrap"
    )


def test_pads_may_be_negative():
    assert run_node("Pad", 2, X, pads=[0, -1, 1, 1], value=9.0).tolist() == [[2, 3, 9], [5, 6, 9], [9, 9, 9]]
    assert run_node("Pad", 1, X, paddings=[0, 1, 0, 0]).tolist() == [[0, 1, 2, 3], [0, 4, 5, 6]]
    assert run_node("Pad", 13, X, ints(-1, 0, 0, 1), f4(7)).tolist() == [[4, 5, 6, 7]]
    assert run_node("Pad", 18, X, ints(1, 0), None, ints(-1), mode="reflect").tolist() == [[2, 1, 2, 3], [5, 4, 5, 6]]
    assert run_node("Pad", 19, X, ints(1, 0), None, ints(1), mode="wrap").tolist() == [[3, 1, 2, 3], [6, 4, 5, 6]]


def test_strings_are_padded_with_empty_ones():
    assert run_node("Pad", 13, np.array(["a"], object), ints(1, 1)).tolist() == ["", "a", ""]
    y = run_node("Pad", 18, np.array(["a"], object), ints(0, 1), np.array("z", object))
    assert y.tolist() == ["a", "z"]


def test_unique():
    outputs = run_node("Unique", 11, ints(3, 1, 3, 2), outputs=4, sorted=0)
    assert [output.tolist() for output in outputs] == [[3, 1, 2], [0, 1, 3], [0, 1, 0, 2], [2, 1, 1]]
    outputs = run_node("Unique", 11, ints(3, 1, 3, 2), outputs=4)
    assert [output.tolist() for output in outputs] == [[1, 2, 3], [1, 3, 0], [2, 0, 2, 1], [1, 1, 2]]
    assert run_node("Unique", 11, np.array([[3, 1, 3], [2, 2, 2]]), axis=1, sorted=0).tolist() == [[3, 1], [2, 2]]
    assert run_node("Unique", 11, ints(3, 1, 3), sorted=0).tolist() == [3, 1]


def test_group_normalization_18_is_deprecated_and_defined():
    y = run_node("GroupNormalization", 18, f4([[[1, 3], [5, 7]]]), f4([1]), f4([0]), num_groups=1, epsilon=0.0)
    assert y.ravel().tolist() == pytest.approx([-3 / 5**0.5, -1 / 5**0.5, 1 / 5**0.5, 3 / 5**0.5])
