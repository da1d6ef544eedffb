"""What is called breaking, and what is not, against the verdicts of `onnx.checker` on one node at both opsets."""

import onnx
import pytest
from onnx import TensorProto, checker, helper, shape_inference

from mincli.schemas import page_of
from mincli.schemas.validity import reasons

FLOAT, INT64, BOOL, BFLOAT16 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.BFLOAT16
X = {"x": (FLOAT, [2, 3])}
BATCH = {"x": (FLOAT, [2, 3]), "s": (FLOAT, [3]), "b": (FLOAT, [3]), "m": (FLOAT, [3]), "v": (FLOAT, [3])}


def is_valid(name, opset, inputs, attributes):
    """Whether onnx takes a node: its attributes, the number of its inputs, and their types."""
    node = helper.make_node(name, list(inputs), ["y"], **attributes)
    context = checker.C.CheckerContext()
    context.ir_version = 8
    context.opset_imports = {"": opset}
    values = [helper.make_tensor_value_info(key, *value) for key, value in inputs.items()]
    graph = helper.make_graph([node], "g", values, [helper.make_empty_tensor_value_info("y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    try:
        checker.check_node(node, context)
        shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    except (checker.ValidationError, shape_inference.InferenceError):
        return False
    return True


@pytest.mark.parametrize(
    ("name", "old", "new", "inputs", "attributes"),
    [
        pytest.param("Min", 1, 6, X, {"consumed_inputs": [0]}, id="attribute-gone"),
        pytest.param("ReduceMin", 13, 18, X, {"axes": [0]}, id="attribute-moved"),
        pytest.param("ReduceMin", 18, 13, X, {"noop_with_empty_axes": 1}, id="attribute-added-by-old"),
        pytest.param("ReduceMin", 18, 13, X | {"a": (INT64, [1])}, {}, id="more-inputs"),
        pytest.param("Min", 13, 12, {"x": (BFLOAT16, [2])}, {}, id="type"),
        pytest.param("ReduceMin", 20, 18, {"x": (BOOL, [2])}, {}, id="bool"),
        pytest.param("Cast", 1, 6, X, {"to": "INT64"}, id="attribute-type"),
        pytest.param("BatchNormalization", 6, 1, BATCH, {"is_test": 1}, id="attribute-required"),
        pytest.param("Upsample", 9, 10, X | {"s": (FLOAT, [2])}, {}, id="deprecated"),
    ],
)
def test_what_breaks(name, old, new, inputs, attributes):
    assert is_valid(name, old, inputs, attributes)
    assert not is_valid(name, new, inputs, attributes)
    assert reasons(page_of(name, old), page_of(name, new)) != ()


NODES = [
    pytest.param("Min", X, {}, id="min"),
    pytest.param("Min", X | {"y0": (FLOAT, [2, 3])}, {}, id="min-of-two"),
    pytest.param("Min", {"x": (TensorProto.INT32, [2])}, {}, id="min-int32"),
    pytest.param("Min", {"x": (BFLOAT16, [2])}, {}, id="min-bfloat16"),
    pytest.param("Min", X, {"consumed_inputs": [0]}, id="min-consumed-inputs"),
    pytest.param("ReduceMin", X, {}, id="reduce-min"),
    pytest.param("ReduceMin", X, {"axes": [1], "keepdims": 0}, id="axes-attribute"),
    pytest.param("ReduceMin", X | {"a": (INT64, [1])}, {}, id="axes-input"),
    pytest.param("ReduceMin", X, {"noop_with_empty_axes": 1}, id="noop"),
    pytest.param("ReduceMin", {"x": (TensorProto.INT8, [2])}, {}, id="int8"),
    pytest.param("ReduceMin", {"x": (BOOL, [2])}, {}, id="bool"),
    pytest.param("ReduceMin", {"x": (BFLOAT16, [2])}, {}, id="bfloat16"),
]


@pytest.mark.parametrize(("name", "inputs", "attributes"), NODES)
def test_what_is_not_breaking_leaves_all_nodes_valid(name, inputs, attributes):
    versions = page_of(name).versions
    valid = {version: is_valid(name, version, inputs, attributes) for version in versions}
    assert any(valid.values())
    for old in versions:
        for new in versions:
            if not reasons(page_of(name, old), page_of(name, new)):
                assert valid[new] or not valid[old], (old, new)


def test_a_version_breaks_nothing_of_itself():
    for schema in onnx.defs.get_all_schemas_with_history():
        page = page_of(f"{schema.domain}:{schema.name}", schema.since_version)
        assert reasons(page, page) == ()


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        pytest.param(
            "TopK", 1, 10,
            ("the attribute k is an input now", "the least number of inputs is 2 instead of 1"),
            id="case",
        ),
        pytest.param(
            "TopK", 10, 1,
            ("the attribute k is required", "the input K is an attribute now",
             "the greatest number of inputs is 1 instead of 2"),
            id="back",
        ),
        pytest.param(
            "Pad", 2, 11,
            ("the attribute pads is an input now", "the attribute value is an input now",
             "the least number of inputs is 2 instead of 1"),
            id="longer-name",
        ),
        pytest.param(
            "Pad", 11, 2,
            ("the attribute pads is required", "the input pads is an attribute now",
             "the input constant_value is an attribute now", "the greatest number of inputs is 1 instead of 3",
             "T may no longer be tensor(int16), tensor(int32), tensor(int64), tensor(int8), tensor(uint16), "
             "tensor(uint32), tensor(uint64), tensor(uint8)"),
            id="longer-name-back",
        ),
        pytest.param("Upsample", 9, 10, ("the operator is deprecated",), id="deprecated-says-all"),
        pytest.param("Upsample", 10, 9, (), id="nothing-was-valid"),
    ],
)  # fmt: skip
def test_reasons(name, old, new, expected):
    assert reasons(page_of(name, old), page_of(name, new)) == expected
