"""The reference engine: functions, subgraphs, Min and ReduceMin wherever they stand, errors and memory."""

import tracemalloc

import numpy as np
import onnx
import pytest

from mincli.errors import EngineError, ModelError
from mincli.models.evaluate import evaluator
from mincli.models.load import as_model

X = np.array([1, -2], "f4")


def prepared(text):
    return evaluator(as_model(onnx.parser.parse_model(text), "model"))


def run(text, **feeds):
    return [output.tolist() for output in prepared(text).run(None, feeds)]


def refused(text, words, kind=ModelError, **feeds):
    with pytest.raises(kind) as raised:
        run(text, **feeds)
    assert type(raised.value) is kind
    assert raised.value.message == words
    return raised.value


def main(body, opset=13, extra=""):
    return f'<ir_version: 10, opset_import: ["" : {opset}, "f" : 1]> main {body} {extra}'


def function(body, opset=13):
    return f'<domain: "f", opset_import: ["" : {opset}, "f" : 1]> {body}\n'


@pytest.mark.parametrize("order", [1, -1], ids=["caller first", "caller last"])
def test_functions_stand_in_any_order(order):
    parts = [
        function("Outer (a) => (b) { c = f.Inner (a) b = Neg (c) }"),
        function("Inner (a) => (b) { b = Abs (a) }"),
    ]
    text = main("(float[2] x) => (float[2] y) { y = f.Outer (x) }", extra="".join(parts[::order]))
    assert run(text, x=X) == [[-1, -2]]


def test_overloads_of_a_function_are_told_apart():
    model = onnx.parser.parse_model(
        main(
            "(float[2] x) => (float[2] y, float[2] z) { y = f.F (x) z = f.F (x) }",
            extra=function("F (a) => (b) { b = Abs (a) }") + function("F (a) => (b) { b = Neg (a) }"),
        )
    )
    model.functions[1].overload = model.graph.node[1].overload = "other"
    outputs = evaluator(as_model(model, "model")).run(None, {"x": X})
    assert [output.tolist() for output in outputs] == [[1, 2], [-1, 2]]


def test_a_recursive_function_is_refused():
    text = main(
        "(float[2] x) => (float[2] y) { y = f.F (x) }",
        extra=function("F (a) => (b) { b = f.G (a) }") + function("G (a) => (b) { b = f.F (a) }"),
    )
    refused(text, "function f:F: function f:F and function f:G call each other", x=X)


def test_attributes_of_functions_have_values_or_defaults_or_are_absent():
    leaky = function("F <alpha: float = 0.5> (a) => (b) { b = LeakyRelu <alpha: float = @alpha> (a) }")
    text = main("(float[2] x) => (float[2] y, float[2] z) { y = f.F (x) z = f.F <alpha = 2.0> (x) }", extra=leaky)
    assert run(text, x=X) == [[1, -1], [1, -4]]
    relu = function("F <alpha> (a) => (b) { b = ThresholdedRelu <alpha: float = @alpha> (a) }")
    text = main("(float[2] x) => (float[2] y, float[2] z) { y = f.F (x) z = f.F <alpha = -3.0> (x) }", extra=relu)
    assert run(text, x=X) == [[0, 0], [1, -2]]  # alpha is 1 if it is left out


def test_attributes_of_functions_reach_subgraphs():
    body = """F <axis> (a, c) => (b) {
        b = If (c) <then_branch = t () => (float[1] s) { s = ReduceMax <axes: ints = @axis> (a) },
                    else_branch = e () => (float[2] s) { s = Identity (a) }> }"""
    text = main("(float[2] x, bool c) => (float[k] y) { y = f.F <axis = [0]> (x, c) }", extra=function(body))
    assert run(text, x=X, c=np.array(True)) == [[1]]
    assert run(text, x=X, c=np.array(False)) == [[1, -2]]


def test_inputs_that_are_left_out_at_the_end_are_absent():
    body = function("F (a, low, high) => (b) { b = Clip (a, low, high) }")
    text = main("(float[2] x, float l) => (float[2] y) { y = f.F (x, l) }", extra=body)
    assert run(text, x=X, l=np.float32(0)) == [[1, 0]]
    text = main("(float[2] x) => (float[2] y) { y = f.F (x, x, x, x) }", extra=body)
    assert refused(text, "node 0 (F): it has 4 inputs", x=X).details == ("the function has 3",)


def test_ai_onnx_is_the_domain_without_a_name():
    text = '<ir_version: 8, opset_import: ["ai.onnx" : 12]> main (float[2,2] x) => (float[2,2] y) { y = Hardmax (x) }'
    model = onnx.parser.parse_model(text)
    model.graph.node[0].domain = "ai.onnx"
    (y,) = evaluator(as_model(model, "model")).run(None, {"x": np.array([[1, 2], [4, 3]], "f4")})
    assert y.tolist() == [[0, 1], [1, 0]]


LOOP = """(int64 n, float[2] x) => (float[2] last, float[k, 2] all) {
    zero = Sub (x, x)
    last, all = Loop (n, "", zero) <body = b (int64 i, bool going, float[2] v) => (bool more, float[2] w, float[2] s) {
        more = Identity (going)
        w = Add (v, x)
        s = Identity (w)
    }>
}"""


def test_a_loop_sees_names_around_it():
    assert run(main(LOOP), n=np.array(3), x=X) == [[3, -6], [[1, -2], [2, -4], [3, -6]]]


def test_a_loop_of_no_iterations_has_empty_scan_outputs():
    last, everything = prepared(main(LOOP)).run(None, {"n": np.array(0), "x": X})
    assert last.tolist() == [0, 0]
    assert everything.shape == (0, 2)
    unknown = main(LOOP.replace("float[2] s)", "float[-1] s)"))
    assert prepared(unknown).run(None, {"n": np.array(0), "x": X})[1].shape == (0, 0)


CALLS = {
    "main": "(float[2] a, {b}) => (float[2] y) {{ y = {node} }}",
    "if": """(float[2] a, {b}) => (float[2] y) {{
        c = Constant <value = bool {{1}}> ()
        y = If (c) <then_branch = t () => (float[2] s) {{ s = {node} }},
                    else_branch = e () => (float[2] s) {{ s = Identity (a) }}>
    }}""",
    "loop": """(float[2] a, {b}) => (float[2] y) {{
        n = Constant <value = int64 {{1}}> ()
        y = Loop (n, "", a) <body = l (int64 i, bool g, float[2] v) => (bool m, float[2] s)
                             {{ m = Identity (g) s = {node} }}>
    }}""",
}
PLACES = {"main": "node 0 (Min)", "if": "node 1 (If) > node 0 (Min)", "loop": "node 1 (Loop) > node 1 (Min)"}


@pytest.mark.parametrize("place", CALLS)
def test_min_is_exact_wherever_it_stands(place):
    text = main(CALLS[place].format(b="float[2] b", node="Min (a, b)"))
    zeros = run(text, a=np.array([0.0, np.nan], "f4"), b=np.array([-0.0, 1], "f4"))
    assert str(zeros) == "[[-0.0, nan]]"


@pytest.mark.parametrize("place", CALLS)
def test_min_is_refused_with_its_place(place):
    text = main(CALLS[place].format(b="float b", node="Min (a, b)"), opset=7)
    error = refused(text, f"{PLACES[place]}: Min-6 needs equal shapes", a=X, b=np.float32(1))
    assert error.hint == ""


def test_shapes_that_do_not_broadcast_are_drawn_with_the_names_of_the_node():
    text = main("(float[k] a, float[n, m] b) => (float[p, q] y) { [low] y = Min (a, b, a) }", opset=13)
    error = refused(text, "node 0 (Min low): Min-13: the shapes do not broadcast", a=X, b=np.zeros((2, 4), "f4"))
    assert error.details == ("a      2", "b  2 x 4", "       ^ 2 and 4 differ, and neither is 1")


@pytest.mark.parametrize(
    ("node", "opset", "a", "words"),
    [
        ("Min (a, a)", 8, np.array([1], "i4"), "node 0 (Min): Min-8 does not accept int32 (a)"),
        ("ReduceMin (a)", 18, np.array([True]), "node 0 (ReduceMin): ReduceMin-18 does not accept bool (the array)"),
        (
            "ReduceMin (a)",
            13,
            np.array([1], "i2"),
            "node 0 (ReduceMin): ReduceMin-13 does not accept int16 (the array)",
        ),
    ],
)
def test_a_type_that_the_version_does_not_take(node, opset, a, words):
    error = refused(main(f"(float[k] a) => (float[k] y) {{ y = {node} }}", opset), words, a=a)
    assert "accepts" in error.details[0]


@pytest.mark.parametrize(
    ("node", "opset", "words"),
    [
        ('Min (a, "")', 13, "node 0 (Min-13): input 1 (data_0) is left out"),
        ("ReduceMin <axes = [0]> (a)", 18, "node 0 (ReduceMin-18): axes is given as an attribute"),
        ("ReduceMin (a, x)", 13, "node 0 (ReduceMin-13): axes is given as input 1"),
        ("ReduceMin <axes = [-1]> (a)", 1, "node 0 (ReduceMin): ReduceMin-1 does not accept the negative axis -1"),
    ],
)
def test_what_the_schema_of_a_minimum_forbids(node, opset, words):
    text = main(f"(float[k] a, int64[1] x) => (float[k] y) {{ y = {node} }}", opset)
    with pytest.raises(ModelError) as raised:
        run(text, a=X, x=np.array([0]))
    assert raised.value.message == words


def test_min_in_a_function_has_the_rules_of_the_functions_opset():
    text = main(
        "(float[2] a, float b) => (float[2] y) { y = f.F (a, b) }",
        13,
        function("F (a, b) => (c) { c = Min (a, b) }", 7),
    )
    with pytest.raises(ModelError) as raised:
        run(text, a=X, b=np.float32(0))
    assert raised.value.message.startswith("function f:F > node 0 (Min): Min-6")


def test_what_cannot_be_run():
    text = main("(float[2] x) => (float[2] y) { y = Missing (x) }")
    refused(text, "node 0 (Missing): opset 13 of ONNX has no operator Missing", EngineError, x=X)
    text = main("(float[2] x) => (float[2] y) { y = other.Op (x) }")
    refused(text, "node 0 (Op): no opset of the domain 'other' is imported", x=X)
    text = main("(float[2] x) => (float[2] y) { y = f.None (x) }")
    refused(text, "node 0 (None): opset 1 of f has no operator None", EngineError, x=X)
    text = main("(float[2] x) => (float[2] y) { y = Abs (z) z = Neg (y) }")
    refused(text, "node 0 (Abs-13): node 0 (Abs) and node 1 (Neg) need each other's outputs", x=X)
    text = main("(float[2] x) => (float[2] y) { z = Abs (x) }")
    refused(text, "model: nothing in the graph makes the output y", x=X)
    text = main("(float[2] x) => (float[k] y) { y = Reshape (x, x) }")
    with pytest.raises(EngineError, match=r"^node 0 \(Reshape\) failed on float\[2\] x, float\[2\] x: TypeError: "):
        run(text, x=X)


def nested(depth):
    """Return a model of functions that call each other: F0 calls F1, and so on; the last is Neg."""
    bodies = [f"b = f.F{number + 1} (a)" for number in range(depth - 1)] + ["b = Neg (a)"]
    functions = [function(f"F{number} (a) => (b) {{ {body} }}", 13) for number, body in enumerate(bodies)]
    return main("(float[2] x) => (float[2] y) { y = f.F0 (x) }", 13, "".join(functions))


def test_functions_that_are_nested_too_deeply():
    assert run(nested(40), x=X) == [[-1, 2]]
    with pytest.raises(EngineError) as raised:
        run(nested(400), x=X)
    assert str(raised.value).partition(" cannot be run: ")[2] == (
        "functions and subgraphs are nested too deeply\n"
        "  the reference engine takes some 90 functions that call each other\n"
        "  hint: inline them (onnx.inliner.inline_local_functions)"
    )


def test_an_opset_of_a_function_that_is_not_known():
    text = main("(float[2] x) => (float[2] y) { y = f.F (x) }", 13, function("F (a) => (b) { b = Neg (a) }", 99))
    newest = onnx.defs.onnx_opset_version()
    with pytest.raises(EngineError) as raised:
        run(text, x=X)
    assert str(raised.value) == (
        "function f:F: it imports opset 99\n"
        f"  the installed onnx {onnx.__version__} knows those up to {newest}\n"
        "  hint: pip install --upgrade onnx"
    )


def test_a_domain_without_an_opset_is_named():
    body = '<domain: "f", opset_import: ["f" : 1]> F (a) => (b) { b = Neg (a) }'
    text = main("(float[2] x) => (float[2] y) { y = f.F (x) }", 13, body)
    refused(text, "function f:F > node 0 (Neg): no opset of ONNX's own domain is imported", x=X)


def test_initializers_are_defaults_of_inputs():
    text = main("(float[2] x = {1, 2}) => (float[2] y) { y = Neg (x) }")
    assert run(text) == [[-1, -2]]
    assert run(text, x=X) == [[-1, 2]]


def test_sparse_initializers_are_made_dense():
    model = onnx.parser.parse_model(main("() => (float[2,2] y) { y = Identity (w) }"))
    values = onnx.helper.make_tensor("w", onnx.TensorProto.FLOAT, [1], [5.0])
    for indices in (onnx.helper.make_tensor("i", 7, [1], [2]), onnx.helper.make_tensor("i", 7, [1, 2], [1, 0])):
        del model.graph.sparse_initializer[:]
        model.graph.sparse_initializer.append(onnx.helper.make_sparse_tensor(values, indices, [2, 2]))
        (y,) = evaluator(as_model(model, "model")).run(None, {})
        assert y.tolist() == [[0, 0], [5, 0]]


def test_values_are_dropped_after_their_last_use():
    nodes = " ".join(f"v{i + 1} = Neg (v{i})" for i in range(20))
    ready = prepared(main(f"(float[n] v0) => (float[n] v20) {{ {nodes} }}"))
    array = np.ones(1 << 18, "f4")
    tracemalloc.start()
    try:
        ready.run(None, {"v0": array})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * array.nbytes  # two values, and what Neg needs; all 20 would be 20


def test_values_that_are_asked_for_are_kept():
    ready = prepared(main("(float[2] x) => (float[2] y) { a = Neg (x) b = Abs (a) y = Neg (b) }"))
    assert [value.tolist() for value in ready.run(["y", "a", "x"], {"x": X})] == [[-1, -2], [-1, 2], [1, -2]]


def test_an_observer_is_told_of_each_node_of_the_main_graph():
    told = []
    ready = prepared(main("(float[2] x) => (float[2] y) { a = Neg (x) y = Abs (a) }"))
    ready.run(None, {"x": X}, observer=lambda node, inputs, outputs, seconds: told.append((node.op_type, seconds >= 0)))
    assert told == [("Neg", True), ("Abs", True)]


def test_an_output_without_a_name_is_dropped_and_no_input_of_later_nodes():
    model = onnx.parser.parse_model(
        main("(float[2] x, int64[1] k) => (float[2] y) { t, i = TopK (x, k) y = Clip (x, t) }")
    )
    model.graph.node[0].output[0] = model.graph.node[1].input[1] = ""
    (y,) = evaluator(as_model(model, "model")).run(None, {"x": X, "k": np.array([1])})
    assert y.tolist() == [1, -2]


def test_infinities_and_nan_are_values_without_a_warning():
    assert str(run(main("(float[2] x) => (float[2] y) { y = Log (x) }"), x=np.array([0, -1], "f4"))) == "[[-inf, nan]]"


@pytest.mark.parametrize(
    ("node", "words"),
    [
        pytest.param("y = ReduceMin <keepdims = 1.5> (x)", "the attribute keepdims is FLOAT", id="keepdims"),
        pytest.param('y = ReduceMin <axes = "0"> (x)', "the attribute axes is STRING", id="axes"),
    ],
)
def test_attributes_have_the_type_of_the_version(node, words):
    refused(main(f"(float[2] x) => (float y) {{ {node} }}"), f"node 0 (ReduceMin-13): {words}")


@pytest.mark.parametrize("operator", ["Min", "ReduceMin"])
def test_a_minimum_has_one_output(operator):
    words = f"node 0 ({operator}-13): it has 2 outputs"
    refused(main(f"(float[2] x) => (float y) {{ y, z = {operator} (x) }}"), words)


def test_a_part_of_a_tensor_cannot_be_read():
    model = onnx.parser.parse_model(main("(float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add (x, w) }"))
    model.graph.initializer[0].segment.begin = 0
    with pytest.raises(ModelError) as raised:
        evaluator(as_model(model, "model"))
    assert raised.value.message == "the initializer w cannot be read: Currently not supporting loading segments."
