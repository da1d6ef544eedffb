"""Tensors in initializers and attributes, and their external data: texts and places."""

import os

import onnx
import pytest
from onnx import TensorProto, helper

from mincli.lint import findings_in
from tests.lint.told import codes, proto, said

FLOAT, INT8, INT32, INT64 = TensorProto.FLOAT, TensorProto.INT8, TensorProto.INT32, TensorProto.INT64
HINT = "external data lie in files beside the model, or in folders there"


def with_initializer(**fields):
    """Return a model of which a tensor `w` is an output, too."""
    model = proto('<ir_version: 10, opset_import: ["" : 21]> g (float[2] x) => (float[2] y) { y = Relu (x) }')
    model.graph.initializer.add(name="w", **fields)
    kind = (
        {99: FLOAT}.get(own := fields.get("data_type", FLOAT), own),
        [max(size, 0) for size in fields.get("dims", [])],
    )
    model.graph.output.add().CopyFrom(helper.make_tensor_value_info("w", *kind))
    return model


@pytest.mark.parametrize(
    "fields",
    [
        {"data_type": FLOAT, "dims": [2], "float_data": [1, 2]},
        {"data_type": FLOAT, "dims": [2], "raw_data": bytes(8)},
        {"data_type": FLOAT, "dims": [], "float_data": [1]},
        {"data_type": FLOAT, "dims": [0, 3]},
        {"data_type": FLOAT, "dims": [0], "raw_data": b""},
        {"data_type": TensorProto.COMPLEX64, "dims": [2], "float_data": [1, 2, 3, 4]},
        {"data_type": TensorProto.UINT32, "dims": [1], "uint64_data": [1]},
        {"data_type": TensorProto.STRING, "dims": [1], "string_data": ["é".encode()]},
        {"data_type": TensorProto.FLOAT16, "dims": [1], "int32_data": [65535]},
        {"data_type": INT8, "dims": [2], "int32_data": [-128, 127]},
        {"data_type": TensorProto.INT4, "dims": [5], "int32_data": [33, 67, 5]},
        {"data_type": TensorProto.INT4, "dims": [5], "raw_data": bytes(3)},
        {"data_type": TensorProto.UINT2, "dims": [5], "raw_data": bytes(2)},
    ],
    ids=lambda fields: "-".join(map(str, [fields["data_type"], *list(fields)[2:]])),
)
def test_tensors_that_are_right(fields):
    assert codes(with_initializer(**fields)) == []


@pytest.mark.parametrize(
    ("fields", "found", "expected"),
    [
        ({"data_type": FLOAT, "dims": [3], "raw_data": bytes(8)}, "8 bytes", "float[3] takes 12 bytes"),
        ({"data_type": FLOAT, "dims": [1], "raw_data": bytes(8)}, "8 bytes", "float[1] takes 4 bytes"),
        ({"data_type": FLOAT, "dims": [2, 2], "float_data": [1]}, "1 entries", "float[2, 2] takes 4 entries"),
        ({"data_type": FLOAT, "dims": [3]}, "0 entries", "float[3] takes 3 entries"),
        ({"data_type": FLOAT, "dims": [0], "float_data": [1]}, "1 entries", "float[0] takes 0 entries"),
        ({"data_type": TensorProto.INT4, "dims": [5], "raw_data": bytes(5)}, "5 bytes", "int4[5] takes 3 bytes"),
        ({"data_type": TensorProto.COMPLEX64, "float_data": [1]}, "1 entries", "complex64[] takes 2 entries"),
    ],
)  # fmt: skip
def test_data_and_shape_that_disagree(fields, found, expected):
    words = f"the data of the tensor w do not fit its shape: there are {found}"
    assert said(with_initializer(**fields)) == [("MC210", "", words, expected, "")]


@pytest.mark.parametrize(
    ("fields", "found", "expected"),
    [
        ({"dims": [1], "float_data": [1]}, "no element type", "a number of TensorProto.DataType"),
        (
            {"data_type": 99, "dims": [1]},
            "the element type 99, which is none",
            "a number of TensorProto.DataType",
        ),
        ({"data_type": FLOAT, "dims": [-1], "float_data": [1]}, "the shape [-1]", "no negative dims"),
        (
            {"data_type": FLOAT, "dims": [1], "float_data": [1], "raw_data": bytes(4)},
            "elements in float_data and in raw_data",
            "one field",
        ),
        (
            {"data_type": FLOAT, "dims": [1], "int32_data": [1]},
            "float elements in int32_data",
            "they are in float_data or raw_data",
        ),
        (
            {"data_type": TensorProto.STRING, "dims": [1], "raw_data": b"a"},
            "string elements in raw_data",
            "they are in string_data",
        ),
        (
            {"data_type": TensorProto.STRING, "dims": [1], "string_data": [b"\xff"]},
            "a string that is no UTF-8",
            "strings in UTF-8",
        ),
        (
            {"data_type": TensorProto.FLOAT16, "dims": [2], "int32_data": [1, 65536]},
            "65536 in int32_data, which is no float16",
            "entries from 0 to 65535",
        ),
        (
            {"data_type": INT8, "dims": [1], "int32_data": [-129]},
            "-129 in int32_data, which is no int8",
            "entries from -128 to 127",
        ),
    ],
)
def test_malformed_tensors(fields, found, expected):
    assert said(with_initializer(**fields)) == [("MC213", "", f"the tensor w has {found}", expected, "")]


@pytest.mark.skipif(not hasattr(TensorProto, "FLOAT6E2M3"), reason="onnx has no 6-bit floats")
def test_bits_behind_the_last_packed_element():
    fields = {"data_type": TensorProto.FLOAT6E2M3, "dims": [1]}
    assert codes(with_initializer(**fields, raw_data=b"\x3f")) == []
    assert said(with_initializer(**fields, raw_data=b"\x40")) == [
        ("MC213", "", "the tensor w has bits set behind its last element", "they are 0", "")
    ]


def test_tensors_in_attributes_wherever_they_stand():
    model = proto(
        """<ir_version: 10, opset_import: ["" : 21, "own" : 1]>
        g (bool c) => (float[2] y) {
           y = If (c) <then_branch = t () => (float[2] p) { p = Constant <value = float[2] {1, 2}> () },
                       else_branch = e () => (float[2] q) { q = own.f () }>
        }
        <domain: "own", opset_import: ["" : 21]> f () => (b) { [k] b = Constant <value = float[2] {1, 2}> () }"""
    )
    for node in (model.graph.node[0].attribute[0].g.node[0], model.functions[0].node[0]):
        node.attribute[0].t.dims[:] = [3]
    words = "the data of the tensor in its attribute value do not fit its shape: there are 2 entries"
    assert said(model) == [
        ("MC210", place, words, "float[3] takes 3 entries", "")
        for place in ("node 0 (If) then_branch > node 0 (Constant-21)", "function own:f > node 0 (Constant-21 k)")
    ]


def sparse(values, indices, dims, shape=None, *, of=INT64):
    """Return a model with a sparse initializer of float values."""
    model = with_initializer(data_type=FLOAT, dims=[], float_data=[1])
    del model.graph.initializer[:]
    model.graph.output[1].CopyFrom(helper.make_sparse_tensor_value_info("w", FLOAT, dims))
    added = model.graph.sparse_initializer.add(dims=dims)
    added.values.CopyFrom(helper.make_tensor("w", FLOAT, [len(values)], values))
    if indices is not None:
        added.indices.CopyFrom(helper.make_tensor("i", of, shape or [len(indices)], indices))
    return model


@pytest.mark.parametrize(
    ("values", "indices", "dims", "shape"),
    [
        ([1, 2], [0, 5], [2, 3], None),
        ([1, 2], [0, 0, 1, 2], [2, 3], [2, 2]),
        ([], None, [3], None),
        ([1], [4], [5], [1, 1]),
    ],
)
def test_sparse_tensors_that_are_right(values, indices, dims, shape):
    assert codes(sparse(values, indices, dims, shape)) == []


@pytest.mark.parametrize(
    ("model", "found"),
    [
        (sparse([1], [-1], [3]), "the index -1, which is outside the shape [3]"),
        (sparse([1], [6], [2, 3]), "the index 6, which is outside the shape [2, 3]"),
        (sparse([1], [0, 3], [2, 3], [1, 2]), "the index [0, 3], which is outside the shape [2, 3]"),
        (sparse([1, 2], [3, 1], [5]), "the index 1 out of order: they ascend, and each is there once"),
        (
            sparse([1, 2], [1, 0, 0, 1], [2, 3], [2, 2]),
            "the index [0, 1] out of order: they ascend, and each is there once",
        ),
        (sparse([1, 2], [1, 1], [5]), "the index 1 out of order: they ascend, and each is there once"),
        (sparse([1], [0], []), "the shape [], and each of at least one dimension has to be positive"),
        (sparse([1], None, [3]), "1 values, and no indices"),
        (sparse([1], [0], [3], of=INT32), "indices of type int32, not int64"),
        (sparse([1, 2], [0, 1, 2], [3]), "indices of the shape [3], not [2] or [2, 1]"),
    ],
)
def test_malformed_sparse_tensors(model, found):
    assert said(model) == [("MC214", "", f"the sparse tensor w has {found}", "", "")]


def test_indices_in_raw_data():
    model = sparse([1, 2], [0, 7], [5])
    indices = model.graph.sparse_initializer[0].indices
    indices.raw_data = (0).to_bytes(8, "little") + (7).to_bytes(8, "little")
    indices.ClearField("int64_data")
    assert said(model) == [("MC214", "", "the sparse tensor w has the index 7, which is outside the shape [5]", "", "")]


def external(data_type=FLOAT, dims=(2,), **entries):
    model = with_initializer(data_type=data_type, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        model.graph.initializer[0].external_data.add(key=key, value=value)
    return model


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ({"location": "w.bin"}, ""),
        ({"location": "w.bin", "offset": "4", "length": "8"}, ""),
        ({}, "it has no location"),
        ({"location": "none"}, "none is no file"),
        ({"location": "folder"}, "folder is no file"),
        ({"location": "../w.bin"}, "../w.bin is outside the folder of the model"),
        ({"location": "/etc/passwd"}, "/etc/passwd is outside the folder of the model"),
        ({"location": "folder/../../w.bin"}, "folder/../../w.bin is outside the folder of the model"),
        ({"location": "link"}, "link is a link"),
        ({"location": "away/w.bin"}, "away/w.bin is outside the folder of the model"),
        ({"location": "w.bin", "offset": "-4"}, "w.bin is given with an offset or a length that is no number"),
        ({"location": "w.bin", "length": "x"}, "w.bin is given with an offset or a length that is no number"),
        (
            {"location": "w.bin", "length": "\N{ARABIC-INDIC DIGIT FOUR}"},
            "w.bin is given with an offset or a length that is no number",
        ),
        ({"location": "w.bin", "offset": "9" * 5000}, "w.bin is given with an offset or a length that is no number"),
        ({"location": "w.bin", "offset": "9" * 19}, "w.bin is too short: it has 12 bytes"),
        ({"location": "w.bin", "offset": "8", "length": "8"}, "w.bin is too short: it has 12 bytes"),
        ({"location": "w.bin", "offset": "13"}, "w.bin is too short: it has 12 bytes"),
    ],
    ids=str,
)
def test_external_data(tmp_path, entries, fault):
    inside = tmp_path / "inside"
    (inside / "folder").mkdir(parents=True)
    for folder in (tmp_path, inside):
        (folder / "w.bin").write_bytes(bytes(12))
    (inside / "link").symlink_to("w.bin")
    (inside / "away").symlink_to("..")
    words = f"the external data of the tensor w cannot be read: {fault}"
    assert said(external(**entries), str(inside)) == ([("MC102", "", words, "", HINT)] if fault else [])


def test_external_data_of_another_size(tmp_path):
    (tmp_path / "w.bin").write_bytes(bytes(12))
    words = "the data of the tensor w do not fit its shape: there are {}"
    assert said(external(location="w.bin", length="12"), str(tmp_path)) == [
        ("MC210", "", words.format("12 bytes"), "float[2] takes 8 bytes", "")
    ]
    assert said(external(location="w.bin", offset="8"), str(tmp_path)) == [
        ("MC210", "", words.format("4 bytes"), "float[2] takes 8 bytes", "")
    ]


def test_external_data_that_are_inside_as_well(tmp_path):
    (tmp_path / "w.bin").write_bytes(bytes(8))
    model = external(location="w.bin")
    model.graph.initializer[0].float_data.extend([1, 2])
    assert said(model, str(tmp_path)) == [
        ("MC213", "", "the tensor w has external data, and elements in float_data", "one of the two", "")
    ]


def test_strings_are_not_external(tmp_path):
    (tmp_path / "w.bin").write_bytes(bytes(8))
    assert said(external(TensorProto.STRING, location="w.bin"), str(tmp_path)) == [
        ("MC213", "", "the tensor w is of strings, and external", "strings are in string_data", "")
    ]


def test_external_data_of_a_model_in_memory_are_not_looked_at():
    assert codes(external(location="w.bin")) == []
    assert codes(external(location="../w.bin")) == ["MC102"]


def test_external_data_are_not_read(tmp_path):
    with open(tmp_path / "w.bin", "wb") as file:
        file.truncate(100 << 30)
    os.chmod(tmp_path / "w.bin", 0)
    model = external(dims=(25 << 30,), location="w.bin", length=str(100 << 30))
    assert findings_in(onnx.ModelProto.FromString(model.SerializeToString()), str(tmp_path)) == []
