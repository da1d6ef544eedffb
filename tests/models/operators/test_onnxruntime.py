"""Replaced operators beside onnxruntime's kernels, where it has them."""

import numpy as np
import pytest

from mincli.models.evaluate import evaluator
from mincli.models.load import as_model
from tests.models.operators.nodes import f4, ints, model_of

onnxruntime = pytest.importorskip("onnxruntime")

RANDOM = np.random.default_rng(7)


def some(*shape):
    return RANDOM.normal(size=shape).astype("f4")


def case(name, opset, *inputs, outputs=1, **attributes):
    shown = ",".join(f"{key}={value}" for key, value in attributes.items())
    return pytest.param(name, opset, inputs, outputs, attributes, id=f"{name}-{opset}-{shown}")


IMAGE, PARAMETERS = some(2, 3, 4, 5), (some(3), some(3), some(3), np.abs(some(3)))
W = some(3, 2, 3, 3)
CASES = [
    *(case(name, opset, some(2, 3, 4), axis=axis) for name in ("Softmax", "LogSoftmax", "Hardmax")
      for opset in (7, 11, 13) for axis in (0, 1, 2)),
    *(case("BatchNormalization", opset, IMAGE, *PARAMETERS) for opset in (7, 9, 14, 15)),
    *(case("Upsample", 7, IMAGE, mode=mode, scales=[1.0, 1.0, 2.0, 1.5]) for mode in ("nearest", "linear")),
    *(case("Resize", 10, IMAGE, f4([1, 1, *scales]), mode=mode) for mode in ("nearest", "linear")
      for scales in ((2, 3), (1.5, 2.5), (0.6, 0.7), (0.5, 0.4))),
    *(case("Resize", 11, IMAGE, f4([]), f4([1, 1, *scales]), coordinate_transformation_mode="tf_half_pixel_for_nn",
           mode="nearest", nearest_mode=rounding) for scales in ((2, 2), (0.5, 0.4))
      for rounding in ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")),
    *(case("ConvTranspose", 11, some(1, 3, 4, 5), W, some(2), **attributes) for attributes in (
        {}, {"strides": [2, 3]}, {"strides": [2, 2], "pads": [1, 0, 1, 2], "output_padding": [1, 0]},
        {"dilations": [2, 1]}, {"strides": [2, 2], "output_shape": [8, 10]},
        {"strides": [2, 2], "output_shape": [8, 10], "auto_pad": "SAME_UPPER"},
        {"strides": [3, 2], "auto_pad": "SAME_LOWER"}, {"strides": [3, 2], "auto_pad": "SAME_UPPER"},
        {"strides": [2, 2], "auto_pad": "VALID"})),
    case("ConvTranspose", 11, some(2, 4, 5), some(4, 3, 2), some(6), group=2),
    case("ConvTranspose", 1, some(1, 3, 4, 5), W, strides=[2, 2], output_shape=[8, 10], auto_pad="SAME_UPPER"),
    *(case("CumSum", 14, some(2, 3, 4), ints(axis), exclusive=exclusive, reverse=reverse)
      for axis in (0, -1) for exclusive in (0, 1) for reverse in (0, 1)),
    case("DequantizeLinear", 10, RANDOM.integers(0, 255, (2, 3), "u1"), f4(0.5), np.uint8(3)),
    *(case("DequantizeLinear", 13, RANDOM.integers(-9, 9, (3, 3), "i1"), f4([1, 2, 3]), np.array([1, 2, 3], "i1"),
           axis=axis) for axis in (0, 1, -1)),
    *(case(name, 7, some(2, 3, *shape)) for name in ("GlobalMaxPool", "GlobalLpPool") for shape in ((4,), (4, 5))),
    *(case("GridSample", 16, IMAGE, np.tanh(some(2, 3, 3, 2)), mode=mode, padding_mode=padding)
      for mode in ("bilinear", "nearest", "bicubic") for padding in ("zeros", "border")),
    *(case("OneHot", 11, ints(0, 2, -1, 5), ints(4), f4([0, 1]), axis=axis) for axis in (0, -1)),
    case("OneHot", 9, ints(0, 2, 5), ints(4), f4([0, 1])),  # it counts negative indices from the end there, too
    case("RoiAlign", 10, IMAGE, f4([[0, 0, 3, 3], [1, 1, 4, 2]]), ints(0, 1), output_height=2, output_width=2,
         sampling_ratio=2),
    *(case("Scatter", 9, some(3, 4), RANDOM.permuted(np.tile(np.arange(3), (2, 1)), axis=1), some(2, 3), axis=1)
      for _ in range(2)),
    case("Unsqueeze", 11, some(2, 3), axes=[3, 0]),
    *(case(name, opset, some(2, 3, 8, 9), kernel_shape=[3, 2], **attributes) for name in ("AveragePool", "LpPool")
      for opset, attributes in (
        (7, {"strides": [2, 3], "pads": [1, 0, 0, 1]}), (7, {"strides": [2, 1], "auto_pad": "SAME_UPPER"}),
        (7, {"auto_pad": "SAME_LOWER"}), (7, {"strides": [3, 3], "auto_pad": "VALID"}),
        (19, {"strides": [3, 3], "ceil_mode": 1}), (19, {"strides": [3, 3], "pads": [1, 1, 1, 1], "ceil_mode": 1}),
        (19, {"dilations": [2, 3]}))),
    *(case("AveragePool", 19, some(2, 3, 8, 9), kernel_shape=[3, 2], strides=[3, 3], pads=[1, 1, 1, 1],
           ceil_mode=ceil_mode, count_include_pad=1) for ceil_mode in (0, 1)),
    *(case("LRN", 13, some(2, 5, 3, 4), size=size, alpha=0.5) for size in (1, 3, 5)),
    *(case(name, 8, some(2, 1), some(3), some(4, 2, 3)) for name in ("Max", "Mean", "Sum")),
    *(case("PRelu", 9, IMAGE, some(*shape)) for shape in ((5,), (3, 1, 1), (1,), (2, 3, 4, 5))),
    *(case("Gemm", 13, some(2, 3), some(3, 4), some(*shape), alpha=0.5, beta=2.0) for shape in ((2, 4), (2, 1), (4,))),
    case("Squeeze", 11, some(1, 2, 1, 3, 1), axes=[4, 0]),
    case("Split", 18, some(3, 7), outputs=3, axis=1, num_outputs=3),
    *(case(name, opset, some(4, 5), ints(1, 0, 4, 2), *weights, ignore_index=2, reduction=reduction)
      for name, opset in (("NegativeLogLikelihoodLoss", 13), ("SoftmaxCrossEntropyLoss", 13))
      for weights in ((), (np.abs(some(5)),)) for reduction in ("none", "sum", "mean")),
    *(case(name, 7, some(3, 4), alpha=2.0, beta=0.5) for name in ("Affine", "ScaledTanh", "ParametricSoftplus")),
    case("ImageScaler", 7, IMAGE, scale=2.0, bias=[1.0, 2.0, 3.0]),
    case("ThresholdedRelu", 7, some(3, 4), alpha=0.3),
    case("MeanVarianceNormalization", 9, IMAGE),
    *(case("Cast", 13, value, to=to) for value, to in ((np.array(["1.5", "-2"], object), 1), (ints(3, -4), 8))),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "opset", "inputs", "outputs", "attributes"), CASES)
def test_the_values_are_onnxruntimes(name, opset, inputs, outputs, attributes):
    model, feeds = model_of(name, opset, inputs, outputs, **attributes)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    want = session.run(None, feeds)
    got = evaluator(as_model(model, "model")).run(None, feeds)
    for ours, theirs in zip(got, want, strict=True):
        assert ours.shape == theirs.shape
        if theirs.dtype == object:
            assert ours.tolist() == theirs.tolist()
        else:
            np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
