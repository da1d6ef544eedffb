"""`mincli.minimum` and `mincli.reduce_min` on NumPy arrays."""

import subprocess
import sys

import ml_dtypes
import numpy as np
import onnx
import pytest

import mincli
from mincli import errors
from mincli.spec.dtypes import BY_NAME
from mincli.spec.operators import NEWEST_OPSET
from tests import oracle
from tests.arrays import ELEMENT_TYPES, element_id, random_array

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
MIN_TYPES = [element for element in ELEMENT_TYPES if element.name != "bool"]
REDUCE_TYPES = [element for element in ELEMENT_TYPES if element.name not in ("uint16", "int16")]

LAYOUTS = {
    "C": lambda array: array,
    "Fortran": np.asfortranarray,
    "transposed": lambda array: array.T.copy().T,
    "strided": lambda array: np.repeat(np.repeat(array, 2, 0), 3, 1)[::2, ::3],
    "reversed": lambda array: array[::-1, ::-1].copy()[::-1, ::-1],
    "big-endian": lambda array: array.byteswap().view(array.dtype.newbyteorder(">")),
    "little-endian": lambda array: array.astype(array.dtype.newbyteorder("<")),
    "field": lambda array: with_field(array)["x"],
    "read-only": lambda array: np.broadcast_to(array, array.shape),
}


def with_field(array):
    """Put the array into a field whose elements are neither adjacent nor aligned."""
    table = np.zeros(array.shape, [("head", "u1"), ("x", array.dtype), ("tail", "u2")])
    table["x"] = array
    return table


def array_of(seed, shape, element):
    """Return an array of the NumPy type of an element type, and the same as storage."""
    stored = random_array(seed, shape, element, nan=False)
    return stored.view(element.numpy), stored


def bits_of(array, element):
    return oracle.bits_of(array.view(element.storage), element)


@pytest.mark.parametrize("element", MIN_TYPES, ids=element_id)
def test_minimum_of_every_type(element):
    (a, stored_a), (b, stored_b) = array_of(1, (4, 1, 5), element), array_of(2, (3, 1), element)
    result = mincli.minimum(a, b)
    assert result.dtype == a.dtype == element.numpy
    assert bits_of(result, element) == oracle.minimum([stored_a, stored_b], (4, 3, 5), element)


@pytest.mark.parametrize("element", REDUCE_TYPES, ids=element_id)
def test_reduce_min_of_every_type(element):
    array, stored = array_of(3, (4, 3, 5), element)
    result = mincli.reduce_min(array, [0, -1])
    assert result.dtype == array.dtype == element.numpy
    assert bits_of(result, element) == oracle.reduce_min(stored, [0, 2], element)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["int32", "double", "float16"])
def test_every_layout_gives_native_c_order(layout, name):
    element = BY_NAME[name]
    array, stored = array_of(4, (6, 4), element)
    given = LAYOUTS[layout](array)
    for result, expected in [
        (mincli.minimum(given, given[:1]), oracle.minimum([stored, stored[:1]], (6, 4), element)),
        (mincli.reduce_min(given, [1]), oracle.reduce_min(stored, [1], element)),
        (mincli.reduce_min(given, noop_with_empty_axes=True), oracle.bits_of(stored, element)),
    ]:
        assert result.dtype == np.dtype(element.numpy)
        assert result.dtype.isnative
        assert result.flags.c_contiguous
        assert bits_of(result, element) == expected


def test_bfloat16_of_ml_dtypes():
    a, b = np.array([1, np.nan, 0, -3], BFLOAT16), np.array([2, 0, -0.0, np.inf], BFLOAT16)
    result = mincli.minimum(a, b)
    assert result.dtype == BFLOAT16
    assert np.isnan(result[1])
    assert result[[0, 2, 3]].view("u2").tolist() == [0x3F80, 0x8000, 0xC040]
    least = mincli.reduce_min(b)
    assert (least.dtype, least.view("u2").tolist()) == (BFLOAT16, [0x8000])


def test_raw_two_byte_elements_are_bfloat16():
    raw = np.array([0x3F80, 0xBF80], "u2").view("V2")
    result = mincli.reduce_min(raw, keepdims=False)
    assert (result.dtype, result.shape, result.tobytes()) == (np.dtype("V2"), (), raw[1:].tobytes())


@pytest.mark.parametrize(
    ("arrays", "dtype", "expected"),
    [
        pytest.param([[3, 1], [[2], [0]]], "i8", [[2, 1], [0, 0]], id="lists"),
        pytest.param([3, 2], "i8", 2, id="python-integers"),
        pytest.param([1.5, np.float64(0.5)], "f8", 0.5, id="scalars"),
        pytest.param([np.array(7, "u1")], "u1", 7, id="rank-0"),
        pytest.param([np.zeros((2, 0), "f4"), np.float32(1)], "f4", [[], []], id="zero-size"),
        pytest.param([np.zeros((0, 1), "i2"), np.zeros((1, 3), "i2")], "i2", [], id="zero-with-one"),
        pytest.param([np.full(2, 100 - n, "i4") for n in range(100)], "i4", [1, 1], id="hundred"),
        pytest.param([[2**53 + 1, -(2**53) - 1], [2**53 + 2, -(2**53)]], "i8", [2**53 + 1, -(2**53) - 1], id="int64"),
        pytest.param([np.array([2**64 - 1], "u8"), np.array([2**64 - 2], "u8")], "u8", [2**64 - 2], id="uint64"),
    ],
)
def test_minimum(arrays, dtype, expected):
    result = mincli.minimum(*arrays)
    assert isinstance(result, np.ndarray)
    assert (result.dtype, result.tolist()) == (dtype, expected)


def test_minimum_of_several_blocks():
    count = 200_000
    ascending = np.arange(float(count))
    assert mincli.minimum(ascending, ascending[::-1]).tolist() == [min(i, count - 1 - i) for i in range(count)]


def test_reduce_min_of_several_blocks():
    array = np.zeros((2, 200_000))
    array[0, 123_456], array[1, 199_999] = -2.0, -1.0
    assert mincli.reduce_min(array, 1).tolist() == [[-2.0], [-1.0]]


MATRIX = [[5, 4, 9], [7, 6, 8]]


@pytest.mark.parametrize(
    ("axes", "expected"),
    [
        pytest.param(None, [[4]], id="none"),
        pytest.param((), [[4]], id="empty-tuple"),
        pytest.param([], [[4]], id="empty-list"),
        pytest.param(np.array([], "i8"), [[4]], id="empty-array"),
        pytest.param(0, [[5, 4, 8]], id="int"),
        pytest.param(-1, [[4], [6]], id="negative-int"),
        pytest.param(np.int64(0), [[5, 4, 8]], id="numpy-zero"),
        pytest.param(np.int64(1), [[4], [6]], id="numpy-one"),
        pytest.param(np.uint8(1), [[4], [6]], id="numpy-unsigned"),
        pytest.param(np.array(0), [[5, 4, 8]], id="array-of-rank-0"),
        pytest.param((1,), [[4], [6]], id="tuple"),
        pytest.param([np.int32(-2)], [[5, 4, 8]], id="list-of-numpy"),
        pytest.param(range(2), [[4]], id="range"),
        pytest.param(np.array([0]), [[5, 4, 8]], id="array-of-zero"),
        pytest.param(np.array([1], "u8"), [[4], [6]], id="array-of-one"),
        pytest.param(np.array([0, 1]), [[4]], id="array-of-two"),
    ],
)
def test_axes(axes, expected):
    assert mincli.reduce_min(MATRIX, axes).tolist() == expected


@pytest.mark.parametrize("axes", [0.0, [1.0], [0.5], np.array([1.5]), "0", ["0"], True, [[0], [1]]], ids=repr)
def test_axes_that_are_no_integers(axes):
    with pytest.raises(TypeError):
        mincli.reduce_min(MATRIX, axes)


@pytest.mark.parametrize(
    ("array", "options", "expected"),
    [
        pytest.param(MATRIX, {"axes": [0], "keepdims": False}, [5, 4, 8], id="dropped"),
        pytest.param(MATRIX, {"keepdims": False}, 4, id="all-dropped"),
        pytest.param(MATRIX, {"noop_with_empty_axes": True}, MATRIX, id="noop"),
        pytest.param(MATRIX, {"axes": [], "noop_with_empty_axes": True, "opset": 18}, MATRIX, id="noop-18"),
        pytest.param(MATRIX, {"axes": 1, "noop_with_empty_axes": True}, [[4], [6]], id="noop-with-axes"),
        pytest.param(MATRIX, {"axes": 1, "opset": 1}, [[4], [6]], id="opset-1"),
        pytest.param(7, {}, 7, id="rank-0"),
        pytest.param([True, False], {}, [False], id="bool"),
        pytest.param(np.zeros((2, 0), "f4"), {"axes": 1}, [[np.inf], [np.inf]], id="no-floats"),
        pytest.param(np.zeros((2, 0), "i1"), {"axes": 1, "keepdims": False}, [127, 127], id="no-integers"),
        pytest.param(np.zeros(0, "?"), {}, [True], id="no-bools"),
        pytest.param(np.zeros((0, 3), "f8"), {"axes": 1}, [], id="zero-size-kept"),
        pytest.param([2**53 + 3, 2**53 + 1], {}, [2**53 + 1], id="int64"),
    ],
)
def test_reduce_min(array, options, expected):
    result = mincli.reduce_min(array, **options)
    assert isinstance(result, np.ndarray)
    assert (result.dtype, result.tolist()) == (np.asarray(array).dtype, expected)


@pytest.mark.parametrize(
    ("call", "error", "builtin", "message"),
    [
        pytest.param(lambda: mincli.minimum(), errors.ShapeError, ValueError,
                     "Min-13 takes 1 to 2147483647 inputs, not 0", id="nothing"),
        pytest.param(lambda: mincli.minimum([1.0], [1]), errors.ElementTypeError, TypeError,
                     "Min-13 needs one element type for all inputs", id="mixed"),
        pytest.param(lambda: mincli.minimum([1.0], [True]), errors.ElementTypeError, TypeError,
                     "Min-13 does not accept bool (argument 2)", id="bool"),
        pytest.param(lambda: mincli.minimum([1], opset=11), errors.ElementTypeError, TypeError,
                     "Min-8 does not accept int64 (argument 1)", id="integers-before-12"),
        pytest.param(lambda: mincli.minimum([1.0, 2.0], 1.0, opset=7), errors.ShapeError, ValueError,
                     "Min-6 needs equal shapes", id="broadcasting-before-8"),
        pytest.param(lambda: mincli.minimum([1.0, 2.0], [1.0, 2.0, 3.0]), errors.ShapeError, ValueError,
                     "the shapes do not broadcast", id="shapes"),
        pytest.param(lambda: mincli.minimum(np.zeros((0,)), np.zeros((2,))), errors.ShapeError, ValueError,
                     "the shapes do not broadcast", id="zero-with-two"),
        pytest.param(lambda: mincli.minimum([1.0], opset=0), errors.UsageError, ValueError,
                     "there is no opset 0", id="opset-0"),
        pytest.param(lambda: mincli.reduce_min([1], opset=NEWEST_OPSET + 1), errors.UsageError, ValueError,
                     f"there is no opset {NEWEST_OPSET + 1}", id="opset-of-the-future"),
        pytest.param(lambda: mincli.reduce_min([True], opset=19), errors.ElementTypeError, TypeError,
                     "ReduceMin-18 does not accept bool (the array)", id="bool-before-20"),
        pytest.param(lambda: mincli.reduce_min(np.zeros(2, "i2")), errors.ElementTypeError, TypeError,
                     "ReduceMin-20 does not accept int16 (the array)", id="int16"),
        pytest.param(lambda: mincli.reduce_min(MATRIX, -1, opset=10), errors.AxesError, ValueError,
                     "ReduceMin-1 does not accept the negative axis -1", id="negative-before-11"),
        pytest.param(lambda: mincli.reduce_min(MATRIX, 2), errors.AxesError, ValueError,
                     "ReduceMin-20: axis 2 is out of range", id="out-of-range"),
        pytest.param(lambda: mincli.reduce_min(MATRIX, [1, -1]), errors.AxesError, ValueError,
                     "ReduceMin-20: axis 1 is given twice (axes 1, -1, rank 2)", id="repeated"),
        pytest.param(lambda: mincli.reduce_min(7, 0), errors.AxesError, ValueError,
                     "ReduceMin-20: axis 0 is out of range", id="rank-0"),
        pytest.param(lambda: mincli.reduce_min(MATRIX, 1, noop_with_empty_axes=True, opset=13),
                     errors.OperatorAttributeError, ValueError,
                     "ReduceMin-13 has no attribute noop_with_empty_axes", id="noop-before-18"),
    ],
)  # fmt: skip
def test_rules_of_the_opset_are_exceptions(call, error, builtin, message):
    with pytest.raises(builtin) as caught:
        call()
    assert type(caught.value) is error
    assert caught.value.message == message


REFUSED = {
    "object": np.array([None]),
    "text": np.array(["a"]),
    "bytes": np.array([b"ab"]),
    "datetime": np.array(["2020-01-01"], "M8[D]"),
    "timedelta": np.array([1], "m8[s]"),
    "complex64": np.array([1j], "c8"),
    "complex128": np.array([1j], "c16"),
    "longdouble": np.array([1], "g"),
    "one-raw-byte": np.zeros(1, "V1"),
    "four-raw-bytes": np.zeros(1, "V4"),
    "structure-of-two-bytes": np.zeros(1, [("a", "u1"), ("b", "u1")]),
    "structure-of-float16": np.zeros(1, [("a", "f2")]),
    "masked": np.ma.masked_array([1.0, 2.0], [True, False]),
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("function", [mincli.minimum, mincli.reduce_min], ids=["minimum", "reduce_min"])
def test_other_types_are_refused(function, kind):
    with pytest.raises(errors.ElementTypeError):
        function(REFUSED[kind])


def test_masked_array_is_refused_with_advice():
    with pytest.raises(errors.ElementTypeError) as caught:
        mincli.minimum([1.0], np.ma.masked_array([1.0], [True]))
    assert str(caught.value) == "argument 2 is a masked array\n  hint: fill or drop the masked elements first"


@pytest.mark.parametrize("name", ["int4", "uint4", "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn"])
def test_small_types_of_ml_dtypes_are_refused_by_their_onnx_name(name):
    onnx_name = {"float4_e2m1fn": "float4e2m1"}.get(name, name.replace("_", ""))
    with pytest.raises(errors.ElementTypeError) as caught:
        mincli.minimum(np.zeros(1, getattr(ml_dtypes, name)))
    assert caught.value.message == f"Min-13 does not accept {onnx_name} (argument 1)"


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda array: mincli.minimum(array), id="minimum-of-one"),
        pytest.param(lambda array: mincli.minimum(array, array), id="minimum"),
        pytest.param(lambda array: mincli.reduce_min(array, noop_with_empty_axes=True), id="noop"),
        pytest.param(lambda array: mincli.reduce_min(array, 0), id="axis-of-one-element"),
    ],
)
@pytest.mark.parametrize("name", ["float16", "float", "int64"])
def test_input_is_neither_modified_nor_shared(call, name):
    array, _ = array_of(5, (1, 30), BY_NAME[name])
    before = array.tobytes()
    result = call(array)
    assert not np.shares_memory(result, array)
    result[...] = 0
    assert array.tobytes() == before


def test_signalling_nan_raises_no_warning():
    signalling = np.array([0x7F800001, 0xFF800001], "u4").view("f4")
    with np.errstate(all="raise"):
        assert np.isnan(mincli.minimum(signalling, np.float32([1, 1]))).all()
        assert np.isnan(mincli.reduce_min(signalling)).all()


def test_check_model_takes_a_path_or_a_model(tmp_path):
    model = onnx.parser.parse_model(
        '<ir_version: 10, opset_import: ["": 21]> g (float[2] x) => (float[2] y) { y = Add (x, bias) }'
    )
    path = tmp_path / "m.onnx"
    onnx.save(model, path)
    for given in (model, path, str(path)):
        (finding,) = mincli.check_model(given)
        assert (finding.rule.code, finding.place.node) == ("MC201", 0)
        assert (finding.place.operator, finding.place.value) == ("Add-14", "bias")


def test_check_model_finds_that_a_file_is_missing():
    (finding,) = mincli.check_model("missing.onnx")
    assert (finding.rule.code, finding.rule.severity) == ("MC101", "error")


@pytest.mark.parametrize(("given", "kind"), [(b"m.onnx", "bytes"), (None, "NoneType"), (5, "int")])
def test_check_model_refuses_what_is_no_model(given, kind):
    with pytest.raises(errors.UsageError) as caught:
        mincli.check_model(given)
    assert str(caught.value) == f"a model is a path or an onnx.ModelProto, not {kind}"


def test_check_model_towards_another_opset(tmp_path):
    model = onnx.parser.parse_model(
        '<ir_version: 7, opset_import: ["": 13]> g (float[2] x) => (float[1] y) { y = ReduceMin <axes = [0]> (x) }'
    )
    path = tmp_path / "m.onnx"
    onnx.save(model, path)
    for given in (model, path):
        (finding,) = mincli.check_model(given, target_opset=18)
        assert str(finding) == (
            "error MC701: node 0 (ReduceMin-13): axes: attribute to input 1; expected: from ReduceMin-18 on it is an "
            "input; rule changed: opset 18; hint: make it an initializer and input 1"
        )
        assert mincli.check_model(given) == []
    with pytest.raises(errors.UsageError, match=r"^there is no opset 0\n"):
        mincli.check_model(model, target_opset=0)


def test_public_names():
    assert dir(mincli) == ["__version__", "check_model", "errors", "minimum", "reduce_min", "run_model"]
    assert mincli.errors is errors


def test_unknown_name():
    with pytest.raises(AttributeError, match=r"^module 'mincli' has no attribute 'maximum'$"):
        _ = mincli.maximum


@pytest.mark.parametrize(
    ("code", "loads_numpy"),
    [
        pytest.param("import mincli", False, id="package"),
        pytest.param("import mincli; mincli.__version__; dir(mincli); mincli.errors", False, id="errors"),
        pytest.param("from mincli import minimum", True, id="function"),
    ],
)
def test_numpy_is_loaded_on_first_use(code, loads_numpy):
    script = f"{code}\nimport sys; print('numpy' in sys.modules, 'onnx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{loads_numpy} False\n"
