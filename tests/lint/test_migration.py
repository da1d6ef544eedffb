"""What changes towards another opset: Min and ReduceMin for every pair of opsets, the words of other operators."""

import onnx
import pytest
from onnx import AttributeProto, TensorProto, helper

from mincli.errors import UsageError
from mincli.findings import Place
from mincli.graphs.signatures import signature
from mincli.lint import migration
from mincli.lint.negative_axes import takes_negative
from mincli.spec import operators
from tests.lint.told import in_short

FLOAT, INT32, UINT8, BFLOAT16, BOOL = (
    TensorProto.FLOAT, TensorProto.INT32, TensorProto.UINT8, TensorProto.BFLOAT16, TensorProto.BOOL,
)  # fmt: skip
NEWEST = 28
node = helper.make_node


def model_of(it, opset, inputs, initializers=()):
    """Return a model of one node; `inputs` are types and shapes by name, None a shape that is not known."""
    infos = [helper.make_tensor_value_info(name, *kind) for name, kind in inputs.items()]
    tensors = [helper.make_tensor(name, TensorProto.INT64, [len(data)], data) for name, data in initializers]
    graph = helper.make_graph([it], "graph", infos, [], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def told(it, opset, target, initializers=(), **inputs):
    return in_short(migration.check(model_of(it, opset, inputs, initializers), target).findings)


def version_of(opset, versions):
    return max(since for since in versions if since <= opset)


def row(code, *versions):
    return dict.fromkeys(versions, code)


F = (FLOAT, [2, 3])
MIN = {
    "equal": (1, node("Min", ["x", "y"], ["z"]), {"x": F, "y": F}, {}),
    "one": (1, node("Min", ["x"], ["z"]), {"x": (FLOAT, None)}, {}),
    "named": (1, node("Min", ["x", "y"], ["z"]), {"x": (FLOAT, ["n", 3]), "y": (FLOAT, ["n", 3])}, {}),
    "consumed": (1, node("Min", ["x", "y"], ["z"], consumed_inputs=[0, 0]), {"x": F, "y": F},
                 {1: row("MC701", 6, 8, 12, 13)}),
    "broadcast": (8, node("Min", ["x", "y"], ["z"]), {"x": F, "y": (FLOAT, [3])},
                  {since: row("MC702", 1, 6) for since in (8, 12, 13)}),
    "unknown": (8, node("Min", ["x", "y"], ["z"]), {"x": F, "y": (FLOAT, None)},
                {since: row("MC703", 1, 6) for since in (8, 12, 13)}),
    "other-names": (8, node("Min", ["x", "y"], ["z"]), {"x": (FLOAT, ["n"]), "y": (FLOAT, ["m"])},
                    {since: row("MC703", 1, 6) for since in (8, 12, 13)}),
    "int32": (12, node("Min", ["x"], ["z"]), {"x": (INT32, [2])},
              {since: row("MC702", 1, 6, 8) for since in (12, 13)}),
    "bfloat16": (13, node("Min", ["x"], ["z"]), {"x": (BFLOAT16, [2])}, {13: row("MC702", 1, 6, 8, 12)}),
}  # fmt: skip
"""For each case: its first opset, the node, its inputs, and the verdicts from version to version; others are fine."""

BELOW_18 = (1, 11, 12, 13)


def attribute(*axes):
    return node("ReduceMin", ["x"], ["z"], axes=list(axes))


def inputs(**attributes):
    return node("ReduceMin", ["x", "axes"], ["z"], **attributes)


REDUCE_MIN = {
    "all": (1, 28, node("ReduceMin", ["x"], ["z"], keepdims=0), FLOAT, None, {}),
    "attribute": (1, 17, attribute(0), FLOAT, None, {since: row("MC701", 18, 20) for since in BELOW_18}),
    "negative-attribute": (11, 17, attribute(-1), FLOAT, None,
                           {since: row("MC701", 1, 18, 20) for since in (11, 12, 13)}),
    "input": (18, 28, inputs(), FLOAT, [0], {since: row("MC701", *BELOW_18) for since in (18, 20)}),
    "negative-input": (18, 28, inputs(), FLOAT, [-1], {since: row("MC701", *BELOW_18) for since in (18, 20)}),
    "empty-input": (18, 28, inputs(), FLOAT, [], {since: row("MC701", *BELOW_18) for since in (18, 20)}),
    "computed": (18, 28, inputs(), FLOAT, "computed", {since: row("MC702", *BELOW_18) for since in (18, 20)}),
    "left-out": (18, 28, node("ReduceMin", ["x", ""], ["z"]), FLOAT, None,
                 {since: row("MC701", *BELOW_18) for since in (18, 20)}),
    "noop": (18, 28, node("ReduceMin", ["x"], ["z"], noop_with_empty_axes=1), FLOAT, None,
             {since: row("MC702", *BELOW_18) for since in (18, 20)}),
    "noop-empty": (18, 28, inputs(noop_with_empty_axes=1), FLOAT, [],
                   {since: row("MC702 MC701", *BELOW_18) for since in (18, 20)}),
    "noop-of-axes": (18, 28, inputs(noop_with_empty_axes=1), FLOAT, [1],
                     {since: row("MC701 MC701", *BELOW_18) for since in (18, 20)}),
    "no-noop": (18, 28, node("ReduceMin", ["x"], ["z"], noop_with_empty_axes=0), FLOAT, None,
                {since: row("MC701", *BELOW_18) for since in (18, 20)}),
    "int32": (1, 28, node("ReduceMin", ["x"], ["z"]), INT32, None, {}),
    "uint8": (12, 28, node("ReduceMin", ["x"], ["z"]), UINT8, None,
              {since: row("MC702", 1, 11) for since in (12, 13, 18, 20)}),
    "bfloat16": (13, 28, node("ReduceMin", ["x"], ["z"]), BFLOAT16, None,
                 {since: row("MC702", 1, 11, 12) for since in (13, 18, 20)}),
    "bool": (20, 28, node("ReduceMin", ["x"], ["z"]), BOOL, None, {20: row("MC702", *BELOW_18, 18)}),
}  # fmt: skip
"""For each case: its first and last opset, the node, the type, the axes input, and the verdicts as for Min."""


def verdict(it, opset, target, given, initializers=()):
    return " ".join(code for code, *_ in told(it, opset, target, initializers, **given))


@pytest.mark.parametrize("case", MIN)
def test_min_between_all_opsets(case):
    first, it, given, expected = MIN[case]
    versions = (1, 6, 8, 12, 13)
    last = 5 if case == "consumed" else NEWEST
    for opset in range(first, last + 1):
        wanted = expected.get(version_of(opset, versions), {})
        for target in range(1, NEWEST + 1):
            assert verdict(it, opset, target, given) == wanted.get(version_of(target, versions), ""), (opset, target)


@pytest.mark.parametrize("case", REDUCE_MIN)
def test_reduce_min_between_all_opsets(case):
    first, last, it, element, axes, expected = REDUCE_MIN[case]
    versions = (1, 11, 12, 13, 18, 20)
    given = {"x": (element, [2, 3])} | ({"axes": (TensorProto.INT64, [1])} if axes == "computed" else {})
    constant = [("axes", axes)] if isinstance(axes, list) else []
    for opset in range(first, last + 1):
        wanted = expected.get(version_of(opset, versions), {})
        for target in range(1, NEWEST + 1):
            found = verdict(it, opset, target, given, constant)
            assert found == wanted.get(version_of(target, versions), ""), (opset, target)


WORDS = [
    (attribute(-1), 13, 18, {"x": F}, (), [
        ("MC701", "axes: attribute to input 1", "from ReduceMin-18 on it is an input",
         "make it an initializer and input 1", 18)]),
    (attribute(-1), 13, 10, {"x": F}, (), [
        ("MC701", "axes = [-1]: ReduceMin-1 takes no negative ones", "", "count from the front", 11)]),
    (inputs(), 20, 13, {"x": F}, [("axes", [-1])], [
        ("MC701", "axes: input 1 to attribute", "in ReduceMin-13 it is an attribute",
         "make it the attribute axes = [-1]", 18)]),
    (inputs(), 20, 9, {"x": F}, [("axes", [-1])], [
        ("MC701", "axes: input 1 to attribute", "in ReduceMin-1 it is an attribute",
         "make it the attribute axes = [-1], counted from the front: ReduceMin-1 takes no negative ones", 18)]),
    (inputs(), 18, 17, {"x": F, "axes": (TensorProto.INT64, [1])}, (), [
        ("MC702", "axes: input 1 to attribute", "in ReduceMin-13 it is an attribute, and axes is no constant", "",
         18)]),
    (node("ReduceMin", ["x"], ["z"], noop_with_empty_axes=1), 18, 13, {"x": F}, (), [
        ("MC702", "ReduceMin-13 has no attribute noop_with_empty_axes, which is 1", "it computes as with 0", "", 18)]),
    (node("ReduceMin", ["x"], ["z"]), 20, 19, {"x": (BOOL, [2])}, (), [
        ("MC702", "ReduceMin-18 does not take tensor(bool)",
         "it takes tensor(bfloat16), tensor(double), tensor(float), tensor(float16), tensor(int32), tensor(int64), "
         "tensor(int8), tensor(uint32), tensor(uint64), tensor(uint8)", "", 20)]),
    (node("Min", ["x"], ["z"], consumed_inputs=[0]), 1, 6, {"x": F}, (), [
        ("MC701", "Min-6 has no attribute consumed_inputs", "", "remove it: it changes nothing here", 6)]),
    (node("Min", ["x", "y"], ["z"]), 8, 7, {"x": F, "y": (FLOAT, [3])}, (), [
        ("MC702", "Min-8: shapes broadcast; Min-6: the shapes of the inputs are equal", "",
         "give it inputs of one shape", 8)]),
    (node("Softmax", ["x"], ["z"]), 12, 13, {"x": (FLOAT, [2, 3, 4])}, (), [
        ("MC703", "Softmax-11: the input is flattened to a matrix at axis, 1 by default; "
         "Softmax-13: it is computed along axis, -1 by default", "",
         "for the values as they were put Flatten before it and Reshape behind it", 13)]),
    (node("Softmax", ["x"], ["z"]), 12, 13, {"x": F}, (), []),
    (node("Softmax", ["x"], ["z"], axis=2), 12, 13, {"x": (FLOAT, [2, 3, 4])}, (), []),
    (node("Softmax", ["x"], ["z"], axis=-1), 13, 11, {"x": (FLOAT, None)}, (), []),
    (node("Softmax", ["x"], ["z"], axis=0), 13, 12, {"x": F}, (), [
        ("MC703", "Softmax-13: it is computed along axis, -1 by default; "
         "Softmax-11: the input is flattened to a matrix at axis, 1 by default", "",
         "move the axis to the end with Transpose, and set axis to the last", 13)]),
    (node("Dropout", ["x"], ["z"]), 6, 7, {"x": F}, (), [
        ("MC703", "is_test: Dropout-6 computes as with 0, Dropout-7 as with 1", "", "", 7)]),
    (node("Dropout", ["x"], ["z"], is_test=1, ratio=0.25), 6, 13, {"x": F}, (), [
        ("MC701", "Dropout-13 has no attribute is_test", "", "remove it: it changes nothing here", 7),
        ("MC701", "ratio: attribute to input 1", "from Dropout-12 on it is an input",
         "make it an initializer and input 1", 12)]),
    (node("BatchNormalization", [*"xabcd"], ["z", "m", "v", "p", "q"]), 6, 7, {"x": F}, (), []),
    (node("BatchNormalization", [*"xabcd"], ["z"]), 7, 6, {"x": F}, (), [
        ("MC703", "is_test: BatchNormalization-7 computes as with 1, BatchNormalization-6 as with 0", "",
         "set is_test = 1", 7)]),
    (node("BatchNormalization", [*"xabcd"], ["z", "m", "v", "p", "q"]), 9, 14, {"x": F}, (), [
        ("MC702", "BatchNormalization-14 has no output 3 (saved_mean)", "", "", 14),
        ("MC702", "BatchNormalization-14 has no output 4 (saved_var)", "", "", 14)]),
    (node("Resize", ["x", "s"], ["z"]), 10, 11, {"x": F}, (), [
        ("MC703", "coordinate_transformation_mode: Resize-10 computes as with asymmetric, Resize-11 as with half_pixel",
         "", "set coordinate_transformation_mode = asymmetric", 11),
        ("MC703", "nearest_mode: Resize-10 computes as with floor, Resize-11 as with round_prefer_floor", "",
         "set nearest_mode = floor", 11),
        ("MC701", "scales: input 1 to input 2", "", "move it from input 1 to 2", 11),
        ("MC701", "input 1 (roi) has to be given", "Resize-11 requires it", "an empty tensor will do", None)]),
    (node("Upsample", ["x", "s"], ["z"]), 9, 10, {"x": F}, (), [
        ("MC702", "Upsample is deprecated in opset 10 and newer", "Upsample may be used until opset 9", "use Resize",
         10)]),
    (node("Gelu", ["x"], ["z"]), 20, 19, {"x": F}, (), [
        ("MC702", "opset 19 has no operator Gelu yet", "Gelu exists from opset 20 on", "", 20)]),
    (node("Cast", ["x"], ["z"], to="FLOAT"), 5, 6, {"x": F}, (), [
        ("MC701", "to: STRING to INT", "", "give it as INT", 6)]),
    (node("Concat", ["x", "x"], ["z"]), 3, 4, {"x": F}, (), [
        ("MC701", "axis has to be given", "Concat-4 requires it: INT", "", 4)]),
    (node("Add", ["x", "y"], ["z"], broadcast=1, axis=0), 6, 7, {"x": F, "y": (FLOAT, [2])}, (), [
        ("MC701", f"Add-7 has no attribute {name}", "inputs broadcast as in NumPy",
         "remove it; with an axis, give the second input trailing axes of size 1 (Unsqueeze)", 7)
        for name in ("axis", "broadcast")]),
    (node("GridSample", ["x", "g"], ["z"], mode="bilinear"), 16, 20, {"x": F}, (), [
        ("MC701", "mode: bilinear is called linear in GridSample-20", "", "set mode = linear", 20)]),
    (node("GridSample", ["x", "g"], ["z"]), 16, 20, {"x": F}, (), []),
    (node("Constant", [], ["z"], value_int=1), 13, 11, {}, (), [
        ("MC701", "value_int: value in Constant-11", "", "give it as value", 12)]),
    (node("MaxPool", ["x"], ["z"], kernel_shape=[2, 2], dilations=[1, 1]), 10, 8, {"x": F}, (), [
        ("MC701", "MaxPool-8 has no attribute dilations", "", "remove it: it changes nothing here", 10)]),
    (node("MaxPool", ["x"], ["z"], kernel_shape=[2, 2], dilations=[2, 1]), 10, 8, {"x": F}, (), [
        ("MC702", "MaxPool-8 has no attribute dilations, which is [2, 1]", "", "", 10)]),
    (node("Upsample", ["x"], ["z"], scales=[1.0]), 7, 1, {"x": F}, (), [
        ("MC701", "scales: height_scale and width_scale in Upsample-1", "", "give it as height_scale and width_scale",
         7)]),
    (node("Split", ["x"], ["a", "b"], num_outputs=2), 18, 13, {"x": (FLOAT, [5])}, (), [
        ("MC701", "Split-13 has no attribute num_outputs", "", "make input 1 (split) the constant [3, 2] in its place",
         18)]),
    (node("Split", ["x"], ["a", "b"], num_outputs=2), 18, 2, {"x": (FLOAT, [5])}, (), [
        ("MC701", "Split-2 has no attribute num_outputs", "", "set split = [3, 2] in its place", 18)]),
    (node("Split", ["x"], ["a", "b"], num_outputs=2), 18, 13, {"x": (FLOAT, [4])}, (), [
        ("MC701", "Split-13 has no attribute num_outputs", "", "remove it: the parts are equal", 18)]),
    (node("Split", ["x"], ["a", "b"], num_outputs=2), 18, 13, {"x": (FLOAT, ["n"])}, (), [
        ("MC701", "Split-13 has no attribute num_outputs", "",
         "remove it where the parts are equal, and give split where they are not", 18)]),
    (node("Split", ["x"], ["a", "b"]), 11, 18, {"x": (FLOAT, [4])}, (), [
        ("MC701", "neither num_outputs nor split is given", "Split-18 requires one of them", "set num_outputs = 2", 18)
    ]),
    (node("LpPool", ["x"], ["y"], kernel_shape=[1]), 1, 2, {"x": F}, (), [
        ("MC704", "at opset 2, MC510: Input tensor must have at least 3 dimensions", "what LpPool-2 allows", "", None)
    ]),
    (node("Pad", ["x", "p", "", "a"], ["y"]), 18, 13, {"x": F}, [("p", [1, 2]), ("a", [-1])], [
        ("MC701", "Pad-13 has no input 3 (axes)", "", "remove it, and give pads for all axes: [0, 1, 0, 2]", 18)]),
    (node("Pad", ["x", "p", "", "a"], ["y"]), 18, 13, {"x": F, "p": (TensorProto.INT64, [2])}, [("a", [1])], [
        ("MC701", "Pad-13 has no input 3 (axes)", "", "remove it, and give 4 pads: 0 for the other axes", 18)]),
    (node("Pad", ["x", "p", "", "a"], ["y"]), 18, 13, {"x": (FLOAT, None)}, [("p", [1, 2]), ("a", [1])], [
        ("MC702", "Pad-13 has no input 3 (axes)", "", "", 18)]),
    (node("Resize", ["x", "", "s"], ["y"], axes=[1]), 18, 13, {"x": F}, (), [
        ("MC701", "Resize-13 has no attribute axes", "",
         "remove it, and give 2 scales or sizes: for the other axes 1, or the size as it is", 18)]),
    (node("Pad", ["x", "p"], ["y"], mode="wrap"), 19, 18, {"x": F}, (), [
        ("MC702", "Pad-18 does not have mode = wrap", "", "", 19)]),
    (node("DFT", ["x"], ["y"]), 17, 20, {"x": (FLOAT, [1, 4, 4, 1])}, (), [
        ("MC703", "DFT-17: the axis is 1 by default; DFT-20: the axis is -2 by default", "",
         "make input 2 (axis) the constant 1", 20)]),
    (node("DFT", ["x"], ["y"]), 17, 20, {"x": (FLOAT, [1, 4, 1])}, (), []),
    (node("MaxPool", ["x"], ["y"], kernel_shape=[1, 1], strides=[2, 2], pads=[0, 0, 1, 1], ceil_mode=1), 12, 22,
     {"x": (FLOAT, [1, 1, 3, 3])}, (), [
        ("MC703", "MaxPool-12: with ceil_mode = 1 windows may start in the padding at the end; MaxPool-22: such "
         "windows are left out", "", "", 22),
        ("MC703", "at opset 22 MaxPool-22 makes float[1, 1, 2, 2]: another type or shape than at its own", "", "",
         None)]),
    (node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2]), 12, 22, {"x": (FLOAT, [1, 1, 3, 3])}, (), []),
    (node("OneHot", ["i", "d", "v"], ["y"]), 9, 11, {"i": (TensorProto.INT64, [2])}, (), [
        ("MC703", "OneHot-9: a negative index gives off_value everywhere; OneHot-11: it counts from the end", "",
         "make negative indices at least depth", 11)]),
    (node("OneHot", ["i", "d", "v"], ["y"]), 9, 11, {"i": (UINT8, [2])}, (), []),
    (node("OneHot", ["i", "d", "v"], ["y"]), 9, 11, {}, [("i", [0, 1])], []),
    (node("ConvTranspose", ["x", "w"], ["y"], output_shape=[3, 3]), 10, 11, {"x": (FLOAT, [1, 1, 3, 3])}, (), [
        ("MC703", "ConvTranspose-1: the larger half of an odd padding is at the end, for SAME_UPPER at the beginning; "
         "ConvTranspose-11: it is at the beginning, for SAME_UPPER at the end", "", "give pads", 11)]),
    (node("ConvTranspose", ["x", "w"], ["y"], pads=[1, 1, 1, 1]), 10, 11, {"x": (FLOAT, [1, 1, 3, 3])}, (), []),
    (node("Concat", ["x", "x"], ["y"], axis=-1), 11, 10, {"x": F}, (), [
        ("MC703", "axis = -1: Concat-4 says nothing of negative ones", "", "count from the front", 11)]),
    (node("Unsqueeze", ["x"], ["y"], axes=[-1]), 11, 10, {"x": F}, (), [
        ("MC701", "axes = [-1]: Unsqueeze-1 takes no negative ones", "", "count from the front", 11)]),
    (node("Gemm", ["x", "y", "c"], ["z"]), 7, 6, {"x": F, "y": (FLOAT, [3, 4]), "c": (FLOAT, [4])}, (), [
        ("MC701", "Gemm-7: C broadcasts; Gemm-6: C has the shape of the result, or broadcast = 1", "",
         "where C is smaller set broadcast = 1", 7)]),
    (node("Gemm", ["x", "y", "c"], ["z"]), 7, 6, {"x": F, "y": (FLOAT, [3, 4]), "c": (FLOAT, [2, 4])}, (), []),
    (node("Gemm", ["x", "y", "c"], ["z"]), 7, 6, {"x": F, "y": (FLOAT, None), "c": (FLOAT, [2, 4])}, (), [
        ("MC703", "Gemm-7: C broadcasts; Gemm-6: C has the shape of the result, or broadcast = 1", "",
         "where C is smaller set broadcast = 1", 7)]),
]  # fmt: skip


@pytest.mark.parametrize(("it", "opset", "target", "given", "initializers", "expected"), WORDS)
def test_words(it, opset, target, given, initializers, expected):
    assert told(it, opset, target, initializers, **given) == expected


INSIDE = """<ir_version: 10, opset_import: ["" : 17, "own" : 1, "com.x" : 1]>
g (bool c, float[2] x) => (float[2] y) {
  y = If (c) <then_branch = yes () => (float[2] t) { t = own.F (x) },
              else_branch = no () => (float[2] e) { u = ReduceMin <axes = [0]> (x)  e = com.x.G (u) }>
  z = Nothing (x)
}
<opset_import: ["" : 7], domain: "own">
F (a) => (b) { b = Min (a, a)  c = Softmax (b) }
"""


def test_subgraphs_functions_and_what_is_not_judged():
    found = migration.check(onnx.parser.parse_model(INSIDE), 18)
    assert [(finding.rule.code, finding.place) for finding in found.findings] == [
        ("MC701", Place("node 0 (If) else_branch > ", 0, "ReduceMin-13")),
        ("MC703", Place("function own:F > ", 1, "Softmax-1")),
    ]
    assert (found.target, found.fine, found.changed, found.not_judged) == (18, 2, 2, 3)


def test_a_reference_to_an_attribute_has_no_value():
    it = node("ReduceMin", ["x"], ["z"])
    it.attribute.append(AttributeProto(name="axes", type=AttributeProto.INTS, ref_attr_name="axes"))
    assert [code for code, *_ in told(it, 13, 18, x=F)] == ["MC701"]


def test_types_of_what_is_computed_are_known():
    text = """<ir_version: 10, opset_import: ["" : 13]>
g (float[2] x) => (int8[2] y) { i = Cast <to = 3> (x)  y = Min (i, i) }"""
    found = migration.check(onnx.parser.parse_model(text), 11)
    assert [(finding.rule.code, finding.place.value, finding.found) for finding in found.findings] == [
        ("MC702", "i", "Min-8 does not take tensor(int8)")
    ]


def test_constants_from_around_a_subgraph():
    text = """<ir_version: 10, opset_import: ["" : 18]>
g (bool c, float[2] x) => (float[1] y) {
  a = Constant <value_ints = [0]> ()
  y = If (c) <then_branch = yes () => (float[1] t) { t = ReduceMin (x, a) },
              else_branch = no () => (float[1] e) { e = ReduceMin (x, a) }>
}"""
    found = migration.check(onnx.parser.parse_model(text), 13)
    assert [finding.hint for finding in found.findings] == ["make it the attribute axes = [0]"] * 2


@pytest.mark.parametrize("target", [0, -1, 29])
def test_an_opset_that_does_not_exist(target):
    with pytest.raises(UsageError) as caught:
        migration.check(model_of(attribute(0), 13, {"x": F}), target)
    assert str(caught.value) == f"there is no opset {target}\n  hint: opsets 1 to 28 are known"


@pytest.mark.parametrize("version", operators.versions("ReduceMin"), ids=lambda row: row.label)
def test_the_schema_and_the_rows_agree_on_negative_axes(version):
    assert takes_negative(signature("", "ReduceMin", version.since_version), "axes") is version.negative_axes


def test_an_operator_that_was_experimental_and_is_unknown_elsewhere():
    text = '<ir_version: 3, opset_import: ["" : 9]> g (float[2] x) => (float[2] y) { y = ScaledTanh (x) }'
    model = onnx.parser.parse_model(text)
    assert migration.check(model, 8)[1:] == ([], 0, 0, 1)
    found = migration.check(model, 13)
    assert [(own.rule.code, own.found) for own in found.findings] == [
        ("MC704", "at opset 13, MC301: ai.onnx has no operator ScaledTanh")
    ]
    assert (found.fine, found.changed, found.not_judged) == (0, 1, 0)
