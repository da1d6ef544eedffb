"""Operators that onnx's evaluator does not compute by the rules of their version: one file per operator.

`REPLACEMENTS` has a row for each, all of ONNX's own domain: its name, the first opset and the last that the class is
for, and the class. Everything else is onnx's own.
"""

from typing import NamedTuple

import onnx
from onnx.reference.op_run import OpRun

from mincli.models.operators import (
    batch_normalization,
    broadcasting,
    cast,
    conv_transpose,
    cumsum,
    dequantize_linear,
    det,
    experimental,
    flatten,
    gather_elements,
    gemm,
    global_pool,
    grid_sample,
    loop,
    losses,
    lp_normalization,
    lrn,
    max_pool,
    max_roi_pool,
    minimum,
    non_max_suppression,
    one_hot,
    optional,
    pad,
    pools,
    prelu,
    recurrent,
    reductions,
    resize,
    roi_align,
    scan,
    scatter,
    softmax,
    split,
    squeeze,
    unique,
    unsqueeze,
    variadic,
    version_one,
)


class Replacement(NamedTuple):
    """A class in place of onnx's own.

    Attributes:
        name: of the operator.
        since: the first opset that it is for.
        until: the last; 0 if it is for all that follow.
        operator: the class.
    """

    name: str
    since: int
    until: int
    operator: type[OpRun]


REPLACEMENTS = (
    Replacement("Affine", 1, 9, experimental.Affine),
    Replacement("AveragePool", 1, 0, pools.AveragePool),
    Replacement("BatchNormalization", 1, 13, batch_normalization.BatchNormalization),
    Replacement("Cast", 1, 5, cast.Cast1),
    Replacement("Cast", 21, 23, cast.Cast21),
    Replacement("Clip", 1, 5, version_one.Clip1),
    Replacement("Concat", 1, 3, version_one.Concat1),
    Replacement("ConvTranspose", 1, 0, conv_transpose.ConvTranspose),
    Replacement("CumSum", 11, 0, cumsum.CumSum),
    Replacement("DequantizeLinear", 10, 18, dequantize_linear.DequantizeLinear),
    Replacement("Det", 11, 0, det.Det),
    Replacement("Dropout", 1, 6, version_one.Dropout1),
    Replacement("Dropout", 7, 9, version_one.Dropout7),
    Replacement("DynamicSlice", 1, 9, experimental.DynamicSlice),
    Replacement("Flatten", 1, 10, flatten.Flatten1),
    Replacement("Flatten", 11, 0, flatten.Flatten),
    Replacement("GRU", 1, 0, recurrent.GRU),
    Replacement("GatherElements", 11, 0, gather_elements.GatherElements),
    Replacement("Gemm", 1, 0, gemm.Gemm),
    Replacement("GlobalLpPool", 1, 0, global_pool.GlobalLpPool),
    Replacement("GlobalMaxPool", 1, 0, global_pool.GlobalMaxPool),
    Replacement("GridSample", 16, 19, grid_sample.GridSample16),
    Replacement("Hardmax", 1, 12, softmax.Hardmax),
    Replacement("Identity", 16, 0, optional.Identity),
    Replacement("If", 1, 0, optional.If),
    Replacement("ImageScaler", 1, 9, experimental.ImageScaler),
    Replacement("LRN", 1, 0, lrn.LRN),
    Replacement("LSTM", 1, 0, recurrent.LSTM),
    Replacement("LogSoftmax", 1, 12, softmax.LogSoftmax),
    Replacement("LogSoftmax", 13, 0, softmax.LogSoftmax13),
    Replacement("Loop", 1, 0, loop.Loop),
    Replacement("LpNormalization", 1, 0, lp_normalization.LpNormalization),
    Replacement("LpPool", 1, 0, pools.LpPool),
    Replacement("MaxPool", 1, 0, max_pool.MaxPool),
    Replacement("MaxRoiPool", 1, 0, max_roi_pool.MaxRoiPool),
    Replacement("Mean", 8, 0, variadic.Mean8),
    Replacement("MeanVarianceNormalization", 1, 0, experimental.MeanVarianceNormalization),
    Replacement("Min", 1, 0, minimum.Min),
    Replacement("NegativeLogLikelihoodLoss", 12, 0, losses.NegativeLogLikelihoodLoss),
    Replacement("NonMaxSuppression", 10, 0, non_max_suppression.NonMaxSuppression),
    Replacement("OneHot", 9, 10, one_hot.OneHot9),
    Replacement("OneHot", 11, 0, one_hot.OneHot),
    Replacement("Optional", 15, 0, optional.Optional),
    Replacement("OptionalGetElement", 15, 0, optional.OptionalGetElement),
    Replacement("OptionalHasElement", 15, 0, optional.OptionalHasElement),
    Replacement("PRelu", 1, 6, prelu.PRelu1),
    Replacement("PRelu", 7, 0, prelu.PRelu),
    Replacement("Pad", 1, 10, pad.Pad1),
    Replacement("Pad", 11, 0, pad.Pad),
    Replacement("ParametricSoftplus", 1, 9, experimental.ParametricSoftplus),
    Replacement("RNN", 1, 0, recurrent.RNN),
    Replacement("ReduceLogSumExp", 1, 0, reductions.ReduceLogSumExp),
    Replacement("ReduceMin", 1, 0, minimum.ReduceMin),
    Replacement("ReduceSumSquare", 1, 0, reductions.ReduceSumSquare),
    Replacement("Reshape", 1, 4, version_one.Reshape1),
    Replacement("Resize", 10, 10, resize.Resize10),
    Replacement("Resize", 11, 18, resize.Resize11),
    Replacement("RoiAlign", 10, 15, roi_align.RoiAlign10),
    Replacement("ScaledTanh", 1, 9, experimental.ScaledTanh),
    Replacement("Scan", 8, 8, scan.Scan8),
    Replacement("Scan", 9, 0, scan.Scan),
    Replacement("Scatter", 9, 10, scatter.Scatter),
    Replacement("Softmax", 1, 12, softmax.Softmax),
    Replacement("SoftmaxCrossEntropyLoss", 12, 0, losses.SoftmaxCrossEntropyLoss),
    Replacement("Split", 1, 1, split.Split1),
    Replacement("Split", 2, 12, split.Split2),
    Replacement("Split", 13, 17, split.Split13),
    Replacement("Split", 18, 0, split.Split18),
    Replacement("Squeeze", 1, 10, squeeze.Squeeze1),
    Replacement("Squeeze", 11, 12, squeeze.Squeeze11),
    Replacement("Squeeze", 13, 0, squeeze.Squeeze13),
    Replacement("ThresholdedRelu", 1, 9, experimental.ThresholdedRelu),
    Replacement("Tile", 1, 5, version_one.Tile1),
    Replacement("Unique", 11, 0, unique.Unique),
    Replacement("Unsqueeze", 1, 10, unsqueeze.Unsqueeze1),
    Replacement("Unsqueeze", 11, 12, unsqueeze.Unsqueeze11),
    Replacement("Unsqueeze", 13, 0, unsqueeze.Unsqueeze13),
    Replacement("Upsample", 1, 6, resize.Upsample1),
    Replacement("Upsample", 7, 8, resize.Upsample7),
    Replacement("Upsample", 9, 9, resize.Resize10),
    *(Replacement(name, 1, 6, broadcasting.Binary) for name in broadcasting.NAMES),
    *(Replacement(name, 1, 7, variadic.Variadic) for name in variadic.NAMES),
)
"""By name and first opset; at the end the operators that share a class."""


_CLASSES = {
    (row.name, opset): row.operator
    for row in REPLACEMENTS
    for opset in range(row.since, (row.until or onnx.defs.onnx_opset_version()) + 1)
}


def replacement(domain: str, name: str, opset: int) -> type[OpRun] | None:
    """Return the class to use for an operator at an opset, or None if onnx's own is right."""
    return None if domain else _CLASSES.get((name, opset))
