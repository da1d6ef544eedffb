"""Scan, optionals and If."""

import numpy as np
import onnx
import pytest

from mincli.errors import EngineError
from mincli.models.evaluate import evaluator
from mincli.models.load import as_model
from tests.models.operators.nodes import f4, ints


def run(text, **feeds):
    return evaluator(as_model(onnx.parser.parse_model(text), "model")).run(None, feeds)


def scan(attributes, inputs="x", opset=11, shapes="float[n, m] x"):
    return f"""<ir_version: 8, opset_import: ["" : {opset}]>
    g (float[1] s, {shapes}) => (float[1] last, float[a, b] sums) {{
        last, sums = Scan <num_scan_inputs = 1, {attributes}
            body = b (float[1] t, float[1] e) => (float[1] u, float[1] o) {{ u = Add (t, e) o = Identity (u) }}>
            ({inputs})
    }}"""


ZERO = f4([0])


def test_scan_goes_along_the_first_axis():
    last, sums = run(scan("", "s, x"), s=ZERO, x=f4([[1], [2], [4]]))
    assert (last.tolist(), sums.tolist()) == ([7], [[1], [3], [7]])


def test_scan_has_axes_and_directions_of_inputs_and_outputs():
    attributes = (
        "scan_input_axes = [1], scan_input_directions = [1], scan_output_axes = [1], scan_output_directions = [1],"
    )
    last, sums = run(scan(attributes, "s, x"), s=ZERO, x=f4([[1, 2, 4]]))
    assert (last.tolist(), sums.tolist()) == ([7], [[7, 6, 4]])  # 4, 4 + 2, 4 + 2 + 1, written from the end


def test_scan_of_nothing():
    last, sums = run(scan("", "s, x"), s=ZERO, x=np.zeros((0, 1), "f4"))
    assert (last.tolist(), sums.shape) == ([0], (0, 1))


def test_scan_8_has_a_batch_and_lengths():
    text = scan("directions = [1],", "lengths, s, x", 8, "int64[n] lengths, float[n, m, 1] x")
    text = text.replace("(float[1] s,", "(float[n, 1] s,")
    last, sums = run(text, s=f4([[0], [10]]), lengths=ints(2, 1), x=f4([[[1], [2]], [[4], [8]]]))
    assert last.tolist() == [[3], [14]]
    assert sums.tolist() == [[[2], [3]], [[14], [0]]]


OPTIONAL = """<ir_version: 8, opset_import: ["" : 16]> g (bool c) => (bool has, float[2] got) {
    o = If (c) <then_branch = t () => (optional(float[2]) p) {
                    v = Constant <value = float[2] {1, 2}> () p = Optional (v) },
                else_branch = e () => (optional(float[2]) q) { q = Optional <type: type_proto = float[2]> () }>
    has = OptionalHasElement (o)
    got = OptionalGetElement (o)
}"""


def test_an_optional_that_holds_a_value_is_that_value():
    has, got = run(OPTIONAL, c=np.array(True))
    assert (has.tolist(), got.tolist()) == (True, [1, 2])


def test_an_optional_that_holds_none():
    with pytest.raises(
        EngineError,
        match=r"^node 2 \(OptionalGetElement\) failed on absent .*: ValueError: the optional holds no element$",
    ):
        run(OPTIONAL, c=np.array(False))


def test_the_condition_of_if_is_one_element():
    with pytest.raises(
        EngineError, match=r"^node 0 \(If\) failed on bool\[2\] .*: ValueError: the condition has 2 elements, not one$"
    ):
        run(OPTIONAL, c=np.array([True, False]))


@pytest.mark.parametrize("opset", [16, 25])
def test_identity_passes_an_optional_that_is_absent(opset):
    text = f"""<ir_version: 8, opset_import: ["" : {opset}]>
    g (optional(float[1]) x) => (optional(float[1]) y, bool z) {{ y = Identity (x) z = OptionalHasElement (y) }}"""
    assert run(text, x=None) == [None, np.array(False)]
    assert run(text, x=f4([2])) == [f4([2]), np.array(True)]
