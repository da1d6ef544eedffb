"""Values that follow from random nodes: that they differ is no fault, and is said so."""

import numpy as np
import onnx
import pytest

from mincli.models.compare import Tolerance
from mincli.models.compared import compare_values
from mincli.models.randomness import random_notes
from mincli.models.request import Request
from mincli.models.run import run_model
from tests.models.graphs import model

HEAD = '<ir_version: 8, opset_import: ["" : 17, "f" : 1]>'
ONE, TWO = np.ones(2, "f4"), np.zeros(2, "f4")


def notes(text, *names, given=None, same=()):
    """Return what is said of a model whose values of these names all differ."""
    made = model(f"{HEAD} {text}")
    got = dict.fromkeys(names, ONE) | dict.fromkeys(same, ONE)
    want = dict.fromkeys(names, TWO) | dict.fromkeys(same, ONE)
    compared = compare_values(made, "onnxruntime", got, want, Tolerance())
    return random_notes(made, [compared], given or {})


def of(node, names="y"):
    return [f"{node} is random: a difference from onnxruntime in {names} is no sign of a fault"]


@pytest.mark.parametrize(
    ("operator", "body"),
    [
        ("Bernoulli", "y = Bernoulli (x)"),
        ("Multinomial", "y = Multinomial (x)"),
        ("RandomNormal", "y = RandomNormal <shape = [2]> ()"),
        ("RandomNormalLike", "y = RandomNormalLike (x)"),
        ("RandomUniform", "y = RandomUniform <shape = [2], seed = 1.0> ()"),
        ("RandomUniformLike", "y = RandomUniformLike (x)"),
    ],
)
def test_random_operators(operator, body):
    assert notes(f"g (float[1, 2] x) => (float[k] y) {{ {body} }}", "y") == of(f"node 0 ({operator})")


def test_what_follows_from_them_and_what_does_not():
    text = """g (float[2] x) => (float[2] y, float[2] z, float[2] w) {
        [dice] r = RandomNormalLike (x)
        y = Add (x, r)
        z = Neg (y)
        w = Neg (x)
    }"""
    assert notes(text, "y", "z", "w") == of("node 0 (RandomNormalLike dice)", "y, z")
    assert notes(text, "w") == []
    assert notes(text, "z", "w", same=["y"]) == of("node 0 (RandomNormalLike dice)", "z")
    assert notes(text, same=["y", "z", "w"]) == []


def test_an_output_that_is_left_out_is_no_input_of_others():
    made = "g (float[2] x) => (float[2] y, float[2] z) { y, m = Dropout (x, h, t) z = Clip (x, , h) }"
    text = made.replace("=> (float[2] y, float[2] z)", "=> (float[2] y, float[2] z) <float h = {0.5}, bool t = {1}>")
    own = model(f"{HEAD} {text}")
    own.proto.graph.node[0].output[1] = ""
    compared = compare_values(own, "expected", {"y": ONE, "z": ONE}, {"y": TWO, "z": TWO}, Tolerance())
    assert random_notes(own, [compared], {}) == [
        "node 0 (Dropout) is random: a difference from expected in y is no sign of a fault"
    ]


@pytest.mark.parametrize(
    ("ratio", "training", "given", "random"),
    [
        ("{0.5}", "{1}", {}, True),
        ("{0.5}", "{0}", {}, False),
        ("{0}", "{1}", {}, False),
        ("{0.5}", "{0}", {"t": np.array(True)}, True),
        ("{0.5}", "{1}", {"t": np.array(False)}, False),
    ],
)
def test_dropout_is_random_in_training_mode(ratio, training, given, random):
    text = f"""g (float[2] x, bool t) => (float[2] y) <float h = {ratio}, bool t = {training}> {{
        y = Dropout (x, h, t)
    }}"""
    assert notes(text, "y", given=given) == (of("node 0 (Dropout)") if random else [])


@pytest.mark.parametrize(
    "body", ["y = Dropout (x)", "y = Dropout (x, h)", "t = Identity (s) y = Dropout (x, h, t)", "y = Neg (x)"]
)
def test_dropout_that_is_not_known_to_be_random(body):
    text = f"g (float[2] x, bool s) => (float[2] y) <float h = {{0.5}}> {{ {body} }}"
    assert notes(text, "y") == []


def test_constants_say_the_mode_too():
    text = """g (float[2] x) => (float[2] y) {
        h = Constant <value_float = 0.5> ()
        t = Constant <value = bool {1}> ()
        y = Dropout (x, h, t)
    }"""
    assert notes(text, "y") == of("node 2 (Dropout)")


def test_branches_and_functions():
    text = """g (bool c, float[2] x) => (float[2] y, float[2] z, float[2] w) {
        y = If (c) <then_branch = t () => (float[2] a) { a = RandomNormalLike (x) },
                    else_branch = e () => (float[2] b) { b = Neg (x) }>
        z = f.Noisy (x)
        w = f.Quiet (x)
    }
    <domain: "f", opset_import: ["" : 17, "f" : 1]> Noisy (a) => (b) { c = f.Quiet (a) b = Bernoulli (c) }
    <domain: "f", opset_import: ["" : 17]> Quiet (a) => (b) { b = Neg (a) }"""
    assert notes(text, "y", "z", "w") == [*of("node 0 (If)", "y"), *of("node 1 (Noisy)", "z")]


def test_a_run_that_is_compared():
    text = f"{HEAD} g (float[9] x) => (float[9] y) {{ y = RandomNormalLike <seed = 1.0> (x) }}"
    onnx.save(onnx.parser.parse_model(text), "m.onnx")
    report = run_model(Request("m.onnx", random=True, other="onnxruntime"))
    assert (report.found, report.runs[0].notes) == (True, of("node 0 (RandomNormalLike)"))
