"""The node tests that mincli does not pass, and why: patterns of names (as in `fnmatch`), each with its reason."""

RANDOM = "random: Bernoulli draws its own numbers"
UNDECODABLE = "the data cannot be read: the file holds memory in place of strings"
CORRECTED = "the outputs were wrong when released; a later onnx has the same model with other outputs"
ATTENTION = (
    "Attention was corrected in place until onnx 1.21: heads, grouped heads, and what the modes of the scores give"
)
DFT = "computed in double, before NumPy 2; the float32 of today's cases has errors (1.9e-7) above the tolerance (1e-7)"

INSTALLED = {
    "node/test_bernoulli*": RANDOM,
    "simple/test_gradient_of_*": "Gradient (ai.onnx.preview.training 1) is a transformation of the graph, no operator",
}
"""Cases of the installed onnx."""

RELEASED = {
    "*/test_bernoulli*": RANDOM,
    "1.18.0/test_attention_[34]d*": ATTENTION,
    "1.19.0/test_attention_[34]d*": ATTENTION,
    "1.20.0/test_attention_[34]d*": ATTENTION,
    "1.4.1/test_cast_FLOAT_to_STRING": UNDECODABLE,
    "1.4.1/test_cast_STRING_to_FLOAT": UNDECODABLE,
    "1.6.0/test_resize_upsample_sizes_nearest_*": CORRECTED,
    "1.6.0/test_unique_not_sorted_without_axis": CORRECTED + "; the text of Unique 11 has it as example 1",
    "1.7.0/test_adam_multiple": CORRECTED,
    "1.7.0/test_momentum*": CORRECTED,
    "1.7.0/test_nesterov_momentum": CORRECTED,
    "1.8.1/test_sequence_insert_at_front": "the outputs were wrong when released: inserted at the end, not at 0",
    "1.9.0/test_convtranspose_autopad_same": CORRECTED,
    "1.13.1/test_col2im_pads": CORRECTED,
    "1.13.1/test_softplus*_expanded": "the body has an Add of opset 1 that broadcasts without its attribute",
    "1.15.0/test_averagepool_3d_dilations_large_count_include_pad_is_1_ceil_mode_is_True": CORRECTED,
    "1.17.0/test_averagepool_3d_dilations_large_count_include_pad_is_1_ceil_mode_is_True": CORRECTED,
    "1.16.2/test_qlinearmatmul_*_int8_float*": "the outputs wrap where QLinearMatMul saturates; corrected later",
    "1.12.0/test_dft_inverse*": DFT,
    "1.15.0/test_dft_inverse*": DFT,
    "1.18.0/test_rotary_embedding_*rotary_dim": "the caches are wider than the text has it; corrected later",
    "1.19.0/test_l2normalization_axis_0": "the outputs have NaN where a norm is 0; corrected later",
}
"""Node tests of released wheels."""
