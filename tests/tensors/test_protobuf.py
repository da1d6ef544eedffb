"""Reading and writing TensorProto files; refusing incomplete, external and contradicting ones."""

import os
import sys
import tracemalloc

import numpy as np
import pytest
from onnx import TensorProto, external_data_helper, helper, numpy_helper

from mincli.spec.dtypes import OTHER_TYPES
from mincli.tensors import open_tensor, protobuf
from mincli.tensors.wire import as_varint
from tests import files, oracle
from tests.arrays import as_numpy, element_id, every_type, random_array

SHAPES = [(), (3,), (0, 2), (2, 3)]


@every_type
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_raw_data(folder, element, shape):
    array = random_array(5, shape, element)
    proto = helper.make_tensor("x", element.number, shape, array.tobytes(), raw=True)
    (folder / "x.pb").write_bytes(proto.SerializeToString())
    expected = list(oracle.bits_of(array, element).values())
    assert files.content("x.pb") == (element.name, shape, expected)


@every_type
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_typed_fields(folder, element, shape):
    array = random_array(6, shape, element, nan=False)
    proto = helper.make_tensor("x", element.number, shape, as_numpy(array, element).reshape(-1))
    assert not proto.HasField("raw_data")
    (folder / "x.pb").write_bytes(proto.SerializeToString())
    expected = list(oracle.bits_of(array, element).values())
    assert files.content("x.pb") == (element.name, shape, expected)


@every_type
def test_layout(folder, element):
    (folder / "x.pb").write_bytes(
        numpy_helper.from_array(as_numpy(random_array(7, (2, 3), element), element)).SerializeToString()
    )
    with open_tensor("x.pb") as tensor:
        assert (tensor.layout, tensor.note) == ("TensorProto", "")


@every_type
@pytest.mark.parametrize("shape", [*SHAPES, (2**21, 0), (128, 2)], ids=str)
def test_the_header_is_what_onnx_writes(element, shape):
    array = random_array(8, shape, element)
    proto = TensorProto(dims=shape, data_type=element.number, raw_data=array.tobytes())
    assert protobuf.format_header(element, shape) + array.tobytes() == proto.SerializeToString()


def test_raw_data_is_little_endian_on_any_machine(folder, monkeypatch):
    (folder / "x.pb").write_bytes(TensorProto(dims=[2], data_type=5, raw_data=b"\1\2\3\4").SerializeToString())
    monkeypatch.setattr(sys, "byteorder", "big")
    assert files.content("x.pb") == ("int16", (2,), [0x0102, 0x0304])


@pytest.mark.parametrize("element", OTHER_TYPES, ids=element_id)
def test_types_without_a_minimum_are_known_by_name(folder, element):
    proto = TensorProto(dims=[2, 2], data_type=element.number, raw_data=bytes(64))
    (folder / "x.pb").write_bytes(proto.SerializeToString())
    with open_tensor("x.pb") as tensor:
        assert (tensor.element.name, tensor.element.storage, tensor.shape) == (element.name, "", (2, 2))


def test_suffix_and_field_name_do_not_matter(folder):
    proto = helper.make_tensor("\x1b[31m", TensorProto.INT8, (1,), [5])
    (folder / "x.npy").write_bytes(proto.SerializeToString())
    assert files.content("x.npy") == ("int8", (1,), [5])


def test_external_data_is_refused(folder):
    proto = numpy_helper.from_array(np.zeros(1, "f4"))
    external_data_helper.set_external_data(proto, "elsewhere.bin")
    proto.ClearField("raw_data")
    (folder / "x.pb").write_bytes(proto.SerializeToString())
    message = "x.pb is a TensorProto whose elements lie in another file\n  hint: save it with its data inside"
    assert files.refusal("x.pb") == ("FormatError", message)


@pytest.mark.parametrize(
    ("proto", "shape"),
    [
        pytest.param(TensorProto(dims=[2], data_type=1, raw_data=bytes(4)), "[2]", id="raw-data-too-short"),
        pytest.param(TensorProto(dims=[2], data_type=1, raw_data=bytes(12)), "[2]", id="raw-data-too-long"),
        pytest.param(TensorProto(dims=[1], data_type=1, raw_data=bytes(3)), "[1]", id="raw-data-in-mid-element"),
        pytest.param(TensorProto(dims=[2], data_type=1, float_data=[1]), "[2]", id="typed-data-too-short"),
        pytest.param(TensorProto(dims=[1], data_type=7, int64_data=[1, 2]), "[1]", id="typed-data-too-long"),
        pytest.param(TensorProto(dims=[2], data_type=1), "[2]", id="no-data"),
        pytest.param(TensorProto(data_type=1), "[]", id="no-data-for-a-scalar"),
        pytest.param(TensorProto(dims=[1], data_type=1, int64_data=[1]), "[1]", id="field-of-another-type"),
    ],
)
def test_dims_that_disagree_with_the_data(folder, proto, shape):
    (folder / "x.pb").write_bytes(proto.SerializeToString())
    kind, message = files.refusal("x.pb")
    assert kind == "FormatError"
    assert message.split("\n")[0] == f"x.pb: the TensorProto's elements do not fill its shape {shape}"


@pytest.mark.parametrize("number", [TensorProto.FLOAT, TensorProto.STRING], ids=["float", "string"])
@pytest.mark.parametrize(
    "dims",
    [[-1], [-2, -2], [1] * 65, [2**62, 4, 2]],
    ids=["negative", "negative-twice", "rank-65", "huge"],
)
def test_impossible_dims(folder, number, dims):
    (folder / "x.pb").write_bytes(TensorProto(dims=dims, data_type=number, raw_data=bytes(16)).SerializeToString())
    message = f"x.pb: the shape in the TensorProto is impossible\n  {dims}"
    assert files.refusal("x.pb") == ("FormatError", message)


def tag(number, kind):
    return bytes([number << 3 | kind])


def packed(number, data):
    assert len(data) < 128
    return tag(number, 2) + bytes([len(data)]) + data


INT32, DIMS_2 = tag(2, 0) + b"\6", packed(1, b"\2")


@pytest.mark.parametrize(
    ("whole", "held"),
    [
        pytest.param(DIMS_2 + INT32 + packed(9, b"\1\0\0\0\2\0\0\0"), ("int32", (2,), [1, 2]), id="packed-dims"),
        pytest.param(packed(9, bytes(8)) + DIMS_2 + INT32, ("int32", (2,), [0, 0]), id="any-order"),
        pytest.param(
            DIMS_2 + INT32 + packed(9, b"\1") + packed(9, bytes(8)), ("int32", (2,), [0, 0]), id="the-last-raw-data"
        ),
        pytest.param(DIMS_2 + INT32 + b"\x28\x05\x28\x96\x01", ("int32", (2,), [5, 150]), id="elements-not-packed"),
        pytest.param(
            DIMS_2 + INT32 + packed(5, b"\5") + packed(5, b"\x96\1"), ("int32", (2,), [5, 150]), id="packed-in-two"
        ),
        pytest.param(
            DIMS_2 + INT32 + packed(5, b"\xff" * 9 + b"\1" + b"\x81\x80\x00"),
            ("int32", (2,), [2**32 - 1, 1]),
            id="long-varints",
        ),
        pytest.param(
            DIMS_2 + tag(2, 0) + b"\1" + tag(4, 5) + b"\0\0\x80\x3f" + packed(4, b"\0\0\0\x40"),
            ("float", (2,), [0x3F800000, 0x40000000]),
            id="floats-in-two",
        ),
        pytest.param(
            DIMS_2 + INT32 + packed(9, bytes(8)) + tag(15, 0) + b"\7" + packed(13, b"") + tag(15, 5) + bytes(4),
            ("int32", (2,), [0, 0]),
            id="fields-of-a-newer-version",
        ),
    ],
)
def test_any_form_of_the_message(folder, whole, held):
    (folder / "x.pb").write_bytes(whole)
    assert files.content("x.pb") == held


@pytest.mark.parametrize(
    ("whole", "message"),
    [
        pytest.param(
            DIMS_2 + INT32 + packed(5, b"\1\x80"),
            "x.pb: the TensorProto's elements do not fill its shape [2]\n  a varint does not end",
            id="varint-cut",
        ),
        pytest.param(
            DIMS_2 + INT32 + packed(5, b"\x80" * 11 + b"\1"),
            "x.pb: the TensorProto's elements do not fill its shape [2]\n  a varint does not end",
            id="varint-too-long",
        ),
        pytest.param(
            packed(1, b"\x80") + INT32 + packed(9, bytes(8)),
            "x.pb: the shape in the TensorProto is impossible",
            id="dims-cut",
        ),
        pytest.param(
            DIMS_2 + INT32 + packed(3, b"") + packed(9, bytes(8)),
            "x.pb is a TensorProto of a part of a tensor (a segment)\n  hint: save the tensor whole",
            id="segment",
        ),
        pytest.param(
            DIMS_2 + INT32 + tag(5, 0) * 2 * (protobuf.MAX_FIELDS + 1),
            f"x.pb is a TensorProto of more than {protobuf.MAX_FIELDS} fields\n"
            "  hint: save its elements as raw_data, as onnx.numpy_helper.from_array does",
            id="endless-fields",
        ),
    ],
)
def test_refused_as_a_tensor_proto(folder, whole, message):
    (folder / "x.pb").write_bytes(whole)
    assert files.refusal("x.pb") == ("FormatError", message)


@pytest.mark.parametrize(
    "whole",
    [
        pytest.param(DIMS_2 + INT32 + tag(9, 2) + b"\x09" + bytes(8), id="length-past-the-end"),
        pytest.param(DIMS_2 + INT32 + tag(9, 2) + b"\xff" * 9 + b"\1", id="greatest-length"),
        pytest.param(DIMS_2 + INT32 + tag(9, 0) + b"\0", id="raw-data-a-number"),
        pytest.param(DIMS_2 + packed(2, b"\6") + packed(9, bytes(8)), id="data-type-packed"),
        pytest.param(DIMS_2 + INT32 + packed(9, bytes(8)) + tag(15, 3) + tag(15, 4), id="group"),
        pytest.param(DIMS_2 + INT32 + packed(9, bytes(8)) + b"\0\0", id="field-0"),
        pytest.param(DIMS_2 + INT32 + packed(9, bytes(8)) + tag(15, 5) + bytes(3), id="number-cut"),
    ],
)
def test_what_is_no_tensor_proto(folder, whole):
    (folder / "x.pb").write_bytes(whole)
    assert files.refusal("x.pb")[1].startswith("x.pb is no array\n  it looks like unknown binary data\n")


MIB = 1 << 20
HUGE = tag(5, 2) + b"\x80\x80\x80\x20"  # 64 MiB of packed int32_data


@pytest.mark.parametrize(
    ("start", "message"),
    [
        pytest.param(
            b"\x08\x08" + tag(7, 2) + b"\x80\x80\x80\x20", "x.pb is no array\n  it looks like an ONNX model", id="model"
        ),
        pytest.param(
            INT32 + tag(1, 2) + b"\x80\x80\x80\x20", "x.pb: the shape in the TensorProto is impossible", id="dims"
        ),
        pytest.param(
            DIMS_2 + INT32 + HUGE,
            "x.pb: the TensorProto's elements do not fill its shape [2]\n  there are more",
            id="elements",
        ),
        pytest.param(
            DIMS_2 + INT32 + packed(9, bytes(8)) + tag(1, 2) + b"\x80\x80\x80\x20",
            "x.pb: the shape in the TensorProto is impossible",
            id="dims-after-all",
        ),
    ],
)
def test_what_is_huge_takes_no_memory(folder, start, message):
    (folder / "x.pb").write_bytes(start)
    os.truncate("x.pb", len(start) + 64 * MIB)
    tracemalloc.start()
    try:
        assert files.refusal("x.pb")[1].startswith(message)
        assert tracemalloc.get_traced_memory()[1] < 6 * MIB
    finally:
        tracemalloc.stop()


def test_elements_are_read_where_they_lie(folder):
    start = tag(2, 0) + b"\2" + tag(1, 0) + b"\x80\x80\x80\x20" + tag(9, 2) + b"\x80\x80\x80\x20"
    (folder / "x.pb").write_bytes(start)
    os.truncate("x.pb", len(start) + 64 * MIB)
    tracemalloc.start()
    try:
        with open_tensor("x.pb") as tensor:
            assert (tensor.element.name, tensor.shape, tensor.offset) == ("uint8", (64 * MIB,), len(start))
        assert tracemalloc.get_traced_memory()[1] < MIB
    finally:
        tracemalloc.stop()


def test_varints_over_many_chunks(folder):
    values = [(-1) ** step * step**3 for step in range(100_000)]
    proto = TensorProto(dims=[100_000], data_type=7, int64_data=values)
    (folder / "x.pb").write_bytes(proto.SerializeToString())
    assert files.content("x.pb") == ("int64", (100_000,), [value % 2**64 for value in values])


@pytest.mark.parametrize("number", [0, 99], ids=["undefined", "unknown"])
def test_unknown_element_type_is_no_array(folder, number):
    (folder / "x.pb").write_bytes(TensorProto(dims=[1], data_type=number, raw_data=bytes(4)).SerializeToString())
    assert files.refusal("x.pb")[1].startswith("x.pb is no array\n")


def test_every_prefix_is_refused(folder):
    proto = helper.make_tensor("x", TensorProto.FLOAT, (3,), np.array([1, 2, 3], "f4").tobytes(), raw=True)
    whole = proto.SerializeToString()
    for length in range(len(whole)):
        (folder / "x.pb").write_bytes(whole[:length])
        assert files.refusal("x.pb")[0] == "FormatError", length


def test_numbers_packed_and_not_may_follow_each_other(folder):
    whole = TensorProto(data_type=TensorProto.INT32, dims=[60_005])
    apart = b"".join(b"\x28" + as_varint(value % 2**64) for value in range(-30_000, 30_000))
    packed = b"\x2a\x05" + bytes([1, 2, 3, 4, 5])
    (folder / "a.pb").write_bytes(whole.SerializeToString() + apart + packed)
    expected = [*range(-30_000, 30_000), 1, 2, 3, 4, 5]
    with open_tensor("a.pb") as tensor:
        values = tensor.view((60_005,), (1,)).read((slice(0, 60_005),), np.empty(tensor.nbytes, "u1"))
    assert values.tolist() == expected


def test_a_name_that_looks_like_another_format_does_not_matter(folder):
    proto = numpy_helper.from_array(np.array([5], "i1"), "h" + "x" * 89)
    name = proto.name.encode()
    proto.ClearField("name")
    (folder / "a.pb").write_bytes(b"BZ" + name + proto.SerializeToString())
    assert files.content("a.pb") == ("int8", (1,), [5])
