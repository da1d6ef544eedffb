"""ONNX's Backend interface: as its test runner drives it, and node by node."""

import unittest

import numpy as np
import onnx
import onnx.backend.test
import pytest
from onnx import TensorProto, helper

import mincli.backend
from mincli.errors import UsageError
from tests.refusals import refusal

# Cases of onnx's own suite: minima, sequences, optionals, maps of types, strings, subgraphs, functions, low-bit types.
CASES = [
    "min_example", "min_two_inputs", "min_int64", "min_uint16", "reduce_min_empty_set",
    "reduce_min_negative_axes_keepdims_random", "reduce_min_bool_inputs", "abs", "add_bcast",
    "argmax_keepdims_example", "cast_FLOAT_to_FLOAT8E4M3FN", "cast_INT4_to_FLOAT",
    "castlike_BFLOAT16_to_FLOAT_expanded", "clip_default_inbounds_expanded", "concat_2d_axis_0", "constant",
    "identity_sequence", "identity_opt", "if_seq", "loop11", "loop13_seq", "matmul_4d",
    "optional_has_element_empty_optional_input", "optional_get_element_sequence", "quantizelinear_uint4",
    "scan9_sum", "sequence_insert_at_back", "sequence_map_add_1_sequence_1_tensor_expanded",
    "softmax_axis_1_expanded_ver18", "split_to_sequence_1", "string_concat",
    "strnormalizer_nostopwords_nochangecase", "topk", "where_example",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")  # of the suite, where it makes its cases
def test_the_test_runner_of_onnx():
    suite = onnx.backend.test.BackendTest(mincli.backend, __name__)
    named = {name for cases in suite.test_cases.values() for name in vars(cases)}
    wanted = [name for case in CASES if (name := f"test_{case}_cpu") in named]  # older suites lack some
    assert len(wanted) >= 30
    suite.include(f"^({'|'.join(wanted)})$")
    result = unittest.TestResult()
    suite.test_suite.run(result)
    assert [str(case) for case, _ in result.failures + result.errors] == []
    assert result.testsRun - len(result.skipped) == len(wanted)


def floats(*values):
    return np.array(values, "f4")


def node(operator, inputs, outputs, **attributes):
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


def model_of(nodes, inputs, outputs, initializers=(), opset=17):
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None]) for name in inputs.split()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None]) for name in outputs.split()],
        [helper.make_tensor(name, TensorProto.FLOAT, [len(values)], values) for name, values in initializers],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def test_run_node():
    outputs = mincli.backend.run_node(node("TopK", "x k", "values places"), [floats(1, 3, 2), np.array([2])])
    assert [output.tolist() for output in outputs] == [[3, 2], [1, 2]]
    assert outputs.places.tolist() == outputs["places"].tolist() == [1, 2]


def test_run_node_at_an_opset():
    least = node("Min", "x y", "z")
    broadcast = [floats(1, 3), np.array(2, "f4")]
    assert mincli.backend.run_node(least, broadcast)[0].tolist() == [1, 2]
    assert mincli.backend.run_node(least, broadcast, opset_version=8)[0].tolist() == [1, 2]
    assert refusal(mincli.backend.run_node, least, broadcast, opset_version=6)[0] == "ModelError"


def test_inputs_of_one_name_have_a_value_each():
    both = [floats(1, 5), floats(2, 3)]
    assert mincli.backend.run_node(node("Sub", "x x", "z"), both).z.tolist() == [-1, 2]
    assert mincli.backend.run_node(node("Max", "x x-2 x", "x-3"), [*both, floats(0, 9)])[0].tolist() == [2, 9]
    assert mincli.backend.run_node(
        helper.make_node("Clip", ["x", "", "x"], ["y"]), [floats(4, 1), None, np.float32(2)]
    )[0].tolist() == [2, 1]
    twice = node("Sub", "x x", "z")
    mincli.backend.run_node(twice, both)
    assert list(twice.input) == ["x", "x"]


NEWEST = onnx.defs.onnx_opset_version()


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (0, f"there is no opset 0 of ONNX\n  hint: opsets 1 to {NEWEST} are known"),
        (-1, f"there is no opset -1 of ONNX\n  hint: opsets 1 to {NEWEST} are known"),
        (NEWEST + 1, f"there is no opset {NEWEST + 1} of ONNX\n  hint: opsets 1 to {NEWEST} are known"),
        (2**70, f"there is no opset 1180591620717411303424 of ONNX\n  hint: opsets 1 to {NEWEST} are known"),
        ("7", "opset_version is an integer, not str"),
        (7.0, "opset_version is an integer, not float"),
    ],
)
def test_opsets_that_do_not_exist(version, message):
    call = refusal(mincli.backend.run_node, node("Neg", "x", "y"), floats(1), opset_version=version)
    assert call == ("UsageError", message)


def test_opsets_of_other_domains():
    custom = node("F", "x", "y", domain="my.own")
    assert refusal(mincli.backend.run_node, custom, floats(1), opset_version=2**63) == (
        "UsageError",
        "there is no opset 9223372036854775808 of my.own\n  hint: opsets are 1 to 9223372036854775807",
    )
    assert refusal(mincli.backend.run_node, custom, floats(1), opset_version=2**63 - 1)[0] == "EngineError"
    binarizer = node("Binarizer", "x", "y", domain="ai.onnx.ml", threshold=1.5)
    assert mincli.backend.run_node(binarizer, [floats(1, 2)], opset_version=np.int64(1)).y.tolist() == [0, 1]
    assert mincli.backend.run_node(binarizer, [floats(1, 2)], opset_version=None).y.tolist() == [0, 1]


def test_run_node_without_some_of_its_inputs():
    """A value for each input, None where there is none; or for each that is there."""
    clip = helper.make_node("Clip", ["x", "", "high"], ["y"])
    high = np.array(2, "f4")
    assert mincli.backend.run_node(clip, [floats(1, 3), None, high])[0].tolist() == [1, 2]
    assert mincli.backend.run_node(clip, [floats(1, 3), high])[0].tolist() == [1, 2]
    assert refusal(mincli.backend.run_node, clip, [floats(1, 3)]) == (
        "ModelError",
        "the node has 2 inputs, not 1",
    )


def test_run_node_without_some_of_its_outputs():
    outputs = mincli.backend.run_node(
        helper.make_node("TopK", ["x", "k"], ["", "places"]), [floats(1, 3, 2), np.array([1])]
    )
    assert [output.tolist() for output in outputs] == [[1]]


def test_run_node_on_sequences_and_other_domains():
    made = mincli.backend.run_node(node("SequenceConstruct", "x y", "s"), [floats(1), floats(2, 3)])
    assert [element.tolist() for element in made.s] == [[1], [2, 3]]
    assert mincli.backend.run_node(node("SequenceAt", "s i", "x"), [made.s, np.array(1)]).x.tolist() == [2, 3]
    binarizer = node("Binarizer", "x", "y", domain="ai.onnx.ml", threshold=1.5)
    assert mincli.backend.run_node(binarizer, [floats(1, 2)]).y.tolist() == [0, 1]


def test_a_function_of_onnx_in_run_node():
    """CastLike is a function whose body depends on the types of its inputs."""
    like = mincli.backend.run_node(node("CastLike", "x y", "z"), [floats(1.5), np.array([0])])
    assert (like.z.dtype, like.z.tolist()) == (np.int64, [1])


def test_scalars_of_numpy_are_tensors_of_rank_0():
    assert mincli.backend.run_node(node("Clip", "x low", "y"), [floats(1, 3), np.float32(2)]).y.tolist() == [2, 3]
    assert mincli.backend.run_node(node("Neg", "x", "y"), np.float32(2)).y.tolist() == -2
    model = model_of([node("Neg", "x", "y")], "x", "y")
    model.graph.input[0].type.tensor_type.shape.ClearField("dim")
    assert mincli.backend.run_model(model, [np.float32(2)])[0].tolist() == -2


def test_a_prepared_model_runs_again_and_again():
    prepared = mincli.backend.prepare(model_of([node("Add", "x y", "z"), node("Sub", "x y", "w")], "x y", "w z"))
    for number in (1, 2):
        outputs = prepared.run([floats(number), floats(10)])
        assert [output.tolist() for output in outputs] == [[number - 10], [number + 10]]
    assert [output.tolist() for output in prepared.run({"y": floats(1), "x": floats(2)})] == [[1], [3]]


def test_inputs_that_have_a_default_may_be_left_out():
    model = model_of([node("Sub", "x y", "z")], "x y", "z", [("x", [10.0])])
    assert mincli.backend.run_model(model, [floats(1)])[0].tolist() == [9]
    assert mincli.backend.run_model(model, floats(1))[0].tolist() == [9]
    assert mincli.backend.run_model(model, [floats(1), floats(2)])[0].tolist() == [-1]
    model = model_of([node("Neg", "x", "z")], "x", "z", [("x", [10.0])])
    assert mincli.backend.run_model(model, [])[0].tolist() == [-10]
    assert mincli.backend.run_model(model, [floats(1)])[0].tolist() == [-1]


def test_outputs_that_are_inputs_or_come_twice():
    model = model_of([node("Neg", "x", "z")], "x", "z x z")
    assert [output.tolist() for output in mincli.backend.run_model(model, [floats(1)])] == [[-1], [1], [-1]]


def test_inputs_that_do_not_fit():
    prepared = mincli.backend.prepare(model_of([node("Neg", "x", "z")], "x", "z"))
    assert refusal(prepared.run, [floats(1), floats(2)]) == (
        "ModelError",
        "the model takes 1 input, not 2\n  they are x",
    )
    assert refusal(prepared.run, [np.array([1])]) == (
        "ElementTypeError",
        "the input x is int64[1]\n  the model declares float[?]",
    )


@pytest.mark.parametrize(
    ("device", "supported"),
    [("CPU", True), ("CPU:0", True), ("CUDA", False), ("CUDA:1", False), ("TPU", False), ("CPU:x", False), ("", False)],
)
def test_devices(device, supported):
    model = model_of([node("Neg", "x", "z")], "x", "z")
    assert mincli.backend.supports_device(device) is supported
    assert mincli.backend.is_compatible(model, device) is supported
    if not supported:
        with pytest.raises(UsageError, match=f"^there is no device {device}\n  hint: use CPU$"):
            mincli.backend.prepare(model, device)


def test_a_model_of_an_unknown_version_is_not_compatible():
    assert mincli.backend.is_compatible(model_of([node("Neg", "x", "z")], "x", "z", opset=99)) is False


def test_a_model_of_an_unknown_operator_is_not_compatible():
    assert mincli.backend.is_compatible(model_of([node("Neg", "x", "z")], "x", "z")) is True
    assert mincli.backend.is_compatible(model_of([node("Nonsense", "x", "z")], "x", "z")) is False
    assert mincli.backend.is_compatible(None) is False


def test_a_path_is_taken_for_a_model(tmp_path):
    path = tmp_path / "neg.onnx"
    onnx.save(model_of([node("Neg", "x", "z")], "x", "z"), path)
    assert mincli.backend.run_model(path, [floats(1)])[0].tolist() == [-1]
    assert mincli.backend.run_model(str(path), [floats(1)])[0].tolist() == [-1]
    assert refusal(mincli.backend.prepare, str(tmp_path / "no.onnx"))[0] == "FileError"


@pytest.mark.parametrize(("model", "kind"), [(b"model", "bytes"), (None, "NoneType")])
def test_what_is_no_model(model, kind):
    assert refusal(mincli.backend.prepare, model) == (
        "UsageError",
        f"a model is a path or an onnx.ModelProto, not {kind}",
    )


def test_numbers_of_python_in_run_node():
    outputs = mincli.backend.run_node(node("Neg", "x", "y"), 2.5)
    assert (outputs.y.dtype, outputs.y.tolist()) == (np.float64, -2.5)
    outputs = mincli.backend.run_node(node("Add", "x y", "z"), [np.array([1, 2]), 3])
    assert (outputs.z.dtype, outputs.z.tolist()) == (np.int64, [4, 5])


def test_an_optional_input_may_be_left_out():
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 18]> g (float[1] x, optional(float[1]) o) => (bool y)'
        " { y = OptionalHasElement (o) }"
    )
    assert mincli.backend.run_model(model, [floats(1)])[0].tolist() is False


def test_the_interface_is_that_of_onnx():
    assert issubclass(mincli.backend.Backend, onnx.backend.base.Backend)
    assert issubclass(mincli.backend.Prepared, onnx.backend.base.BackendRep)
