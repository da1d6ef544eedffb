"""`mincli.run_model`: models called from Python, on values in memory."""

import ml_dtypes
import numpy as np
import onnx
import pytest

import mincli
import mincli.backend
from tests import refusals
from tests.models.graphs import MARGIN, proto, with_inputs

X, Y = np.array([[3, 1, 4]], "f4"), np.array([[2, 0, 4]], "f4")
LOWER = {"lower": [[2, 0, 4]], "margin": [0]}


def plain(values):
    return {name: value.tolist() for name, value in values.items()}


def refused(*arguments, **named):
    return refusals.refused(mincli.run_model, *arguments, **named)


@pytest.mark.parametrize("inputs", [{"y": Y, "x": X}, [X, Y], (X, Y)], ids=["names", "list", "tuple"])
@pytest.mark.parametrize("engine", ["reference", "onnxruntime"])
def test_inputs_by_name_or_in_order(inputs, engine):
    outputs = mincli.run_model(proto(MARGIN), inputs, engine=engine)
    assert (list(outputs), plain(outputs)) == (["lower", "margin"], LOWER)


def test_a_path(tmp_path):
    path = tmp_path / "m.onnx"
    onnx.save(proto(MARGIN), path)
    assert plain(mincli.run_model(path, [X, Y])) == plain(mincli.run_model(str(path), [X, Y])) == LOWER
    assert refused(str(tmp_path / "no.onnx"), [X, Y]) == f"FileError: {tmp_path}/no.onnx does not exist"


@pytest.mark.parametrize(
    ("kind", "value", "dtype", "elements"),
    [
        ("float[2]", [1, 0.1], "float32", [1, np.float32(0.1).item()]),
        ("float", 2, "float32", 2),
        ("bfloat16[1]", [1.5], "bfloat16", [1.5]),
        ("int8[2]", [-128, 127], "int8", [-128, 127]),
        ("uint4[1]", [15], "uint4", [15]),
        ("int64[0]", [], "int64", []),
        ("bool[1]", [True], "bool", [True]),
        ("string[1]", ["a"], "object", ["a"]),
        ("string", "a", "object", "a"),
        ("string[1]", np.array(["a"]), "object", ["a"]),
        ("complex64[1]", [2], "complex64", [2]),
        ("float[1]", np.array([1], ">f4"), "float32", [1]),
        ("bfloat16[1]", np.array([2], ml_dtypes.bfloat16), "bfloat16", [2]),
        ("float", np.float32(2), "float32", 2),
    ],
)
def test_values_of_python_become_the_declared_type(kind, value, dtype, elements):
    text = f'<ir_version: 10, opset_import: ["" : 21]> g ({kind} x) => ({kind} y) {{ y = Identity (x) }}'
    output = mincli.run_model(proto(text), {"x": value})["y"]
    assert (output.dtype.name, output.tolist()) == (dtype, elements)


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("int8[1]", [128], "the input x is int64[1]\n  the model declares int8[1]"),
        ("int8[1]", [1.0], "the input x is double[1]\n  the model declares int8[1]"),
        ("float[1]", ["1"], "the input x is string[1]\n  the model declares float[1]"),
        ("bool[1]", [1], "the input x is int64[1]\n  the model declares bool[1]"),
        ("float[1]", np.array([1.0]), "the input x is double[1]\n  the model declares float[1]"),
        ("float[1]", [True], "the input x is bool[1]\n  the model declares float[1]"),
        ("float[1]", None, "the input x is absent\n  the model declares float[1]"),
        (
            "float[1]",
            np.ma.masked_array(np.zeros(1, "f4"), [True]),
            "the input x is a masked array\n  hint: fill or drop the masked elements first",
        ),
        ("float[1]", np.array([0], "M8[s]"), "the input x has the type datetime64[s], which is none of ONNX's"),
        ("float[1]", np.zeros(1, [("a", "f4")]), "the input x has the type [('a', '<f4')], which is none of ONNX's"),
        (
            "float[1]",
            [10**30],
            "the input x holds an object of the type int, which is none of ONNX's\n"
            "  strings are objects; integers have at most 64 bits",
        ),
        (
            "string[2]",
            ["a", 1, None],
            "the input x holds an object of the type int, which is none of ONNX's\n"
            "  strings are objects; integers have at most 64 bits",
        ),
        (
            "string",
            {1},
            "the input x holds an object of the type set, which is none of ONNX's\n"
            "  strings are objects; integers have at most 64 bits",
        ),
        (
            "string",
            object(),
            "the input x holds an object of the type object, which is none of ONNX's\n"
            "  strings are objects; integers have at most 64 bits",
        ),
        ("seq(float[1])", np.zeros(1, "f4"), "the input x is float[1]\n  the model declares sequence of float[1]"),
    ],
)
def test_values_of_another_type_are_refused(kind, value, message):
    assert refused(with_inputs(f"{kind} x").proto, {"x": value}) == f"ElementTypeError: {message}"


def test_lists_that_are_no_arrays():
    text = refused(with_inputs("float[2, 2] x").proto, {"x": [[1, 2], [3]]})
    assert text.startswith("ElementTypeError: the input x is no array: ")


def test_sequences_and_optionals():
    text = """<ir_version: 10, opset_import: ["" : 21]>
    g (seq(float[n]) s, optional(float[1]) o) => (seq(float[n]) t, bool b) {
        t = Identity (s)
        b = OptionalHasElement (o)
    }"""
    outputs = mincli.run_model(proto(text), {"s": [[1, 2], np.array([3], "f4")]})
    assert [(element.dtype.name, element.tolist()) for element in outputs["t"]] == [
        ("float32", [1, 2]),
        ("float32", [3]),
    ]
    assert outputs["b"].tolist() is False
    assert mincli.run_model(proto(text), {"s": [], "o": [1]})["b"].tolist() is True
    assert mincli.run_model(proto(text), {"s": [], "o": None})["b"].tolist() is False


DECLARED = "the model's inputs: x float[rows, cols], y float[rows, cols]"


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([X], f"InputError: the input y is missing\n  {DECLARED}"),
        ([X, Y, Y], "ModelError: the model takes 2 inputs, not 3\n  they are x, y"),
        ({"X": X}, f"InputError: X is no input of the model\n  {DECLARED}\n  hint: did you mean x?"),
        ([X, Y[0]], "ShapeError: the input y has rank 1, not 2\n  the model declares float[rows, cols]"),
        (
            [X, Y[:, :2]],
            "ShapeError: the dimension cols is 3 in the input x, and 2 in the input y\n"
            "  the model declares float[rows, cols]",
        ),
    ],
)
def test_inputs_that_do_not_fit(inputs, message):
    assert refused(proto(MARGIN), inputs) == message


def test_names_that_are_no_strings():
    assert refused(proto(MARGIN), {1: X, "y": Y}) == (
        "UsageError: the name of an input is a string, not int\n"
        "  hint: values in the order of the inputs are a list or a tuple"
    )


def test_what_is_no_model_and_no_engine():
    assert refused(b"x") == "UsageError: a model is a path or an onnx.ModelProto, not bytes"
    assert refused(proto(MARGIN), [X, Y], engine="tvm") == (
        "UsageError: there is no engine tvm\n  hint: use reference or onnxruntime"
    )


def test_outputs_of_another_shape_or_type_than_declared():
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => ({} y) {{ y = Neg (x) }}'
    with pytest.warns(
        UserWarning, match=r"^the output y has 2 elements along axis 0, not 3: the model declares float\[3\]$"
    ):
        assert plain(mincli.run_model(proto(text.format("float[3]")), [[1, 2]])) == {"y": [-1, -2]}
    assert refused(proto(text.format("int64[2]")), [[1, 2]]) == (
        "ModelError: the output y is float[2]\n  the model declares int64[2]"
    )
    assert plain(mincli.run_model(proto(text.format("float[n]")), [[1, 2]])) == {"y": [-1, -2]}


def test_outputs_beside_the_symbols_of_the_inputs():
    text = """<ir_version: 8, opset_import: ["" : 17]>
    g (float[n] x, float[n] y) => ({} z, {} w) {{
        z = Concat <axis = 0> (x, y)
        w = Neg (x)
    }}"""
    inputs = [[1, 2, 3], [4, 5, 6]]
    values = {"z": [1, 2, 3, 4, 5, 6], "w": [-1, -2, -3]}
    warned = r"^the dimension n is 3 in the input x, and 6 in the output z: the model declares float\[n\]$"
    with pytest.warns(UserWarning, match=warned):
        assert plain(mincli.run_model(proto(text.format("float[n]", "float[n]")), inputs)) == values
    warned = r"^the dimension m is 6 in the output z, and 3 in the output w: the model declares float\[m\]$"
    with pytest.warns(UserWarning, match=warned):
        assert plain(mincli.run_model(proto(text.format("float[m]", "float[m]")), inputs)) == values
    assert plain(mincli.run_model(proto(text.format("float[m]", "float[n]")), inputs)) == values


def test_a_prepared_model_forgets_the_symbols_of_the_last_call():
    ready = mincli.backend.prepare(
        proto('<ir_version: 8, opset_import: ["" : 17]> g (float[n] x) => (float[n] y) { y = Neg (x) }')
    )
    assert [ready.run([np.zeros(size, "f4")])[0].shape for size in (2, 3)] == [(2,), (3,)]


def test_the_only_input_alone():
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Sqrt (x) }'
    assert str(mincli.run_model(proto(text), np.array([4, -1], "f4"))) == "{'y': array([ 2., nan], dtype=float32)}"


def test_elements_of_sequences_are_arrays():
    text = """<ir_version: 10, opset_import: ["" : 21]>
    g (float[2] x) => (seq(float) s) {
        least = ReduceMin <keepdims = 0> (x)
        s = SequenceConstruct (least, least)
    }"""
    assert [(type(one), one.tolist()) for one in mincli.run_model(proto(text), [[3, 2]])["s"]] == [(np.ndarray, 2)] * 2
