"""Both sides of each change of meaning that check-schema knows, on the reference engine; by hand."""

import numpy as np
import pytest

from mincli.errors import ModelError
from mincli.spec.changes import CHANGES
from tests.models.operators.nodes import f4, ints, run_node

A, V, N = f4([[1, 2], [3, 4]]), f4([1, 2]), np.array([[1, 2], [3, 4]])
T, W = np.array([[True, False], [False, True]]), np.array([True, False])
X = f4([[[0, 1], [2, 0]]])
EQUAL = "until opset 7 it needs equal shapes"
DIFFER = "the shapes 2 x 2 and 2 differ"
HALF, QUARTER = np.log(0.5), np.log(0.25)
CASES = [  # operator, opset, inputs, attributes, values or the refusal
    ("Min", 7, (A, V), {}, "Min-6 needs equal shapes"),
    ("Min", 8, (A, V), {}, [[1, 2], [1, 2]]),
    ("Max", 7, (A, V), {}, EQUAL),
    ("Max", 8, (A, V), {}, [[1, 2], [3, 4]]),
    ("Sum", 7, (A, V), {}, EQUAL),
    ("Sum", 8, (A, V), {}, [[2, 4], [4, 6]]),
    ("Mean", 7, (A, V), {}, EQUAL),
    ("Mean", 8, (A, V), {}, [[1, 2], [2, 3]]),
    *((name, 6, (A, V), {}, DIFFER) for name in ("Add", "Sub", "Mul", "Div", "Pow", "Greater", "Less")),
    *((name, 6, (T, W), {}, DIFFER) for name in ("And", "Or", "Xor", "Equal")),
    ("Add", 7, (A, V), {}, [[2, 4], [4, 6]]),
    ("Sub", 7, (A, V), {}, [[0, 0], [2, 2]]),
    ("Mul", 7, (A, V), {}, [[1, 4], [3, 8]]),
    ("Div", 7, (A, V), {}, [[1, 1], [3, 2]]),
    ("Pow", 7, (A, V), {}, [[1, 4], [3, 16]]),
    ("And", 7, (T, W), {}, [[True, False], [False, False]]),
    ("Or", 7, (T, W), {}, [[True, False], [True, True]]),
    ("Xor", 7, (T, W), {}, [[False, False], [True, True]]),
    ("Equal", 7, (N, np.array([1, 2])), {}, [[True, True], [False, False]]),
    ("Greater", 7, (A, V), {}, [[False, False], [True, True]]),
    ("Less", 7, (A, f4([2, 2])), {}, [[True, False], [False, False]]),
    ("Gemm", 6, (A, A, V), {}, "C is 2, and the product is 2 x 2"),
    ("Gemm", 7, (A, A, V), {}, [[8, 12], [16, 24]]),
    ("Hardmax", 12, (X,), {}, [[[0, 0], [1, 0]]]),
    ("Hardmax", 13, (X,), {}, [[[0, 1], [1, 0]]]),
    ("Softmax", 12, (X * 0,), {}, [[[0.25, 0.25], [0.25, 0.25]]]),
    ("Softmax", 13, (X * 0,), {}, [[[0.5, 0.5], [0.5, 0.5]]]),
    ("LogSoftmax", 12, (X * 0,), {}, [[[QUARTER, QUARTER], [QUARTER, QUARTER]]]),
    ("LogSoftmax", 13, (X * 0,), {}, [[[HALF, HALF], [HALF, HALF]]]),
    ("PRelu", 6, (f4([[[-1, 2], [-3, -4]]]), f4([10, 100])), {}, [[[-10, 2], [-300, -400]]]),
    ("PRelu", 7, (f4([[[-1, 2], [-3, -4]]]), f4([10, 100])), {}, [[[-10, 2], [-30, -400]]]),
    ("Tile", 5, (f4([[1, 2]]), f4(2), f4(1)), {}, [[1, 2, 1, 2]]),
    ("Tile", 6, (f4([[1, 2]]), ints(2, 1)), {}, [[1, 2], [1, 2]]),
    *(("GroupNormalization", opset, (f4([[[1], [3], [5], [9]]]), f4(scale), f4(scale) * 0),
       {"num_groups": 2, "epsilon": 0.0}, want) for opset, scale, want in (
        (20, [10, 100], [[[-10], [10], [-100], [100]]]), (21, [1, 2, 3, 4], [[[-1], [2], [-3], [4]]]))),
    ("OneHot", 10, (ints(-1), ints(2), f4([0, 1])), {}, [[0, 0]]),
    ("OneHot", 11, (ints(-1), ints(2), f4([0, 1])), {}, [[0, 1]]),
    ("DFT", 19, (f4([[[[1], [2]], [[3], [4]]]]),), {}, [[[[4, 0], [6, 0]], [[-2, 0], [-2, 0]]]]),
    ("DFT", 20, (f4([[[[1], [2]], [[3], [4]]]]),), {}, [[[[3, 0], [-1, 0]], [[7, 0], [-1, 0]]]]),
    # The older texts contradict themselves or ONNX's own tests of them; the engine has the newer rule on both sides.
    *(("ConvTranspose", opset, (f4([[[1, 2]]]), f4([[[1, 1, 1]]])), {"strides": [2], "auto_pad": "SAME_UPPER"},
       [[[1, 1, 3, 2]]]) for opset in (10, 11)),
    *((name, opset, (f4([[[1, 2]]]),), {"kernel_shape": [2], "strides": [4], "ceil_mode": 1, "pads": [0, 3]}, want)
      for name, want in (("MaxPool", [[[2]]]), ("AveragePool", [[[1.5]]])) for opset in (21, 22)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "opset", "inputs", "attributes", "want"), CASES, ids=[f"{case[0]}-{case[1]}" for case in CASES]
)
def test_the_version_decides(name, opset, inputs, attributes, want):
    if isinstance(want, str):
        with pytest.raises(ModelError) as raised:
            run_node(name, opset, *inputs, **attributes)
        assert raised.value.message == f"node 0 ({name}): {want}"
    else:
        got = run_node(name, opset, *inputs, **attributes)
        np.testing.assert_allclose(got, want, rtol=1e-6)
        assert got.shape == np.shape(want)


def test_each_change_has_both_sides():
    both = {(name, change.since - side) for change in CHANGES for name in change.operators for side in (0, 1)}
    scan = {("Scan", 8), ("Scan", 9)}  # in test_control_flow
    assert {(case[0], case[1]) for case in CASES} | scan == both
