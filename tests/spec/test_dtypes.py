"""The rows of element types against onnx, NumPy, ml_dtypes, and facts worked out by hand."""

import ml_dtypes
import numpy as np
import onnx
import pytest

from mincli.spec.dtypes import BY_NAME, BY_NUMBER, BY_NUMPY, ELEMENT_TYPES, OTHER_TYPES, of_numpy
from tests.arrays import element_id

ALL_TYPES = ELEMENT_TYPES + OTHER_TYPES

# name, NumPy code, storage code, bytes, bit pattern of the minimum of nothing
COMPUTED = [
    ("bool", "b1", "u1", 1, 0x01),
    ("uint8", "u1", "u1", 1, 0xFF),
    ("uint16", "u2", "u2", 2, 0xFFFF),
    ("uint32", "u4", "u4", 4, 0xFFFFFFFF),
    ("uint64", "u8", "u8", 8, 0xFFFFFFFFFFFFFFFF),
    ("int8", "i1", "i1", 1, 0x7F),
    ("int16", "i2", "i2", 2, 0x7FFF),
    ("int32", "i4", "i4", 4, 0x7FFFFFFF),
    ("int64", "i8", "i8", 8, 0x7FFFFFFFFFFFFFFF),
    ("float16", "f2", "u2", 2, 0x7C00),
    ("bfloat16", "V2", "u2", 2, 0x7F80),
    ("float", "f4", "f4", 4, 0x7F800000),
    ("double", "f8", "f8", 8, 0x7FF0000000000000),
]


def test_every_onnx_type_has_a_row_of_its_name_and_number():
    onnx_types = {name.lower(): number for name, number in onnx.TensorProto.DataType.items() if name != "UNDEFINED"}
    assert {row.name: row.number for row in ALL_TYPES} == onnx_types


def test_names_numbers_and_numpy_codes_are_unique():
    assert len(BY_NAME) == len(BY_NUMBER) == len(ALL_TYPES)
    assert len(BY_NUMPY) == sum(bool(row.numpy) for row in ALL_TYPES)


def test_thirteen_types_are_computed():
    assert [row.name for row in ELEMENT_TYPES] == [name for name, *_ in COMPUTED]


@pytest.mark.parametrize(("name", "numpy", "storage", "nbytes", "identity"), COMPUTED, ids=[row[0] for row in COMPUTED])
def test_computed_type(name, numpy, storage, nbytes, identity):
    row = BY_NAME[name]
    assert (row.numpy, row.storage, row.itemsize) == (numpy, storage, nbytes)
    assert np.dtype(numpy).itemsize == np.dtype(storage).itemsize == nbytes
    assert BY_NUMPY[numpy] is row
    assert str(row) == name
    assert int(np.array([row.identity], storage).view(f"u{nbytes}")[0]) == identity


@pytest.mark.parametrize("row", [row for row in ALL_TYPES if row.numpy], ids=element_id)
def test_numpy_code_is_the_type_that_onnx_maps_to(row):
    dtype = onnx.helper.tensor_dtype_to_np_dtype(row.number)
    assert dtype.str[1:] == row.numpy


@pytest.mark.parametrize("row", [row for row in ELEMENT_TYPES if "int" in row.name], ids=element_id)
def test_identity_of_integers_is_the_greatest_value(row):
    assert row.identity == np.iinfo(row.numpy).max


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        pytest.param("float16", np.float16, id="float16"),
        pytest.param("bfloat16", ml_dtypes.bfloat16, id="bfloat16"),
        pytest.param("float", np.float32, id="float"),
        pytest.param("double", np.float64, id="double"),
    ],
)
def test_identity_of_floats_is_plus_infinity(name, dtype):
    row = BY_NAME[name]
    infinity = np.array([np.inf], dtype)
    assert infinity.tobytes() == np.array([row.identity], row.storage).tobytes()


@pytest.mark.parametrize("row", OTHER_TYPES, ids=element_id)
def test_other_types_have_no_minimum(row):
    assert (row.storage, row.itemsize, row.is_float, row.is_half) == ("", 0, False, False)


def test_which_types_are_floats():
    assert {row.name for row in ALL_TYPES if row.is_float} == {"float16", "bfloat16", "float", "double"}
    assert {row.name for row in ALL_TYPES if row.is_half} == {"float16", "bfloat16"}


def test_integers():
    names = "uint2 uint4 uint8 uint16 uint32 uint64 int2 int4 int8 int16 int32 int64"
    assert {row.name for row in ALL_TYPES if row.is_integer} == set(names.split())


@pytest.mark.parametrize(
    ("bits", "names"),
    [
        (2, "uint2 int2"),
        (4, "uint4 int4 float4e2m1"),
        (6, "float6e2m3 float6e3m2"),
        (8, "bool uint8 int8 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz float8e8m0"),
        (16, "uint16 int16 float16 bfloat16"),
        (32, "uint32 int32 float"),
        (64, "uint64 int64 double complex64"),
        (128, "complex128"),
    ],
)
def test_bits_in_raw_data(bits, names):
    assert {row.name for row in ALL_TYPES if row.bits == bits} - {"string"} == set(names.split())


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        pytest.param(">f2", "float16", id="big-endian"),
        pytest.param("<i8", "int64", id="little-endian"),
        pytest.param("?", "bool", id="bool"),
        pytest.param("c16", "complex128", id="complex128"),
        pytest.param("V2", "bfloat16", id="two-raw-bytes"),
        pytest.param(ml_dtypes.bfloat16, "bfloat16", id="bfloat16"),
        pytest.param(ml_dtypes.float8_e4m3fn, "float8e4m3fn", id="float8e4m3fn"),
        pytest.param(ml_dtypes.float8_e4m3fnuz, "float8e4m3fnuz", id="float8e4m3fnuz"),
        pytest.param(ml_dtypes.float8_e5m2, "float8e5m2", id="float8e5m2"),
        pytest.param(ml_dtypes.float8_e5m2fnuz, "float8e5m2fnuz", id="float8e5m2fnuz"),
        pytest.param(ml_dtypes.float8_e8m0fnu, "float8e8m0", id="float8e8m0"),
        pytest.param(ml_dtypes.float6_e2m3fn, "float6e2m3", id="float6e2m3"),
        pytest.param(ml_dtypes.float6_e3m2fn, "float6e3m2", id="float6e3m2"),
        pytest.param(ml_dtypes.float4_e2m1fn, "float4e2m1", id="float4e2m1"),
        pytest.param(ml_dtypes.int4, "int4", id="int4"),
        pytest.param(ml_dtypes.uint2, "uint2", id="uint2"),
    ],
)
def test_of_numpy(dtype, name):
    assert of_numpy(np.dtype(dtype).str, np.dtype(dtype).name) is BY_NAME[name]


@pytest.mark.parametrize(
    "dtype",
    ["V1", "V4", "S2", "U2", "O", "M8[s]", "m8[s]", "g", "G", ml_dtypes.float8_e4m3, ml_dtypes.float8_e4m3b11fnuz],
    ids=lambda dtype: np.dtype(dtype).name,
)
def test_numpy_types_that_onnx_has_not(dtype):
    assert of_numpy(np.dtype(dtype).str, np.dtype(dtype).name) is None


def test_a_code_is_enough_where_numpy_has_the_type():
    assert of_numpy(">f4") is BY_NAME["float"]
    assert of_numpy("|V2") is BY_NAME["bfloat16"]
    assert of_numpy("|V1") is None
