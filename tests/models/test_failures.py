"""What is said of a node that fails: which, on what, and why; never onnx's words for its own classes."""

import ml_dtypes
import numpy as np
import pytest
from onnx import helper

import mincli
import mincli.backend
from mincli.errors import EngineError
from mincli.models.failures import failure
from tests.models.graphs import proto
from tests.refusals import refused

X, Y = np.zeros((2, 3), "f4"), np.zeros(4, "f4")
APART = """the shapes do not broadcast
  x  2 x 3
  y      4
         ^ 3 and 4 differ, and neither is 1"""


def said(operator, names, *values, **attributes):
    node = helper.make_node(operator, names.split(), ["z"], **attributes)
    return refused(mincli.backend.run_node, node, list(values)).strip()


@pytest.mark.parametrize("operator", ["Add", "Sub", "Mul", "Pow", "Equal", "Max", "Mod"])
def test_shapes_that_do_not_broadcast(operator):
    assert said(operator, "x y", X, Y) == f"ModelError: node 0 ({operator}): {APART}"


def test_types_that_differ():
    assert said("Add", "x y", X, X.astype(ml_dtypes.bfloat16)) == (
        "EngineError: node 0 (Add) failed on float[2, 3] x, bfloat16[2, 3] y: "
        "RuntimeTypeError: Input type mismatch: float32 != bfloat16"
    )


def test_a_reason_beneath_another_is_said_too():
    assert said("MatMul", "x y", X, Y) == (
        "EngineError: node 0 (MatMul) failed on float[2, 3] x, float[4] y: ValueError: "
        "Unable to multiply shapes (2, 3), (4,). "
        "(ValueError: shapes (2,3) and (4,) not aligned: 3 (dim 1) != 4 (dim 0))"
    )


def test_a_node_in_a_branch_and_names_that_are_not_safe():
    text = """<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[n] x, float[m] y) => (float[k] z) {
        z = If (c) <then_branch = t () => (float[k] a) { [product] a = MatMul (x, y) },
                   else_branch = e () => (float[k] b) { b = Neg (x) }>
    }"""
    model = proto(text)
    model.graph.node[0].attribute[0].g.node[0].input[1] = model.graph.input[2].name = "y\x1b[0m"
    assert refused(mincli.run_model, model, [True, [1, 2, 3], [1, 2]]) == (
        "EngineError: node 0 (If) > node 0 (MatMul product) failed on float[3] x, float[2] y\\x1b[0m: "
        "ValueError: Unable to multiply shapes (3,), (2,). "
        "(ValueError: shapes (3,) and (2,) not aligned: 3 (dim 0) != 2 (dim 0))"
    )


def test_long_lists_of_inputs_end_early():
    names = "a b c d e f g h i j k l"
    shown = ", ".join(f"float[2, 3] {name}" for name in "abcdefghij")
    text = said("Concat", names, *[X] * 11, Y, axis=0)
    assert text.startswith(f"EngineError: node 0 (Concat) failed on {shown} and 2 more: ValueError: ")


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ([], ""),
        ([""], ""),
        (["s", "", "o"], " on sequence of 1 s, absent o"),
        (["k", "d"], " on int k, ndarray d"),
    ],
)
def test_values_that_are_no_tensors(inputs, words):
    values = {"": None, "s": [X], "o": None, "k": 1, "d": np.zeros(1, "M8[s]")}
    found = failure(ValueError("no"), "node 0 (F)", helper.make_node("F", inputs, []), 17, values)
    assert (type(found), found.message) == (EngineError, f"node 0 (F) failed{words}: ValueError: no")
