"""Types through graphs, subgraphs and functions: every fault once, at its place, and none that another one makes."""

import onnx
import pytest
from onnx import TensorProto, helper

from mincli.findings import Place
from mincli.findings.graph import UNDEFINED
from mincli.lint import findings_in, inference
from mincli.lint.inference import light
from mincli.lint.scopes import scopes_of
from tests.lint.told import findings_of, function, lines_of, model

BROKEN = "[bad] z = Min (x, y)"
"""float[2] with float[3]"""
INPUTS = "float[2] x, float[3] y, int64[2] i, bool c, int64 n"


def test_independent_faults_are_all_found():
    nodes = f"{BROKEN} a = Min (x, i) b = MatMul (x, y) d = Relu (x) e = Cast <to: int = 7> (x) f = Add (e, x)"
    assert lines_of(model(f"g ({INPUTS}) => (float[5] d) {{ {nodes} }}")) == [
        "MC501 0 Min-13 y: x is float[2] and y is float[3]",
        "MC402 1 Min-13 i: x is float[2], and i is int64[2]",
        "MC510 2 MatMul-13 : Incompatible dimensions for matrix multiplication",
        "MC508 3 Relu-14 d: d is declared float[5]",
        "MC402 5 Add-14 x: A (e) is int64[2], and B (x) is float[2]",
    ]


def test_a_fault_makes_no_other():
    nodes = f"{BROKEN} a = Relu (z) b = Add (a, y) d = Reshape (b, i) e = If (c) <then_branch = t () => (float q) "
    nodes += "{ q = Min (d, a) }, else_branch = u () => (float r) { r = Neg (z) }>"
    assert lines_of(model(f"g ({INPUTS}) => (float e) {{ {nodes} }}")) == [
        "MC501 0 Min-13 y: x is float[2] and y is float[3]"
    ]


def test_the_type_of_a_faulty_node_is_known_where_it_is_sure():
    nodes = f"{BROKEN} a = Relu (z) b = Min (a, i)"
    assert lines_of(model(f"g ({INPUTS}) => (float[2] o) {{ {nodes} o = Neg (x) }}")) == [
        "MC501 0 Min-13 y: x is float[2] and y is float[3]",
        "MC402 2 Min-13 i: a is float, and i is int64[2]",
    ]


def test_what_a_node_makes_of_a_wrong_type_is_not_known():
    nodes = "a = Relu (c) b = Relu (a) d = Add (b, x)"
    assert lines_of(model(f"g ({INPUTS}) => (float[2] o) {{ {nodes} o = Neg (x) }}")) == [
        "MC401 0 Relu-14 c: X (c) is bool[]"
    ]


def test_what_is_declared_counts_after_a_fault():
    nodes = f"{BROKEN} a = Min (z, x)"
    assert lines_of(model(f"g ({INPUTS}) => (float[4] z) {{ {nodes} }}")) == [
        "MC501 0 Min-13 y: x is float[2] and y is float[3]",
        "MC501 1 Min-13 x: z is float[4] and x is float[2]",
    ]


def test_nodes_of_unknown_domains_hide_nothing():
    nodes = f"u = unheard.of.Op (x) v = Relu (u) w = Add (u, c) {BROKEN} k = Min (u, c)"
    assert lines_of(model(f"g ({INPUTS}) => (float[2] o) {{ {nodes} o = Neg (x) }}")) == [
        "MC401 2 Add-14 c: B (c) is bool[]",
        "MC501 3 Min-13 y: x is float[2] and y is float[3]",
        "MC401 4 Min-13 c: c is bool[]",
    ]


NEG = "else_branch = u () => (float[b] q) { q = Neg (x) }"
LOOP = "body = b (int64 k, bool m, float[2] x) => (bool w, float[d] v)"


@pytest.mark.parametrize(
    ("nodes", "path"),
    [
        (f"o = If (c) <then_branch = t () => (float[a] z) {{ {BROKEN} }}, {NEG}>", "node 0 (If) then_branch > "),
        (f"[l] o = Loop (n, c, x) <{LOOP} {{ w = Identity (m) {BROKEN} v = Neg (x) }}>", "node 0 (Loop l) body > "),
        (
            f"o = Scan <num_scan_inputs: int = 1, body = b (float s) => (float v) {{ v = Neg (s) {BROKEN} }}> (x)",
            "node 0 (Scan) body > ",
        ),
        ("o = d.f (x, y)", "function d:f > "),
        ("o = d.outer (x, y)", "function d:f > "),
        (f"o = If (c) <then_branch = t () => (float[a] p) {{ p = d.f (x, y) }}, {NEG}>", "function d:f > "),
    ],
)
def test_places(nodes, path):
    functions = function("f (x, y) => (z)", f"{BROKEN}") + function("outer (p, q) => (r)", "r = d.f (p, q)")
    proto = model(f"g ({INPUTS}) => (float[e] o) {{ {nodes} }}", functions=functions)
    (own,) = findings_of(proto)
    assert (own.rule.code, own.place.path, own.place.name) == ("MC501", path, "bad")
    assert own.found == "x is float[2] and y is float[3]"


def test_a_subgraph_knows_the_types_around_it_and_those_that_it_is_given():
    body = "b (int64 k, bool m, s) => (bool w, v) { w = Identity (m) v = Neg (s) p = Min (s, i) q = Add (s, k) }"
    assert lines_of(model(f"g ({INPUTS}) => (float[2] o) {{ o = Loop (n, c, x) <body = {body}> }}")) == [
        "MC402 node 0 (Loop) body > 2 Min-13 i: s is float, and i is int64[2]",
        "MC402 node 0 (Loop) body > 3 Add-14 k: A (s) is float, and B (k) is int64[]",
    ]


def test_a_function_is_judged_for_each_way_it_is_called():
    functions = function("f (p, q) => (r)", "r = Min (p, q)", opset=8)
    nodes = "a = d.f (x, x) b = d.f (i, i) e = d.f (i, i) f = d.f (x, y)"
    assert lines_of(model(f"g ({INPUTS}) => (float[2] a) {{ {nodes} }}", functions=functions)) == [
        "MC501 function d:f > 0 Min-8 q: p is float[2] and q is float[3]",
        "MC401 function d:f > 0 Min-8 p: p is int64[2], q is int64[2]",
    ]


def test_the_attributes_and_constants_of_a_call():
    functions = function("f <axes> (p) => (r)", "r = ReduceMin <axes: ints = @axes> (p)", opset=13)
    functions += function("h (p, q) => (r)", "r = ReduceMin (p, q)")
    nodes = "a = d.f <axes = [0]> (x) b = d.f <axes = [1]> (x) k = Constant <value_ints = [2]> () e = d.h (x, k)"
    assert lines_of(model(f"g ({INPUTS}) => (float[1] a) {{ {nodes} }}", functions=functions)) == [
        "MC503 function d:h > 0 ReduceMin-20 : axes are 2, and 2 is out of range",
        "MC503 function d:f > 0 ReduceMin-13 : axes are 1, and 1 is out of range",
    ]


def test_an_input_of_a_call_that_is_left_out():
    functions = function("f (p, low, high) => (r)", "r = Clip (p, low, high)")
    assert lines_of(model("g (float[2] x, float m) => (float[2] a) { a = d.f (x, , m) }", functions=functions)) == []


def test_a_function_that_nothing_calls():
    nodes = "a = Constant <value_int = 1> () b = Neg (p) e = Constant <value_float = 1.0> () r = Min (a, e)"
    functions = function("f (p) => (r)", nodes)
    assert lines_of(model("g (float[2] x) => (float[2] y) { y = Neg (x) }", functions=functions)) == [
        "MC402 function d:f > 3 Min-13 e: a is int64[], and e is float[]"
    ]


def test_the_output_of_a_call_is_declared_otherwise():
    functions = function("f (p) => (r)", "r = Neg (p)")
    assert lines_of(model("g (float[2] x) => (float[3] y) { y = d.f (x) }", functions=functions)) == [
        "MC508 0 f y: y is declared float[3]"
    ]


@pytest.mark.parametrize("calls", ["r = d.f (p)", "r = d.h (p)"])
def test_functions_that_call_themselves(calls):
    functions = function("f (p) => (r)", calls) + function("h (p) => (r)", "r = d.f (p)")
    text = f"g ({INPUTS}) => (float[2] o) {{ w = d.f (x) {BROKEN} v = Min (w, x) o = Neg (x) }}"
    assert lines_of(model(text, functions=functions)) == ["MC501 1 Min-13 y: x is float[2] and y is float[3]"]


def test_functions_that_call_each_other_very_often():
    functions = function("f0 (p) => (r)", "r = Min (p, p)")
    for level in range(1, 60):
        functions += function(f"f{level} (p) => (r)", f"q = d.f{level - 1} (p) r = d.f{level - 1} (q)")
    assert lines_of(model("g (bool[2] x) => (bool[2] y) { y = d.f59 (x) }", functions=functions)) == [
        "MC401 function d:f0 > 0 Min-13 p: p is bool[2]"
    ]


def test_a_long_chain_of_functions():
    functions = function("f0 (p) => (r)", "r = Min (p, p)")
    for level in range(1, 150):
        functions += function(f"f{level} (p) => (r)", f"r = d.f{level - 1} (p)")
    assert lines_of(model("g (bool[2] x) => (bool[2] y) { y = d.f149 (x) }", functions=functions)) == [
        "MC401 function d:f0 > 0 Min-13 p: p is bool[2]"
    ]


def test_a_function_with_the_name_of_an_operator():
    functions = '<opset_import: ["" : 21], domain: "">\nRelu (p, q) => (r) { r = Min (p, q) }\n'
    assert lines_of(model(f"g ({INPUTS}) => (float[2] r) {{ r = Relu (x, y) }}", functions=functions)) == [
        "MC501 function Relu > 0 Min-13 q: p is float[2] and q is float[3]"
    ]


def test_the_other_name_of_the_domain():
    text = f"g ({INPUTS}) => (float[2] o) {{ {BROKEN} o = ai.onnx.Add (x, i) }}"
    assert lines_of(model(text)) == [
        "MC501 0 Min-13 y: x is float[2] and y is float[3]",
        "MC402 1 Add-14 i: A (x) is float[2], and B (i) is int64[2]",
    ]


def test_an_opset_that_is_not_known_is_not_judged():
    assert findings_of(model(f"g ({INPUTS}) => (float[2] z) {{ {BROKEN} }}", opset=10_000)) == []


def test_large_weights_are_not_copied_and_count_as_what_they_are():
    proto = model(f"g ({INPUTS}) => (float[2] o) {{ o = Add (w, x) }}")
    proto.graph.initializer.add(name="w", data_type=TensorProto.FLOAT, dims=[3, 7000], raw_data=bytes(84_000))
    assert lines_of(proto) == ["MC501 0 Add-14 x: A (w) is float[3, 7000] and B (x) is float[2]"]
    rows = light.MOST_BYTES // 12 + 1
    proto.graph.initializer[0].MergeFrom(TensorProto(raw_data=bytes(12 * rows)))
    proto.graph.initializer[0].dims[1] = rows
    assert lines_of(proto) == [f"MC501 0 Add-14 x: A (w) is float[3, {rows}] and B (x) is float[2]"]
    proto.graph.initializer[0].ClearField("raw_data")
    proto.graph.initializer[0].data_location = TensorProto.EXTERNAL
    proto.graph.initializer[0].external_data.add(key="location", value="w")
    assert lines_of(proto) == [f"MC501 0 Add-14 x: A (w) is float[3, {rows}] and B (x) is float[2]"]


def test_the_model_stays_as_it_is():
    proto = model(f"g ({INPUTS}) => (float[2] z) {{ {BROKEN} }}", functions=function("f (x, y) => (z)", BROKEN))
    before = proto.SerializeToString(deterministic=True)
    findings_in(proto)
    assert proto.SerializeToString(deterministic=True) == before


def test_a_giant_vector_is_no_shape():
    proto = model(f"g (int64[{2**62}] s) => (float y) {{ t = ConstantOfShape (s) y = ReduceMin <keepdims = 0> (t) }}")
    assert lines_of(proto) == []


def test_attributes_that_only_the_body_of_an_operator_uses_have_their_defaults():
    assert (
        lines_of(model("g (float[2, 3, 4, 5] x) => (float[2, 3, 4, 5] y) { y = MeanVarianceNormalization (x) }")) == []
    )


def test_many_faults_that_each_hide_the_next():
    nodes = [helper.make_node("MatMul", [f"v{number}", "m"], [f"v{number + 1}"]) for number in range(5)]
    nodes += [helper.make_node("Min", [f"v{number + 1}", "i"], [f"w{number}"]) for number in range(5)]
    graph = helper.make_graph(
        nodes,
        "g",
        [
            helper.make_tensor_value_info("v0", TensorProto.FLOAT, [2, 3]),
            helper.make_tensor_value_info("m", TensorProto.FLOAT, [4, 5]),
            helper.make_tensor_value_info("i", TensorProto.INT32, [1]),
        ],
        [helper.make_tensor_value_info("w4", TensorProto.FLOAT, ["a", "b"])],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    assert lines_of(proto) == [
        "MC510 0 MatMul-13 : Incompatible dimensions for matrix multiplication",
        *(f"MC402 {number + 5} Min-13 i: v{number + 1} is float, and i is int32[1]" for number in range(5)),
    ]


def test_odd_types():
    proto = onnx.ModelProto()
    proto.CopyFrom(model(f"g ({INPUTS}) => (float[2] z) {{ {BROKEN} }}"))
    proto.graph.input[0].type.tensor_type.elem_type = 99
    proto.graph.input[1].type.ClearField("tensor_type")
    assert lines_of(proto) == []  # which is of the inputs, not of the node


@pytest.mark.parametrize(
    "node",
    [
        "y = EyeLike (u)",
        'y = RegexFullMatch <pattern = "a"> (u)',
        "y, q = Split <num_outputs: int = 1> (x)",
    ],
)
def test_nodes_that_onnx_crashes_on(node):
    text = f"g ({INPUTS}) => (float[2] o) {{ u = unheard.of.Op (x) {node} o = Neg (x) {BROKEN} }}"
    assert lines_of(model(text)) == ["MC501 3 Min-13 y: x is float[2] and y is float[3]"]


def test_a_type_that_is_declared_is_enough_for_such_nodes():
    assert lines_of(model(f"g ({INPUTS}) => (float[3] o) {{ o = EyeLike (x) }}")) == [
        "MC510 0 EyeLike-9 : Input tensor must be 2-dimensional"
    ]


def test_what_is_wrong_otherwise_is_not_looked_at():
    text = f"g ({INPUTS}) => (float[2] z) <int64[1] axes = {{9}}> {{ {BROKEN} a = ReduceMin (x, axes) b = Min (x, i) }}"
    proto = model(text)
    structure = [UNDEFINED.at(Place("", 0, "Min-13"), "a fault"), UNDEFINED.at(Place(value="axes"), "another")]
    found = list(inference.check(proto, scopes_of(proto), structure))
    assert [(own.rule.code, own.place.node) for own in found] == [("MC402", 2)]


@pytest.mark.parametrize(
    ("declared", "nodes", "found"),
    [
        ("float[2, 4] a", "a = Relu (x) y = Min (a, x)", "MC508 0 Relu-14 a: a is declared float[2, 4]"),
        ("int32[2, 3] a", "a = Relu (x) y = Min (a, x)", "MC403 0 Relu-14 a: a is declared int32[2, 3]"),
        ("bool[2, 3] a", "a = Relu (x) y = ReduceMin (a)", "MC403 0 Relu-14 a: a is declared bool[2, 3]"),
        (
            "float[6] a",
            "i = Constant <value_ints = [1]> () a = Relu (x) y = ReduceMin (a, i)",
            "MC508 1 Relu-14 a: a is declared float[6]",
        ),
        (
            "float[1] i",
            "i = Constant <value_ints = [1]> () y = ReduceMin (x, i)",
            "MC403 0 Constant-21 i: i is declared float[1]",
        ),
        (
            "float[9] a",
            "s = Shape (x) a = Expand (one, s) y = Min (a, x)",
            "MC508 1 Expand-13 a: a is declared float[9]",
        ),
        (
            "float[9] a",
            "a = If (c) <then_branch = t () => (float[2, 3] b) { b = Neg (x) }, "
            "else_branch = e () => (float[2, 3] d) { d = Abs (x) }> y = Min (a, x)",
            "MC508 0 If-21 a: a is declared float[9]",
        ),
    ],
)
def test_a_declaration_that_is_wrong_makes_no_other_fault(declared, nodes, found):
    text = f"g (float[2, 3] x, float one, bool c) => (float[n, m] y) <{declared}> {{ {nodes} }}"
    assert lines_of(model(text, opset=21)) == [found]


def test_what_a_wrong_declaration_hid():
    text = "g (float[2] x, float[3] z) => (float[n] y) <float[3] a> { a = Relu (x) y = Min (a, z) }"
    assert lines_of(model(text)) == [
        "MC508 0 Relu-14 a: a is declared float[3]",
        "MC501 1 Min-13 z: a is float[2] and z is float[3]",
    ]


def test_what_is_declared_of_an_output_counts():
    text = "g (float[2] x, float[3] z) => (float[3] a, float[n] y) { a = Relu (x) y = Min (a, x) }"
    assert lines_of(model(text)) == [
        "MC508 0 Relu-14 a: a is declared float[3]",
        "MC501 1 Min-13 x: a is float[3] and x is float[2]",
    ]


def test_what_is_declared_against_an_initializer():
    proto = model("g (float[3] x) => (float[3] y) <float[3] w = {1, 2, 3}> { y = Add (x, w) }")
    proto.graph.value_info.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, [4]))
    assert [own.rule.code for own in findings_of(proto)] == ["MC508"]
