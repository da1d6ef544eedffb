"""Reading and writing TensorProto files; refusing incomplete, external and contradicting ones."""

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, external_data_helper, helper, numpy_helper

from mincli.spec.dtypes import BY_NAME, ELEMENT_TYPES, OTHER_TYPES
from mincli.tensors import open_tensor, protobuf
from tests import files, oracle
from tests.arrays import element_id, random_array

SHAPES = [(), (3,), (0, 2), (2, 3)]
every_type = pytest.mark.parametrize("element", ELEMENT_TYPES, ids=element_id)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_numpy(array, element):
    return array.view(ml_dtypes.bfloat16 if element.name == "bfloat16" else element.numpy)


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
def test_resident_bytes_and_layout(folder, element):
    proto = numpy_helper.from_array(as_numpy(random_array(7, (2, 3), element), element))
    (folder / "x.pb").write_bytes(proto.SerializeToString())
    with open_tensor("x.pb") as tensor:
        assert (tensor.layout, tensor.note, tensor.resident) == ("TensorProto", "", 3 * proto.ByteSize())


@every_type
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_serialize_is_what_onnx_reads(element, shape):
    array = random_array(8, shape, element)
    proto = TensorProto.FromString(protobuf.serialize(array, element))
    assert (proto.data_type, tuple(proto.dims), proto.raw_data) == (element.number, shape, array.tobytes())
    back = numpy_helper.to_array(proto).view(element.storage)
    assert oracle.bits_of(back, element) == oracle.bits_of(array, element)


@pytest.mark.parametrize("element", OTHER_TYPES, ids=element_id)
def test_types_without_a_minimum_are_known_by_name(folder, element):
    proto = TensorProto(dims=[2, 2], data_type=element.number, raw_data=bytes(64))
    (folder / "x.pb").write_bytes(proto.SerializeToString())
    with open_tensor("x.pb") as tensor:
        assert (tensor.element.name, tensor.element.storage, tensor.shape) == (element.name, "", (2, 2))


def test_every_type_of_onnx_is_known():
    numbers = {number for name, number in TensorProto.DataType.items() if name != "UNDEFINED"}
    assert {element.number for element in BY_NAME.values()} >= numbers


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
        pytest.param(TensorProto(dims=[2**62, 4], data_type=1), f"[{2**62}, 4]", id="huge"),
    ],
)
def test_dims_that_disagree_with_the_data(folder, proto, shape):
    (folder / "x.pb").write_bytes(proto.SerializeToString())
    kind, message = files.refusal("x.pb")
    assert kind == "FormatError"
    assert message.split("\n")[0] == f"x.pb: the TensorProto's elements do not fill its shape {shape}"


@pytest.mark.parametrize("number", [TensorProto.FLOAT, TensorProto.STRING], ids=["float", "string"])
@pytest.mark.parametrize("dims", [[-1], [-2, -2], [1] * 65], ids=["negative", "negative-twice", "rank-65"])
def test_impossible_dims(folder, number, dims):
    (folder / "x.pb").write_bytes(TensorProto(dims=dims, data_type=number, raw_data=bytes(16)).SerializeToString())
    kind, message = files.refusal("x.pb")
    assert kind == "FormatError"
    assert message.split("\n")[0] == f"x.pb: the TensorProto's elements do not fill its shape {dims}"


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
