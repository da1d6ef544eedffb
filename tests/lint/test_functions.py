"""Functions, calls of them, and graphs in nodes: texts and places."""

import onnx
import pytest

from mincli.findings.table import RULES
from tests.lint.told import codes, proto, said

NAMES = "give each a name of its own"


def model(body, *functions, ir_version=10):
    parts = [f'<domain: "own", opset_import: ["" : 21, "own" : 1]> {function}' for function in functions]
    header = f'<ir_version: {ir_version}, opset_import: ["" : 21, "own" : 1]>'
    return "\n".join([f"{header} g (float[2] x) => (float[2] y) {{ {body} }}", *parts])


RELU = "f (a) => (b) { b = Relu (a) }"


def test_a_function_that_calls_itself():
    text = model("y = own.f (x)", "f (a) => (b) { b = own.f (a) }")
    assert said(text) == [("MC601", "function own:f", "it calls itself", "", "")]


def test_functions_that_call_each_other_in_a_graph_in_a_node():
    inner = """c = Cast <to = 9> (a) b = If (c) <then_branch = t () => (r) { r = own.f (a) },
                                          else_branch = e () => (s) { s = own.f (a) }>"""
    text = model("y = own.f (x)", "f (a) => (b) { b = own.h (a) }", f"h (a) => (b) {{ {inner} }}")
    assert said(text) == [("MC601", "function own:f", "function own:f and function own:h call each other", "", "")]


def test_functions_may_share_functions():
    text = model(
        "y = own.f (x)", "f (a) => (b) { c = own.h (a) d = own.h (a) b = Add (c, d) }", "h (a) => (b) { b = Neg (a) }"
    )
    assert codes(text) == []


def test_a_function_that_is_defined_twice():
    text = model("y = own.f (x)", RELU, RELU)
    assert said(text) == [("MC602", "function own:f", "it is defined before", "", "remove one, or give it an overload")]


def test_overloads_are_functions_of_their_own():
    broken = proto(model("y = own.f (x)", RELU, RELU))
    broken.functions[1].overload = "two"
    assert codes(broken) == []


def test_a_function_of_another_opset():
    assert said(RULES["MC603"].wrong) == [
        (
            "MC603",
            "function own:f > node 0 (Relu-13)",
            "by opset 13 of the function it is Relu-13, and by opset 21 of the model Relu-14",
            "one version of each operator by both",
            "write the function for opset 21",
        )
    ]


def test_a_function_without_opsets():
    broken = proto(model("y = own.f (x)", RELU))
    del broken.functions[0].opset_import[:]
    assert said(broken) == [
        (
            "MC603",
            "function own:f",
            "it imports no opset",
            "an opset of each domain of its nodes",
            "set FunctionProto.opset_import",
        )
    ]


def test_two_functions_of_two_opsets_of_a_domain_that_the_model_does_not_import():
    broken = proto(model("y = own.f (x)", "f (a) => (b) { b = own.h (a) }", "h (a) => (b) { b = Relu (a) }"))
    for version, function in zip((1, 2), broken.functions, strict=True):
        function.node.add(op_type="LabelEncoder", domain="ai.onnx.ml", input=["a"], output=["c"])
        function.opset_import.add(domain="ai.onnx.ml", version=version)
    assert [finding for finding in said(broken) if finding[0] == "MC603"] == [
        (
            "MC603",
            "function own:h > node 1 (LabelEncoder-2)",
            "by opset 2 of the function it is LabelEncoder-2, and by opset 1 of another function LabelEncoder-1",
            "one version of each operator by both",
            "write the function for opset 1",
        )
    ]


def test_calls():
    text = model("y, z = own.f (x, x)", RELU)
    assert said(text) == [
        ("MC604", "node 0 (f)", "it has 2 inputs", "the function has 1", ""),
        ("MC604", "node 0 (f)", "it has 2 outputs", "the function has 1", ""),
    ]


def test_an_output_that_nothing_makes():
    text = model("y = own.f (x)", "f (a) => (b, c) { b = Relu (a) }")
    assert said(text) == [("MC605", "function own:f", "nothing makes the output c", "", "")]


def test_an_input_may_be_an_output():
    assert codes(model("y = own.f (x)", "f (a) => (a) { }")) == []


def test_parameters_that_are_there_twice():
    text = model("y = own.f <k = 1> (x)", "f <k, k> (a, a) => (b, b) { b = Relu (a) }")
    assert said(text) == [
        ("MC606", "function own:f", "2 of its inputs have the name a", "", NAMES),
        ("MC606", "function own:f", "2 of its outputs have the name b", "", NAMES),
        ("MC606", "function own:f", "2 of its attributes have the name k", "", NAMES),
    ]


def test_a_name_in_a_function_is_made_once():
    text = model("y = own.f (x)", "f (a) => (b) { a = Relu (a) b = Neg (a) b = Abs (a) }")
    rename = "give it a name of its own"
    assert said(text) == [
        (
            "MC204",
            "function own:f > node 0 (Relu-14)",
            "its output a is made by an input of the function as well",
            "",
            rename,
        ),
        ("MC204", "function own:f > node 2 (Abs-13)", "its output b is made by node 1 (Neg) as well", "", rename),
    ]


def test_a_function_sees_no_graph_around_it():
    text = model("y = own.f (x)", "f (a) => (b) { b = Add (a, x) }")
    assert said(text) == [("MC201", "function own:f > node 0 (Add-14)", "nothing makes its input x", "", "")]


def test_a_function_in_place_of_an_operator():
    assert said(RULES["MC608"].wrong, notes=True) == [("MC608", "function Relu", "it has the name of Relu-14", "", "")]


@pytest.mark.parametrize(
    ("change", "version", "first", "what"),
    [
        (lambda function: None, 7, 8, "functions"),
        (
            lambda function: function.attribute_proto.add(name="k", type=onnx.AttributeProto.INT, i=1),
            8,
            9,
            "default values of attributes in functions",
        ),
        (lambda function: function.value_info.add(name="b"), 9, 10, "value_info in functions"),
    ],
)
def test_what_an_ir_version_does_not_have_yet(change, version, first, what):
    broken = proto(model("y = own.f (x)", RELU))
    change(broken.functions[0])
    assert codes(broken) == []
    broken.ir_version = version
    assert said(broken) == [
        (
            "MC609",
            "function own:f",
            f"IR version {version} has no {what}",
            f"IR version {first} or more",
            f"set ModelProto.ir_version to {first}",
        )
    ]


def test_attributes_of_calls():
    cast = "f <to, other> (a) => (b) { b = Cast <to: int = @to> (a) }"
    assert said(model("y = own.f <from = 1> (x)", cast)) == [
        ("MC610", "node 0 (f)", "the attribute to is not given", "Cast in it needs to", "give it a value"),
        ("MC611", "node 0 (f)", "the function has no attribute from", "its attributes: other, to", ""),
    ]
    assert codes(model("y = own.f (x)", cast.replace("<to, other>", "<to: int = 1>"))) == []


LOOP = """y, s = Loop (n, "", x) <
    body = b (int64 i, bool go, float[2] v{}) => (bool more, float[2] w, float[2] u{}) {{ {} }}>"""
BODY = "more = Identity (go) w = Neg (v) u = Neg (v)"


@pytest.mark.parametrize(
    ("node", "findings"),
    [
        (LOOP.format("", "", BODY), []),
        (LOOP.format(", float[2] k", "", BODY), [("it has 4 inputs", "Loop-21 gives it 3 here")]),
        (LOOP.format("", ", float[2] k", BODY + " k = Neg (v)"), [("it has 4 outputs", "Loop-21 takes 3 here")]),
        (
            "y = Scan <num_scan_inputs = 1, "
            "body = b () => (float z, float q) { z = Relu (n) q = Relu (n) }> (x) s = Neg (x)",
            [("it has 0 inputs", "Scan-21 gives it 1 here"), ("it has 2 outputs", "Scan-21 takes 1 here")],
        ),
    ],
    ids=["right", "inputs", "outputs", "scan"],
)  # fmt: skip
def test_graphs_in_nodes(node, findings):
    text = f'<ir_version: 10, opset_import: ["" : 21]> g (int64 n, float[2] x) => (float[2] y) {{ {node} }}'
    operator = "Scan" if "Scan" in node else "Loop"
    assert said(text) == [("MC607", f"node 0 ({operator}) body", *finding, "") for finding in findings]


def test_a_function_has_a_name_and_a_domain():
    broken = proto(RULES["MC608"].wrong)
    broken.functions[0].ClearField("domain")
    broken.functions[0].name = ""
    assert said(broken) == [
        ("MC612", "function ''", "it has no name", "", "set FunctionProto.name"),
        ("MC612", "function ''", "it has no domain", "", "set FunctionProto.domain"),
    ]


@pytest.mark.parametrize("count", [100, 101])
def test_a_long_chain(count):
    chain = [f"f{number} (a) => (b) {{ b = own.f{number + 1} (a) }}" for number in range(count - 1)]
    expected = (
        "MC614",
        "function own:f0",
        "101 functions, of which each calls the next, begin with it",
        "at most 100, as onnx.checker has it",
        "write the nodes of some of them where they are called",
    )
    text = model("y = own.f0 (x)", *chain, f"f{count - 1} (a) => (b) {{ b = Neg (a) }}")
    assert said(text) == [expected] * (count - 100)
