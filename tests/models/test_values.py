"""Values in and out of files: every type of ONNX, every format, and files that hold none."""

import json

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import SequenceProto, TensorProto, helper, numpy_helper

from mincli.models.messages import to_message
from mincli.models.reading import read_value
from mincli.models.saving import write_npz, write_value
from mincli.models.values import type_of
from tests import files
from tests.refusals import refusal

CODES = {  # a row for each type that NumPy and ml_dtypes have: its number, and bytes of three elements, little-endian
    "float": (1, "f4", bytes.fromhex("0000803f 000000807f ffffff".replace(" ", ""))),
    "uint8": (2, "u1", b"\x00\x7f\xff"),
    "int8": (3, "i1", b"\x00\x7f\x80"),
    "uint16": (4, "u2", b"\1\0\xff\xff\0\x80"),
    "int16": (5, "i2", b"\1\0\xff\xff\0\x80"),
    "int32": (6, "i4", b"\1\0\0\0\xff\xff\xff\xff\0\0\0\x80"),
    "int64": (7, "i8", b"\1\0\0\0\0\0\0\0" + b"\xff" * 8 + b"\0\0\0\0\0\0\0\x80"),
    "bool": (9, "?", b"\0\1\1"),
    "float16": (10, "f2", b"\0\x3c\0\x80\xff\x7f"),
    "double": (11, "f8", b"\0\0\0\0\0\0\xf0\x3f" + b"\0\0\0\0\0\0\0\x80" + b"\xff" * 8),
    "uint32": (12, "u4", b"\1\0\0\0\xff\xff\xff\xff\0\0\0\x80"),
    "uint64": (13, "u8", b"\1\0\0\0\0\0\0\0" + b"\xff" * 8 + b"\0\0\0\0\0\0\0\x80"),
    "complex64": (14, "c8", bytes(range(1, 25))),
    "complex128": (15, "c16", bytes(range(1, 49))),
    "bfloat16": (16, "bfloat16", b"\x80\x3f\0\x80\xff\x7f"),
    "float8e4m3fn": (17, "float8_e4m3fn", b"\x38\x80\xff"),
    "float8e4m3fnuz": (18, "float8_e4m3fnuz", b"\x38\x80\xff"),
    "float8e5m2": (19, "float8_e5m2", b"\x38\x80\xff"),
    "float8e5m2fnuz": (20, "float8_e5m2fnuz", b"\x38\x80\xff"),
    "uint4": (21, "uint4", b"\x01\x0f\x08"),
    "int4": (22, "int4", b"\x01\x0f\x08"),
    "float4e2m1": (23, "float4_e2m1fn", b"\x01\x0f\x08"),
    "float8e8m0": (24, "float8_e8m0fnu", b"\x00\x7f\xff"),
    "uint2": (25, "uint2", b"\1\2\3"),
    "int2": (26, "int2", b"\1\2\3"),
}
CODES = {name: row for name, row in CODES.items() if row[0] in TensorProto.DataType.values()}  # older onnx lack some
RAW = [name for name in CODES if name.startswith(("bfloat", "float8", "float4", "uint4", "int4", "uint2", "int2"))]
PACKED = {"uint4": b"\xf1\x08", "int4": b"\xf1\x08", "float4e2m1": b"\xf1\x08", "uint2": b"\x39", "int2": b"\x39"}
"""The same three elements in `raw_data`, where they are packed (onnx.proto)."""
every_type = pytest.mark.parametrize("name", CODES)


def tensor(number, shape=None):
    return helper.make_tensor_type_proto(number, shape)


def array_of(name, shape=(3,)):
    _, code, data = CODES[name]
    return np.frombuffer(data, getattr(ml_dtypes, code, code)).reshape(shape)


def content(value):
    return value.dtype.name, value.shape, value.tobytes()


def same(name, shape=(3,)):
    array = array_of(name, shape)
    return array.dtype.name, shape, CODES[name][2]


def descr(name, order="<"):
    code = CODES[name][1]
    width = len(CODES[name][2]) // 3
    return f"|V{width}" if name in RAW else ("|b1" if code == "?" else f"{order}{code}")


@every_type
def test_npy(name, folder):
    (folder / "x.npy").write_bytes(files.npy(files.header(descr(name), (1, 3)), CODES[name][2]))
    assert content(read_value("x.npy", tensor(CODES[name][0]))) == same(name, (1, 3))
    assert write_value("y", array_of(name, (1, 3)), "any") == "y.npy"
    assert content(read_value("y.npy", tensor(CODES[name][0]))) == same(name, (1, 3))
    saved = np.load("y.npy")  # NumPy reads what is written, and finds the same bytes
    assert (saved.shape, saved.tobytes()) == ((1, 3), CODES[name][2])


@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_npy_of_other_layouts(name, folder):
    code = CODES[name][1]
    array = np.arange(6).reshape(2, 3) + 1j
    data = array.astype(f">{code}").T.tobytes()
    (folder / "x.npy").write_bytes(files.npy(files.header(f">{code}", (2, 3), fortran=True), data))
    assert read_value("x.npy", tensor(CODES[name][0])).tolist() == array.tolist()


def test_npy_of_fortran_order(folder):
    (folder / "x.npy").write_bytes(files.npy(files.header("|V1", (2, 3), fortran=True), b"\1\2\3\4\5\6"))
    assert read_value("x.npy", tensor(TensorProto.UINT4)).tolist() == [[1, 3, 5], [2, 4, 6]]


def test_bits_that_hold_no_element_are_dropped(folder):
    (folder / "x.npy").write_bytes(files.npy(files.header("|V1", (2,)), b"\xff\xf8"))
    assert content(read_value("x.npy", tensor(TensorProto.INT4))) == ("int4", (2,), b"\x0f\x08")


@pytest.mark.parametrize("name", [name for name in RAW if name.startswith("float8")])
def test_npy_of_ml_dtypes(name):
    np.save("x.npy", array_of(name))
    assert content(read_value("x.npy", tensor(CODES[name][0]))) == same(name)


@every_type
@pytest.mark.parametrize("compression", [0, 8], ids=["stored", "deflated"])
def test_npz(name, compression, folder):
    inner = files.npy(files.header(descr(name), (3,)), CODES[name][2])
    (folder / "x.npz").write_bytes(files.zip_of({"a.npy": inner, "b.npy": inner}, compression))
    assert content(read_value("x.npz:b", tensor(CODES[name][0]))) == same(name)


@every_type
def test_tensor_proto(name, folder):
    number, _, data = CODES[name]
    message = TensorProto(dims=[3, 1], data_type=number, raw_data=PACKED.get(name, data))
    (folder / "x.pb").write_bytes(message.SerializeToString())
    assert content(read_value("x.pb", tensor(number))) == same(name, (3, 1))
    made = to_message(array_of(name, (3, 1)), "")
    assert (made.data_type, list(made.dims), made.raw_data) == (number, [3, 1], PACKED.get(name, data))


SAFE = {"float": "F32", "bfloat16": "BF16", "complex64": "C64", "float8e4m3fn": "F8_E4M3", "float8e5m2": "F8_E5M2",
        "float8e8m0": "F8_E8M0", "float8e4m3fnuz": "F8_E4M3FNUZ", "float8e5m2fnuz": "F8_E5M2FNUZ"}  # fmt: skip


@pytest.mark.parametrize("name", SAFE)
def test_safetensors(name, folder):
    data = CODES[name][2]
    header = json.dumps({"t": {"dtype": SAFE[name], "shape": [3], "data_offsets": [0, len(data)]}}).encode()
    (folder / "x.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + data)
    assert content(read_value("x.safetensors:t", tensor(CODES[name][0]))) == same(name)


@pytest.mark.parametrize("shape", [(2, 0), (2, 3, 0), (), (0, 2), (1, 0)], ids=str)
def test_rank_0_and_zero_size(shape):
    for dtype in ("f4", ml_dtypes.int4, ml_dtypes.float8_e5m2, "c8"):
        array = np.zeros(shape, dtype)
        write_value("x", array, "x")
        number = helper.np_dtype_to_tensor_dtype(array.dtype)
        assert content(read_value("x.npy", tensor(number))) == content(array)


STRINGS = [["a", ""], ["é\0b", "\U0001f600"]]


def test_strings(folder):
    kind, array = tensor(TensorProto.STRING), np.array(STRINGS, object)
    assert write_value("x", array, "x") == "x.npy"
    write_npz("x.npz", {"s": array, "t": np.zeros(1)})
    message = TensorProto(dims=[2, 2], data_type=8, string_data=[text.encode() for row in STRINGS for text in row])
    (folder / "x.pb").write_bytes(message.SerializeToString())
    for path in ("x.npy", "x.npz:s", "x.pb"):
        value = read_value(path, kind)
        assert (value.dtype, value.tolist()) == (object, STRINGS)
    assert to_message(array, "") == message
    assert np.load("x.npy").tolist() == STRINGS


@pytest.mark.parametrize("text", ["ends in NUL\0", "x" * (1 << 20)], ids=["nul", "long"])
def test_strings_that_npy_cannot_hold(text):
    """NumPy drops NULs at the end of a string, and gives each the room of the longest."""
    array = np.array([text, *["a"] * 99], object)
    assert write_value("x", array, "x") == "x.pb"
    assert read_value("x.pb", tensor(TensorProto.STRING)).tolist() == array.tolist()
    assert refusal(write_npz, "x.npz", {"s": array}) == (
        "OutputError",
        "x.npz cannot be written: s has strings that end in NUL, or are too long\n"
        "  an .npz archive holds tensors and sequences of tensors, each under a name of its own\n"
        "  hint: write a folder instead",
    )


def test_no_strings():
    for shape in ((0,), (2, 0)):
        write_value("x", np.zeros(shape, object), "x")
        value = read_value("x.npy", tensor(TensorProto.STRING))
        assert (value.dtype, value.shape) == (object, shape)


FLOATS = helper.make_sequence_type_proto(tensor(TensorProto.FLOAT))


def test_sequences(folder):
    value = [np.array([1, 2], "f4"), np.zeros((0, 3), "f4"), np.array(5, "f4")]
    assert write_value("x", value, "x") == "x.pb"
    read = read_value("x.pb", FLOATS)
    assert [content(element) for element in read] == [content(element) for element in value]
    (folder / "y.pb").write_bytes(numpy_helper.from_list(value).SerializeToString())
    assert [content(element) for element in read_value("y.pb", FLOATS)] == [content(element) for element in value]
    write_value("z", [], "z")
    assert read_value("z.pb", FLOATS) == []
    assert numpy_helper.to_list(SequenceProto.FromString((folder / "z.pb").read_bytes())) == []


def test_sequences_of_sequences_and_strings():
    write_value("x", [[np.array(["a\0"], object)], []], "x")
    read = read_value("x.pb", helper.make_sequence_type_proto(FLOATS))
    assert [[element.tolist() for element in inner] for inner in read] == [[["a\0"]], []]


def test_optionals(folder):
    kind = helper.make_optional_type_proto(tensor(TensorProto.FLOAT))
    array = np.array([1, 2], "f4")
    assert write_value("none", None, "none") == "none.pb"
    assert read_value("none.pb", kind) is None
    assert numpy_helper.to_optional(onnx.OptionalProto.FromString((folder / "none.pb").read_bytes())) is None
    (folder / "x.pb").write_bytes(to_message(array, "x", kind).SerializeToString())
    assert content(read_value("x.pb", kind)) == content(array)
    write_value("x", array, "x")  # which is no message, and yet the optional
    assert content(read_value("x.npy", kind)) == content(array)
    write_npz("x.npz", {"x": array})
    assert content(read_value("x.npz:x", kind)) == content(array)
    assert refusal(read_value, "missing.npy", kind) == ("FileError", "missing.npy does not exist")
    of_sequence = helper.make_optional_type_proto(FLOATS)
    (folder / "s.pb").write_bytes(to_message([array], "s", of_sequence).SerializeToString())
    assert [content(element) for element in read_value("s.pb", of_sequence)] == [content(array)]
    (folder / "e.pb").write_bytes(to_message([], "s", of_sequence).SerializeToString())
    assert read_value("e.pb", of_sequence) == []


@pytest.mark.parametrize(
    "value",
    [{"a\0": 1.5, "é": -2.0}, {3: 1, -(2**63): 2}, {1: "a\0"}, {}],
    ids=["strings", "integers", "values", "empty"],
)
def test_maps(value):
    kind = onnx.TypeProto()
    kind.map_type.key_type = TensorProto.STRING
    assert write_value("x", value, "x") == "x.pb"
    assert {key: element.item() for key, element in read_value("x.pb", kind).items()} == value


def test_the_name_is_in_the_message(folder):
    write_value("x", [np.zeros(1)], "the name")
    assert SequenceProto.FromString((folder / "x.pb").read_bytes()).name == "the name"


FLOAT = tensor(TensorProto.FLOAT)
INT4 = tensor(TensorProto.INT4)
A_FLOAT = TensorProto(dims=[1], data_type=1, raw_data=bytes(4))
KINDS = {"float": FLOAT, "int4": INT4, "sequence": FLOATS, "optional": helper.make_optional_type_proto(FLOAT)}


def npy_of(descr, shape, data):
    return files.npy(files.header(descr, shape), data)


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        pytest.param("sequence", b"", "x is no SequenceProto\n  it looks like an empty file", id="empty"),
        pytest.param("optional", b"", "x is no OptionalProto\n  it looks like an empty file", id="empty-optional"),
        pytest.param(
            "sequence", npy_of("<f4", (1,), bytes(4)), "x is no SequenceProto\n  it looks like a .npy file", id="npy"
        ),
        pytest.param("sequence", b"<html>", "x is no SequenceProto\n  it looks like an HTML page", id="html"),
        pytest.param(
            "sequence", b"\x0a\xff\xff", "x is no SequenceProto\n  it is damaged, or something else", id="truncated"
        ),
        pytest.param(
            "sequence", A_FLOAT.SerializeToString(), "x is no SequenceProto\n  it has other fields", id="tensor"
        ),
        pytest.param(
            "optional", A_FLOAT.SerializeToString(), "x is no OptionalProto\n  it has other fields", id="not-optional"
        ),
        pytest.param(
            "sequence",
            SequenceProto(elem_type=1, tensor_values=[TensorProto(dims=[-1], data_type=1)]).SerializeToString(),
            "x is no SequenceProto\n  its shape is [-1]",
            id="negative-dimension",
        ),
        pytest.param(
            "sequence",
            SequenceProto(elem_type=1, tensor_values=[TensorProto(data_type=1, data_location=1)]).SerializeToString(),
            "x is no SequenceProto\n  its elements lie in another file",
            id="external",
        ),
        pytest.param(
            "sequence",
            SequenceProto(
                elem_type=1, tensor_values=[TensorProto(dims=[1], data_type=8, string_data=[b"\xff"])]
            ).SerializeToString(),
            "x is no SequenceProto\n  'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
            id="not-utf-8",
        ),
        pytest.param(
            "int4",
            TensorProto(dims=[3], data_type=22, raw_data=b"\1").SerializeToString(),
            "x is no TensorProto\n  its elements take 2 bytes, and 1 are there",
            id="too-few-elements",
        ),
        pytest.param(
            "int4",
            npy_of("|V2", (1,), bytes(2)),
            "x holds raw elements of 2 bytes, but int4 has 1",
            id="raw-elements-of-another-size",
        ),
        pytest.param(
            "int4",
            npy_of("|V1", (3,), bytes(2)),
            "x is truncated\n  int4 of shape 3 needs 3 bytes; 2 follow the header",
            id="truncated-npy",
        ),
    ],
)
def test_files_that_hold_no_such_value(folder, kind, data, message):
    (folder / "x").write_bytes(data)
    assert refusal(read_value, "x", KINDS[kind]) == ("FormatError", message)


@pytest.mark.parametrize("kind", ["sequence", "optional", "float"])
def test_files_that_are_not_there(folder, kind):
    assert refusal(read_value, "x\x1b", KINDS[kind]) == ("FileError", "x\\x1b does not exist")
    (folder / "d").mkdir()
    assert refusal(read_value, "d", KINDS[kind]) == ("FileError", "d is a folder\n  hint: name a file in it")


def test_strings_that_are_something_else(folder):
    """They are read as what they are, and the check of the types says that it is the wrong one."""
    kind = tensor(TensorProto.STRING)
    np.save("x.npy", np.array([1.0]))
    assert type_of(read_value("x.npy", kind)) == "double[1]"
    (folder / "y.npy").write_bytes(b"\x93NUMPY\1\0")
    assert refusal(read_value, "y.npy", kind) == (
        "FormatError",
        "y.npy is truncated: it ends within the .npy header",
    )
    np.save("z.npy", np.array([{}], object), allow_pickle=True)
    assert refusal(read_value, "z.npy", kind)[1] == (
        "z.npy holds Python objects (pickled; mincli never unpickles), and not numbers or booleans"
    )
    np.savez("a.npz", np.array(["a"]), np.array(["b"]))
    assert refusal(read_value, "a.npz:c", kind)[1] == (
        "a.npz:c: the file has no array of that name\n  it holds arr_0, arr_1"
    )


NAMES = ["file", "a/b", "..", "../x", "", "/conv:0", "é \U0001f600", "x.npy", "a\\b", "con"]


def test_npz_takes_any_name():
    values = {name: np.array([number], "i8") for number, name in enumerate(NAMES)}
    assert write_npz("x.npz", values) == {name: [name] for name in NAMES}
    with np.load("x.npz") as archive:
        found = {member.removesuffix(".npy"): archive[member] for member in archive.zip.namelist()}
    assert {name: array.tolist() for name, array in found.items()} == {
        name: [number] for number, name in enumerate(NAMES)
    }
    assert read_value("x.npz:a/b", tensor(TensorProto.INT64)).tolist() == [1]


@every_type
def test_npz_of_every_type(name):
    write_npz("x.npz", {"x": array_of(name), "y": np.zeros(1)})
    assert content(read_value("x.npz:x", tensor(CODES[name][0]))) == same(name)


def test_sequences_in_npz():
    value = [np.array([1.0]), [np.array([2.0]), np.float32(3)]]
    assert write_npz("x.npz", {"s": value}) == {"s": ["s.0", "s.1.0", "s.1.1"]}
    with np.load("x.npz") as archive:
        assert {name: archive[name].tolist() for name in archive} == {"s.0": [1.0], "s.1.0": [2.0], "s.1.1": 3.0}


@pytest.mark.parametrize(
    ("values", "why"),
    [
        pytest.param({"x": None}, "x is absent", id="absent"),
        pytest.param({"x": []}, "x is sequence of 0", id="empty-sequence"),
        pytest.param({"x\x1b": {"a": 1}}, "x\\x1b is map of 1", id="map"),
        pytest.param({"x\0": np.zeros(1)}, "the name x\\x00 has a NUL", id="nul"),
        pytest.param(
            {"s": [np.zeros(1)], "s.0": np.zeros(1)}, "two values would be its member s.0", id="twice-one-name"
        ),
    ],
)
def test_what_npz_cannot_hold(folder, values, why):
    assert refusal(write_npz, "x.npz", values) == (
        "OutputError",
        f"x.npz cannot be written: {why}\n"
        "  an .npz archive holds tensors and sequences of tensors, each under a name of its own\n"
        "  hint: write a folder instead",
    )
    assert list(folder.iterdir()) == []


def test_npz_is_atomic_and_the_same_each_time(folder):
    write_npz("x.npz", {"x": np.zeros(3), "y": np.array(["a"], object)})
    first = (folder / "x.npz").read_bytes()
    write_npz("x.npz", {"x": np.zeros(3), "y": np.array(["a"], object)})
    assert (folder / "x.npz").read_bytes() == first
    assert [path.name for path in folder.iterdir()] == ["x.npz"]
    assert refusal(write_npz, "missing/x.npz", {"x": np.zeros(1)}) == (
        "OutputError",
        f"missing/x.npz cannot be written: there is no folder {folder}/missing\n"
        f"  hint: make it first: mkdir -p {folder}/missing",
    )


def test_arrays_of_other_layouts_are_written_in_c_order():
    array = np.arange(6, dtype=">i4").reshape(2, 3).T
    write_value("x", array, "x")
    assert np.load("x.npy").tolist() == [[0, 3], [1, 4], [2, 5]]
    assert numpy_helper.to_array(to_message(array, "")).tolist() == [[0, 3], [1, 4], [2, 5]]


def test_a_sequence_of_several_kinds():
    assert refusal(write_value, "x", [np.zeros(1), []], "x") == (
        "OutputError",
        "x.pb cannot be written: a sequence has elements of one kind",
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.zeros((2, 3), "f4"), "float[2, 3]"),
        (np.zeros((), ml_dtypes.bfloat16), "bfloat16[]"),
        (np.zeros(2, ">f8"), "double[2]"),
        (np.array(["a"], object), "string[1]"),
        (np.float32(1), "float[]"),
        ([np.zeros(1)], "sequence of 1"),
        ({"a": 1}, "map of 1"),
        (None, "absent"),
    ],
)
def test_types_of_values(value, words):
    assert type_of(value) == words
