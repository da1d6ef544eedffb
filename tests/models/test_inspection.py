"""Statistics of tensors, the first NaN or infinity, and times."""

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from mincli.graphs.functions import by_key
from mincli.models.finite import ELEMENT_WISE, NonFinite
from mincli.models.inspection import Inspector, Timing, by_node, by_operator, statistics

NAN, INF = float("nan"), float("inf")


def facts(value):
    """Return all that statistics say of a tensor but its name and maker."""
    ((_, _, *rest),) = statistics("t", "input", value)
    return rest


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([[3, 1], [NAN, -INF]], "f4"), ["float", (2, 2), 1.0, 3.0, 2.0, 1, 1]),
        (np.array([NAN, NAN], "f8"), ["double", (2,), None, None, None, 2, 0]),
        (np.array([], "f4"), ["float", (0,), None, None, None, 0, 0]),
        (np.array(2.5, "f2"), ["float16", (), 2.5, 2.5, 2.5, 0, 0]),
        (np.array([65504, 65504], "f2"), ["float16", (2,), 65504.0, 65504.0, 65504.0, 0, 0]),
        (np.array([1e308, 1e308], "f8"), ["double", (2,), 1e308, 1e308, 1e308, 0, 0]),
        (np.array([2**63 - 1, 1 - 2**63], "i8"), ["int64", (2,), 1 - 2**63, 2**63 - 1, 0.0, 0, 0]),
        (np.array([2**64 - 1], "u8"), ["uint64", (1,), 2**64 - 1, 2**64 - 1, 2.0**64, 0, 0]),
        (np.array([-128, 127], "i1"), ["int8", (2,), -128, 127, -0.5, 0, 0]),
        (np.array([True, False, False, False]), ["bool", (4,), 0, 1, 0.25, 0, 0]),
        (np.array([1, INF], ml_dtypes.bfloat16), ["bfloat16", (2,), 1.0, 1.0, 1.0, 0, 1]),
        (np.array([1, NAN], ml_dtypes.float8_e4m3fn), ["float8e4m3fn", (2,), 1.0, 1.0, 1.0, 1, 0]),
        (np.array([-8, 7], ml_dtypes.int4), ["int4", (2,), -8, 7, -0.5, 0, 0]),
        (np.array(["a"], object), ["string", (1,), None, None, None, 0, 0]),
        (np.array([1j, complex(NAN, 0)], "c8"), ["complex64", (2,), None, None, None, 1, 0]),
    ],
)
def test_statistics(array, expected):
    assert facts(array) == expected


def test_statistics_of_what_is_no_tensor():
    nested = [np.zeros(1, "f4"), [np.ones(1, "f4")]]
    assert [row.name for row in statistics("s", "input", nested)] == ["s[0]", "s[1][0]"]
    assert [row.name for row in statistics("m", "input", {1: 2.0})] == ["m[1]"]
    assert list(statistics("o", "input", None)) == []


def test_what_an_inspector_sees():
    inspector = Inspector(stats=True, finite=True)
    inspector.given({"x": np.array([1], "f4")}, "input")
    inspector(helper.make_node("Relu", ["x"], ["", "y"]), [], [None, np.array([2], "f4")], 0.5)
    assert [(row.name, row.maker) for row in inspector.statistics] == [("x", "input"), ("y", "node 0 (Relu)")]
    assert inspector.timings == [("Relu", "node 0 (Relu)", 0.5)]
    assert inspector.non_finite is None


def test_an_inspector_does_no_more_than_it_should():
    inspector = Inspector(stats=False, finite=False)
    inspector.given({"x": np.array([NAN], "f4")}, "input")
    inspector(helper.make_node("Log", ["x"], ["y"]), [np.zeros(1, "f4")], [np.array([-INF], "f4")], 0.5)
    assert (inspector.statistics, inspector.non_finite) == ([], None)


def found(node, inputs, outputs):
    inspector = Inspector(stats=False, finite=True)
    inspector(node, inputs, outputs, 0.0)
    return inspector.non_finite


def test_the_first_node_that_makes_nan_or_infinity():
    inspector = Inspector(stats=False, finite=True)
    zero, nan = np.zeros((2, 2), "f4"), np.array([[0, INF], [NAN, NAN]], "f4")
    inspector(helper.make_node("Relu", ["x"], ["y"]), [zero], [zero], 0.0)
    inspector(helper.make_node("Div", ["y", "y"], ["z"], "div\x1b"), [zero, zero], [nan], 0.0)
    inspector(helper.make_node("Log", ["y"], ["u"]), [zero], [nan], 0.0)
    assert inspector.non_finite == NonFinite("node 1 (Div div\\x1b)", "z", 2, 1, (0, 1))


def test_what_is_not_made_out_of_finite_inputs():
    finite, nan = np.zeros(2, "f4"), np.array([0, NAN], "f4")
    relu = helper.make_node("Relu", ["x"], ["y"])
    assert found(relu, [nan], [nan]) is None
    assert found(relu, [[finite, nan]], [nan]) is None
    assert found(relu, [finite, None], [nan]) == NonFinite("node 0 (Relu)", "y", 1, 0, (1,))
    assert found(relu, [finite], [[finite, nan]]) == NonFinite("node 0 (Relu)", "y[1]", 1, 0, (1,))
    assert found(relu, [finite], [np.array([1, 2], "i8")]) is None


@pytest.mark.parametrize(
    "attribute",
    [{"value": numpy_helper.from_array(np.array([NAN]))}, {"value_float": INF}, {"value_floats": [0.0, -INF]}],
)
def test_constants_are_given_and_not_made(attribute):
    constant = helper.make_node("Constant", [], ["c"], **attribute)
    assert found(constant, [], [np.array([NAN])]) is None


def test_other_attributes_do_not_matter():
    node = helper.make_node("Exp", ["x"], ["y"], alpha=1.0, mode="a", axes=[1])
    assert found(node, [np.zeros(1)], [np.array([INF])]) == NonFinite("node 0 (Exp)", "y", 0, 1, (0,))


def array(*values):
    return np.array(values, "f4")


@pytest.mark.parametrize(
    ("operator", "inputs", "output", "made"),
    [
        ("Sqrt", [array(NAN, -1, 4)], array(NAN, NAN, 2), (1, 0, (1,))),
        ("Div", [array(1, 0, INF), array(0, 0, 1)], array(INF, NAN, INF), (1, 1, (0,))),
        ("Add", [array([3e38], [INF]), array(3e38, -INF)], array([INF, -INF], [INF, NAN]), (0, 1, (0, 0))),
        ("Cast", [np.array([1e9, NAN])], np.array([INF, NAN], "f2"), (0, 1, (0,))),
        ("Cast", [np.array(["NaN", "-inf", "1e99"], object)], array(NAN, -INF, INF), (0, 1, (2,))),
        ("Clip", [array(NAN, 2), None, array(1)[0]], array(NAN, 1), None),
        ("Where", [np.array([True, False]), array(1, 2), array(INF, NAN)], array(1, NAN), None),
        ("ReduceSum", [array([3e38, 3e38], [INF, 0])], array([INF], [INF]), (0, 1, (0, 0))),
        ("ReduceSum", [array([3e38, 3e38], [INF, 0])], array(INF, INF), (0, 1, (0,))),
        ("ReduceMin", [array([3, NAN], [1, 0])], array([NAN], [0]), None),
        ("ReduceMin", [array([3, NAN], [1, 0])], array(NAN, 0), None),
    ],
)
def test_made_beside_what_passes_through(operator, inputs, output, made):
    more = {"axes": [1]} if operator.startswith("Reduce") else {}
    finding = found(helper.make_node(operator, ["x"], ["y"], **more), inputs, [output])
    assert finding == (made and NonFinite(f"node 0 ({operator})", "y", *made))


def test_axes_of_reductions():
    x, total = array([3e38, INF], [3e38, 0]), array([INF, INF])
    last, both = helper.make_node("ReduceSum", ["x", "axes"], ["y"]), helper.make_node("ReduceSum", ["x"], ["y"])
    assert found(last, [x, np.array([-2])], [total]) == NonFinite("node 0 (ReduceSum)", "y", 0, 1, (0, 0))
    assert found(last, [x, np.array([7])], [total]) is None
    assert found(both, [x], [array([INF])]) is None
    assert found(both, [x, None], [array([INF, INF], [INF, 0])]) == NonFinite("node 0 (ReduceSum)", "y", 0, 2, (0, 0))


@pytest.mark.parametrize(
    ("operator", "inputs", "output"),
    [
        ("Concat", [array(1, 2), array(NAN)], array(1, 2, NAN)),
        ("Gather", [array(1, NAN), np.array([1, 0])], array(NAN, 1)),
        ("Slice", [array(1, INF), np.array([1]), np.array([2])], array(INF)),
        ("Transpose", [array([1, NAN], [3, 4])], array([1, 3], [NAN, 4])),
        ("Reshape", [array([1, NAN]), np.array([2])], array(1, NAN)),
        ("Pad", [array(1, 2), np.array([1, 0]), np.array(-INF, "f4")], array(-INF, 1, 2)),
        ("MatMul", [array([1, NAN], [3, 4]), array([1, 0], [0, 1])], array([NAN, NAN], [3, 4])),
        ("Conv", [array([[1, NAN, 2, 3]]), array([[1, 1]])], array([[NAN, NAN, 5]])),
        ("Softmax", [array(1, NAN)], array(NAN, NAN)),
        ("CumSum", [array(NAN, 1), np.array(0)], array(NAN, NAN)),
        ("Reverse", [array(NAN, 1)], array(1, NAN)),
        ("ReverseSequence", [array([NAN, 1])], array([1, NAN])),
    ],
)
def test_what_only_passes_through_is_never_found(operator, inputs, output):
    assert found(helper.make_node(operator, ["x"], ["y"]), inputs, [output]) is None


def test_a_broadcast_along_an_axis_is_judged_as_a_whole():
    """Add of opset 6 with axis 0: b stands along the rows, where NumPy would take it for the columns."""
    node = helper.make_node("Add", ["a", "b"], ["c"], axis=0, broadcast=1)
    assert found(node, [array([1, 1], [1, 1]), array(NAN, 1)], [array([NAN, NAN], [2, 2])]) is None


def test_operators_of_other_domains_and_functions_are_judged_as_a_whole():
    own = helper.make_node("Neg", ["x"], ["y"], domain="own")
    assert found(own, [array(NAN, 1)], [array(1, NAN)]) is None
    function = helper.make_function("", "Neg", ["a"], ["b"], [helper.make_node("Flip", ["a"], ["b"])], [])
    inspector = Inspector(stats=False, finite=True, functions=by_key([function]))
    inspector(helper.make_node("Neg", ["x"], ["y"]), [array(NAN, 1)], [array(1, NAN)], 0.0)
    assert inspector.non_finite is None


def test_constants_of_subgraphs_and_functions_are_given_and_not_made():
    infinite = helper.make_node("Constant", [], ["b"], value_float=INF)
    body = helper.make_graph([infinite], "g", [], [helper.make_tensor_value_info("b", 1, [])])
    held = helper.make_graph([], "g", [], [], [numpy_helper.from_array(array(INF), "b")])
    for graph in (body, held):
        branch = helper.make_node("If", ["c"], ["y"], then_branch=graph, else_branch=graph)
        assert found(branch, [np.array(True)], [np.array(INF, "f4")]) is None
    function = helper.make_function("own", "mask", [], ["b"], [infinite], [])
    inspector = Inspector(stats=False, finite=True, functions=by_key([function]))
    inspector(helper.make_node("mask", [], ["y"], domain="own"), [], [np.array(INF, "f4")], 0.0)
    assert inspector.non_finite is None


def test_what_a_second_output_makes_is_found_behind_one_that_passes_on():
    node = helper.make_node("Dropout", ["x"], ["y", "z"])
    assert found(node, [array(NAN, 1)], [array(NAN, 1), array(NAN, INF)]) == NonFinite(
        "node 0 (Dropout)", "z", 0, 1, (1,)
    )


def test_the_element_wise_operators_are_onnx_s():
    assert {name for name in ELEMENT_WISE if not onnx.defs.has(name)} <= {"Swish"}  # which older versions lack


def test_times_add_up_the_longest_first():
    timings = [("A", "node 0 (A)", 1.0), ("B", "node 1 (B)", 1.5), ("A", "node 2 (A)", 1.0), ("A", "node 0 (A)", 2.0)]
    assert by_operator(timings) == [Timing("A", 3, 4.0), Timing("B", 1, 1.5)]
    assert by_node(timings) == [
        Timing("node 0 (A)", 2, 3.0),
        Timing("node 1 (B)", 1, 1.5),
        Timing("node 2 (A)", 1, 1.0),
    ]
