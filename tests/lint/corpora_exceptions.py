"""Models of onnx's own suites that are invalid, and those that onnx's checker refuses alone: names as in `fnmatch`."""

EXPERIMENTAL = (
    "an experimental operator of its day, which onnx dropped before opset 10: it is not judged, and MC317 says so;"
    " the checker of today has never heard of it"
)

INVALID = {
    "1.3.0/test_convtranspose_output_shape": (
        {"MC510"},
        "output_shape has sizes for the batch and the channels too; ConvTranspose 1 has it of the spatial axes",
    ),
    "1.13.1/test_group_normalization_e*[!d]": (
        {"MC302"},
        "GroupNormalization 18 had scale and bias of the wrong size; onnx 1.16 deprecated it for 21",
    ),
    "1.16.2/test_maxpool_2d_ceil_output_size_reduce_by_one": (
        {"MC508"},
        "by the formula of MaxPool 12 the output is [1, 1, 2, 2]; the case has what MaxPool 22 says",
    ),
}
"""Models with errors, by pattern: the codes of all their errors, and the reason."""

REFUSED = {
    "1.[234].*/test_thresholdedrelu*": EXPERIMENTAL,
    "1.3.0/test_mvn": EXPERIMENTAL,
    "node/test_mvn": "onnx infers the body of MeanVarianceNormalization 13 without the default of its attribute axes",
    "1.1[25].0/test_mvn": "the same",
}
"""Models that onnx's checker refuses although mincli finds no error, by pattern: the reason."""

REFUSED_WORDS = {
    "^Invalid tensor data type": "what a call gives to a function's attribute that is an element type is not judged",
    "^No Opset registered for domain own": "a domain that onnx does not know may have any opset",
    r"MeanVarianceNormalization\).*op_type:Constant": "as test_mvn in REFUSED",
}
"""What the checker says of models that are right by the standard: regular expressions, each with the reason."""
