"""Axes against the ranks of inputs: every operator version that has them, at both ends of its range."""

import re

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from mincli.findings import Place
from mincli.findings.shapes import AXIS_NEGATIVE, AXIS_RANGE
from mincli.graphs.signatures import history
from mincli.lint import findings_in
from mincli.lint.axes import OPERATORS
from tests.lint.told import findings_of, function, lines_of, model

INPUTS = {
    **dict.fromkeys(("LayerNormalization", "RMSNormalization", "QuantizeLinear"), "x s"),
    **dict.fromkeys(("Scatter", "ScatterElements"), "x m x"),
    "CenterCropPad": "x c",
    "Compress": "x b",
    "ConcatFromSequence": "q",
    "DequantizeLinear": "u s",
    "Gather": "x i",
    "GatherElements": "x m",
    "OneHot": "m d v",
    "Pad": "x p _",
    "Resize": "x _ f",
    "ReverseSequence": "x k",
    "Slice": "x c c",
    "TopK": "x d",
}
"""What each operator takes besides its axes: values of `MORE`, x and u of the shape [2, 3], m of int64; q is [x]."""
ATTRIBUTES = {"Slice-1": {"starts": [0], "ends": [1]}, "TopK-1": {"k": 1}, "Split-18": {"num_outputs": 2}}
MORE = {
    "s": np.ones(3, "f4"),
    "b": np.ones(2, bool),
    "c": np.array([1]),
    "d": np.array([2]),
    "f": np.ones(1, "f4"),
    "i": np.array([0, 1]),
    "k": np.array([1, 1]),
    "p": np.array([1, 1]),
    "v": np.ones(2, "f4"),
}
RANGES = {"Flatten": (-2, 2), "OneHot": (-3, 2), "Unsqueeze": (-3, 2), "ReverseSequence": (0, 1)}
FROM_0 = {"Flatten-1", "Flatten-9", "Squeeze-1", "Unsqueeze-1"}
CASES = [
    (own.label, row.parameter)
    for name, rows in OPERATORS.items()
    for row in rows
    for own in history("", name)
    if not own.deprecated and (row.parameter in own.attributes or row.parameter in [each.name for each in own.inputs])
]


def model_of(label, parameter, axis):
    """Return a model of a node of an operator version, with one axis."""
    name, since = label.split("-")
    (own,) = (each for each in history("", name) if each.label == label)
    attributes = dict(ATTRIBUTES.get(label, {}))
    names = "x" if since == "1" and name in ("Slice", "TopK") else INPUTS.get(name, "x")
    inputs = ["" if each == "_" else each for each in names.split()]
    if parameter in own.attributes:
        attributes[parameter] = axis if own.attributes[parameter].type == "INT" else [axis]
    else:
        number = [each.name for each in own.inputs].index(parameter)
        inputs = [*inputs, *[""] * (number - len(inputs)), "axis"]
    outputs = ["y", "z"] if own.min_outputs > 1 or name == "Split" else ["y"]
    nodes = [helper.make_node(name, inputs, outputs, **attributes)]
    if "q" in inputs:
        nodes.insert(0, helper.make_node("SequenceConstruct", ["x"], ["q"]))
    tensors = {**MORE, "axis": np.array(axis if name.startswith("Cum") else [axis])}
    values = [helper.make_tensor_value_info(each, kind, [2, 3]) for each, kind in (("x", 1), ("u", 2), ("m", 7))]
    graph = helper.make_graph(
        nodes,
        "g",
        values,
        [onnx.ValueInfoProto(name=each) for each in outputs],
        [numpy_helper.from_array(tensor, each) for each, tensor in tensors.items() if each in inputs],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", int(since))], ir_version=10)


@pytest.mark.parametrize(("label", "parameter"), CASES)
def test_every_version_at_the_ends_of_its_range(label, parameter):
    low, high = RANGES.get(label.split("-")[0], (-2, 1))
    low = 0 if label in FROM_0 else low
    for axis, fits in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        found = [
            own for own in findings_in(model_of(label, parameter, axis)) if own.rule in (AXIS_RANGE, AXIS_NEGATIVE)
        ]
        assert [own.found.partition(",")[0] for own in found] == (
            [] if fits else [f"{parameter} {'are' if parameter == 'axes' else 'is'} {axis}"]
        )


def test_every_operator_whose_text_has_the_range_is_judged():
    judged = {*OPERATORS, "ReduceMin", "DFT", "Scan"}  # the last two have no axis of a rank alone, or onnx judges them
    for schema in onnx.defs.get_all_schemas_with_history():
        named = [*schema.attributes.values(), *schema.inputs]
        texts = [own.description for own in named if re.search("ax[ei]s", own.name)]
        if any(re.search(r"\[-r|\[0, R\]|\[-rank", text) for text in texts):
            assert schema.name in judged


X = "g (float[2, 3] x, float[3] s, int64[2] k) => (float[a, b] y)"


@pytest.mark.parametrize(
    ("node", "operator", "found", "expected"),
    [
        ("LayerNormalization <axis = 7> (x, s)", "LayerNormalization-17", "axis is 7, and X (x)",
         "LayerNormalization-17: axis is -2 to 1 at rank 2"),
        ("ReverseSequence <batch_axis = 7, time_axis = 1> (x, k)", "ReverseSequence-10",
         "batch_axis is 7, and input (x)", "ReverseSequence-10: batch_axis is 0 to 1"),
        ("MeanVarianceNormalization <axes = [0, -3]> (x)", "MeanVarianceNormalization-13",
         "axes are 0, -3, and X (x)", "MeanVarianceNormalization-13: axes are -2 to 1 at rank 2"),
        ("Concat <axis = 2> (x, x)", "Concat-13", "axis is 2, and x", "Concat-13: axis is -2 to 1 at rank 2"),
    ],
)  # fmt: skip
def test_words(node, operator, found, expected):
    (own,) = findings_of(model(f"{X} {{ y = {node} }}"))
    assert own == AXIS_RANGE.at(Place(node=0, operator=operator), f"{found} is float[2, 3]", expected)


def test_rank_0():
    (own,) = findings_of(model("g (float x) => (float y) { y = LpNormalization <axis = 0> (x) }"))
    assert (own.rule, own.expected) == (AXIS_RANGE, "LpNormalization-1: rank 0 has no axes")


def test_axes_of_constants():
    text = "c = Constant <value = int32 {-3}> () y = CumSum (x, c)"
    assert lines_of(model(f"{X} {{ {text} }}")) == ["MC503 1 CumSum-14 : axis is -3, and x (x) is float[2, 3]"]


def test_a_new_axis_may_be_the_last():
    nodes = "q = SequenceConstruct (x) y = ConcatFromSequence <axis = 2%s> (q)"
    text = f"g (float[2, 3] x) => (float[a, b, c] y) {{ {nodes} }}"
    assert lines_of(model(text % ", new_axis = 1")) == []
    assert lines_of(model(text % "")) == [
        "MC503 1 ConcatFromSequence-11 : axis is 2, and input_sequence (q) is sequence of float[2, 3]"
    ]


def test_an_axis_in_a_function():
    body = function("f (p) => (q)", "q = LpNormalization <axis = 2> (p)")
    text = "g (float[2, 3] x) => (float[a, b] y) { y = d.f (x) }"
    assert lines_of(model(text, functions=body)) == [
        "MC503 function d:f > 0 LpNormalization-1 : axis is 2, and input (p) is float[2, 3]"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "g (float[2, 3] x, float s) => (uint8[a, b] y) { y = QuantizeLinear <axis = 7> (x, s) }",
        "g (float[2, 3] x, float[1] s) => (uint8[a, b] y) { y = QuantizeLinear <axis = 7> (x, s) }",
        "g (float[3] x, float[3] s) => (uint8[a] y) { y = QuantizeLinear <axis = 1> (x, s) }",
        "g (float[2, 3] x, float[n] s) => (uint8[a, b] y) { y = QuantizeLinear <axis = 7> (x, s) }",
        "g (float[2, 3] x, int64 a) => (float[n, m] y) { y = CumSum (x, a) }",
        "g (float[n] x) => (float[m] y) { y = LpNormalization (x) }",
        "g (float x) => (float y) { y = MeanVarianceNormalization <axes: ints = []> (x) }",
    ],
    ids=["one-scale", "one-scale-in-a-vector", "of-rank-1", "unknown-scales", "unknown-axis", "not-given", "none"],
)
def test_axes_that_are_ignored_or_not_known(text):
    assert lines_of(model(text)) == []


def test_an_axis_that_onnx_words_as_invalid():
    text = "g (float[2, 3] x, int64 n) => (float[a, b] y) { c = Constant <value_int = 7> () y = DFT (x, n, c) }"
    (own,) = findings_of(model(text))
    assert own.rule is AXIS_RANGE
