"""What is no finding: what onnx says of a node for a fault in its graphs, its functions, or before it."""

import onnx
import pytest

from mincli.findings import Severity
from mincli.lint import findings_in

HEADER = '<ir_version: 10, opset_import: ["" : 21, "own" : 1]>'
OWN = '<domain: "own", opset_import: ["" : 21, "own" : 1]>'


def found(text):
    """Return code, path and number of all errors."""
    findings = findings_in(onnx.parser.parse_model(text))
    errors = [finding for finding in findings if finding.rule.severity is Severity.ERROR]
    return [(finding.rule.code, finding.place.path, finding.place.node) for finding in errors]


def test_a_node_behind_one_that_is_wrong():
    text = f"{HEADER} g (float[2] x) => (float[2] y) {{ a = Reluu (x) b = Neg (a) y = Add (b, x) }}"
    assert found(text) == [("MC301", "", 0)]


@pytest.mark.parametrize(
    ("nodes", "more"),
    [("y = own.f (x)", ""), ("y = own.h (x)", f"{OWN} h (a) => (b) {{ b = own.f (a) }}")],
)
def test_a_call_of_a_function_that_is_wrong(nodes, more):
    text = f"""{HEADER} g (float[2] x) => (float[2] y) {{ {nodes} }}
{OWN} f (a) => (b) {{ c = Cast <to = 9> (a) d = Min (c) b = Cast <to = 1> (d) }}
{more}"""
    assert found(text) == [("MC401", "function own:f > ", 1)]


def test_a_function_that_calls_itself_is_looked_at_once():
    text = f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x) }}
{OWN} f (a) => (b) {{ c = Cast <to = 9> (a) d = Min (c) e = own.f (c) b = Add (a, e) }}"""
    assert found(text) == [("MC601", "function own:f > ", None), ("MC401", "function own:f > ", 1)]


def test_a_call_with_too_many_inputs_is_looked_into():
    text = f"""{HEADER} g (float[2] x, float[3] z) => (float[2] y) {{ y = own.f (x, z, z) }}
{OWN} f (a, c) => (b) {{ b = Min (a, c) }}"""
    assert found(text) == [("MC604", "", 0), ("MC501", "function own:f > ", 0)]


def test_an_input_that_a_function_needs():
    text = f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x) }}
{OWN} f (a, c) => (b) {{ b = Add (a, c) }}"""
    (finding,) = findings_in(onnx.parser.parse_model(text))
    assert (finding.rule.code, *finding[2:5]) == (
        "MC613",
        "the input c is not given",
        "Add in it needs it",
        "give it a value",
    )
    assert found(text.replace("Add (a, c)", "Clip (a, c)")) == []


def test_what_a_function_declares_of_its_values():
    model = onnx.parser.parse_model(
        f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x) }}
{OWN} f (a) => (b) {{ c = Neg (a) b = Relu (c) }}"""
    )
    model.functions[0].value_info.append(onnx.helper.make_tensor_value_info("c", onnx.TensorProto.FLOAT, [3]))
    (finding,) = findings_in(model)
    assert (finding.rule.code, finding.place.path, finding.place.node) == ("MC508", "function own:f > ", 0)
    assert finding[2:4] == ("c is declared float[3]", "Neg-13 makes float[2]")


@pytest.mark.parametrize("equation", ["ij-", "i.j", "i>j", "ij->j,i", "..ij", "i1"])
def test_equations_that_are_none(equation):
    text = f'{HEADER} g (float[2,2] x) => (float[n,m] y) {{ y = Einsum <equation = "{equation}"> (x) }}'
    (finding,) = [own for own in findings_in(onnx.parser.parse_model(text)) if own.rule.code != "MC108"]
    assert (finding.rule.code, finding.found) == ("MC314", f"the equation {equation} is none")


def test_an_equation_that_a_call_gives_does_not_hang():
    text = f"""{HEADER} g (float[2,2] x) => (float[n,m] y) {{ y = own.f <eq = "ij-"> (x) }}
{OWN} f <eq> (a) => (b) {{ b = Einsum <equation: string = @eq> (a) }}"""
    assert found(text) == [("MC314", "function own:f > ", 0)]


def test_an_element_type_that_a_call_gives():
    text = f"""{HEADER} g (float[2] x) => (y) {{ y = own.f <to = 99> (x) z = own.f <to = 6> (x) }}
{OWN} f <to> (a) => (b) {{ b = Cast <to: int = @to> (a) }}"""
    (finding,) = [own for own in findings_in(onnx.parser.parse_model(text)) if own.rule.code == "MC314"]
    assert (finding.place.path, finding.place.node) == ("function own:f > ", 0)
    assert finding.found == "the attribute to is 99, which is no element type"


def test_a_fault_in_a_function_is_told_once_if_one_that_nothing_calls_calls_it():
    text = f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x) }}
{OWN} f (a) => (b) {{ c = Cast <to = 9> (a) b = Min (c, c) }}
{OWN} h (a) => (b) {{ b = own.f (a) }}"""
    assert found(text) == [("MC401", "function own:f > ", 1)]


@pytest.mark.parametrize("equation", ["ij->ji", "ij", "...", "...j -> j", "ij, jk -> ik", ""])
def test_equations_that_are_right(equation):
    text = f'{HEADER} g (float[2,2] x) => (y) {{ y = Einsum <equation = "{equation}"> (x) }}'
    assert "MC314" not in [code for code, _, _ in found(text)]


def test_types_that_are_none():
    text = f"{HEADER} g (float[2] x) => (float[2] y) {{ z = Cast <to = 999> (x) y = Neg (z) }}"
    (finding,) = [own for own in findings_in(onnx.parser.parse_model(text)) if own.rule.code != "MC108"]
    assert (finding.rule.code, finding.found, finding.expected) == (
        "MC314",
        "the attribute to is 999, which is no element type",
        "a number of TensorProto.DataType",
    )


def test_long_vectors_are_no_shapes():
    """Onnx would keep a dimension for each element of each vector."""
    text = f"{HEADER} g (float[100000000] x) => (float[100000000] y) {{ a = Add (x, x) b = Mul (a, a) y = Sub (b, x) }}"
    assert found(text) == []
