"""Files that models are read from, and the words for files that hold none."""

import contextlib
import os
import threading
from pathlib import Path

import numpy as np
import onnx
import pytest
from google.protobuf import json_format
from onnx import helper, numpy_helper

from mincli.errors import FileError, FormatError
from mincli.graphs import contents
from mincli.graphs.read import read_model

TEXT = """<ir_version: 8, opset_import: ["" : 13]>
small (float[2] x) => (float[2] y) { y = Relu (x) }
"""
TEXT_FORMS = "it is text, but none of onnx's forms of it: "


@pytest.fixture
def proto():
    return onnx.parser.parse_model(TEXT)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(kind, path, words, *details, hint=""):
    with pytest.raises(kind) as raised:
        read_model(path)
    assert type(raised.value) is kind
    assert (raised.value.message, raised.value.details, raised.value.hint) == (words, details, hint)


def no_model(folder, content, detail):
    (folder / "m.onnx").write_bytes(content)
    refused(FormatError, "m.onnx", "m.onnx is no ONNX model", detail)


@pytest.mark.parametrize("form", ["protobuf", "textproto", "json", "onnxtxt"])
def test_forms_are_known_by_their_content(proto, form):
    onnx.save(proto, "model", format=form)
    assert read_model("model").graph.node[0].op_type == "Relu"


def test_text_may_begin_with_a_byte_order_mark(folder, proto):
    for text in (json_format.MessageToJson(proto), TEXT):
        (folder / "m").write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert read_model("m") == proto


def test_no_file():
    refused(FileError, "none.onnx", "none.onnx does not exist")


def test_a_folder():
    refused(FileError, ".", ". is a folder", hint="name the model in it")


@pytest.mark.parametrize(
    ("content", "looks"),
    [
        (b"", "an empty file"),
        (b"<!DOCTYPE html><html></html>", "an HTML page"),
        (b"PK\x03\x04" + bytes(40), "a zip archive"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "a git-lfs pointer: the file itself was not fetched (git lfs pull)",
        ),
        (b"\x93NUMPY\x01\x00", "a .npy file"),
        (bytes(range(128, 256)), "unknown binary data"),
    ],
    ids=["empty", "html", "zip", "git-lfs", "npy", "noise"],
)
def test_what_is_no_model(folder, content, looks):
    no_model(folder, content, f"it looks like {looks}")


def test_a_model_that_is_cut_off(folder, proto):
    no_model(folder, proto.SerializeToString()[:-5], "it begins like one, and is cut off or damaged")


def test_other_messages_of_onnx(folder, proto):
    zeros = np.zeros(3, "f4")
    tensor = numpy_helper.from_array(zeros, "t").SerializeToString()
    no_model(folder, tensor, "it looks like a TensorProto, not a ModelProto")
    no_model(folder, proto.graph.SerializeToString(), "it looks like a GraphProto, not a ModelProto")
    no_model(folder, proto.graph.node[0].SerializeToString(), "it looks like a NodeProto, not a ModelProto")
    constant = helper.make_node("Constant", [], ["c"], value_int=1)
    no_model(folder, constant.SerializeToString(), "it looks like a NodeProto, not a ModelProto")
    long = helper.make_node("Relu", ["x" * 40], ["y" * 40])
    no_model(folder, long.SerializeToString(), "it looks like a NodeProto, not a ModelProto")
    opsets = [helper.make_opsetid("", 13)]
    function = helper.make_function("own", "f", ["x"], ["y"], proto.graph.node, opsets)
    no_model(folder, function.SerializeToString(), "it looks like a FunctionProto, not a ModelProto")
    sequence = numpy_helper.from_list([zeros]).SerializeToString()
    no_model(folder, sequence, "it looks like a SequenceProto, not a ModelProto")
    proto.ClearField("graph")
    no_model(folder, proto.SerializeToString(), "it is a message without a graph")


@pytest.mark.parametrize("old", [b"small", b"Relu", b"x", b"maker", b"value"], ids=bytes.decode)
def test_strings_that_are_no_text(folder, old):
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 13], producer_name: "maker">
        small (float[2] x) => (float[2] y) { w = Constant <value: tensor = float[2] {1, 2}> () y = Relu (x) }"""
    )
    data = model.SerializeToString().replace(old, b"\xff" + old[1:])
    no_model(folder, data, f"a string in it is no UTF-8: \\xff{old[1:].decode()}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no model", '1:1 : Message type "onnx.ModelProto" has no field named "no".'),
        ('{"a": 1}', 'Message type "onnx.ModelProto" has no field named "a" at "ModelProto".'),
        ("<ir_version: 8> g (float x) =>", "Expected character ( not found. (line: 1 column: 31)"),
        ("<ir_version: " + "9" * 5000 + "> ", "a number in it is too large"),
        (
            '<ir_version: 8, opset_import: ["": 1]> g () => () { y = A <a = 1e999> () }',
            "Failed to parse float from string: 1e999",
        ),
        ("graph { node: 3 }", "1:15 : 'graph { node: 3 }': Expected \"{\"."),
    ],
)
def test_text_that_is_no_model(folder, text, reason):
    no_model(folder, text.encode(), TEXT_FORMS + reason)


def test_a_file_longer_than_a_protocol_buffer():
    with open("m.onnx", "wb") as file:
        file.truncate(2**31)
    refused(
        FormatError,
        "m.onnx",
        "m.onnx is no model: it has 2147483648 bytes, and a protocol buffer at most 2147483647",
        hint="models with larger tensors keep them in other files, as external data",
    )


def test_a_model_without_a_version_is_one(folder, proto):
    proto.ClearField("ir_version")
    proto.domain = "own"
    (folder / "m").write_bytes(proto.SerializeToString())
    assert read_model("m") == proto


BRANCH = "y = If (c) <then_branch = a () => (float z) {"
GRAPH = 'node { op_type: "If" attribute { name: "a" g { name: "g" '


@pytest.mark.parametrize(
    "text",
    [
        '<ir_version: 10, opset_import: ["": 21]> g (bool c) => (float y) {' + BRANCH * 20_000,
        '<ir_version: 10, opset_import: ["": 21]> g (bool c) => (float y) {' + BRANCH * 40 + "}>" * 40 + "}",
        "graph { node { attribute { g " + "{ node { attribute { g " * 3000,
        f'ir_version: 8 graph {{ name: "g" {GRAPH * 60}{"}}}" * 60}}}',
        '{"graph":{"node":[{"attribute":[' + '{"g":{"node":[{"attribute":[' * 3000,
    ],
    ids=["onnx", "onnx-in-binary", "protobuf", "protobuf-in-binary", "json"],
)
def test_text_that_is_nested_too_deeply(folder, text):
    no_model(folder, text.encode(), TEXT_FORMS + "its brackets are nested too deeply")


def test_brackets_in_strings_and_comments_are_not_nested(folder):
    text = f"""<ir_version: 8, opset_import: ["" : 13], doc_string: "\\"{"{" * 600}">
small (float[2] x) => (float[2] y) {{ # it's {"(" * 600}
{" ".join(f"v{n} = LeakyRelu <alpha = 0.1> (x)" for n in range(600))} y = Relu (x) }}"""
    (folder / "m").write_text(text)
    assert len(read_model("m").graph.node) == 601
    (folder / "m").write_text(f"ir_version: 8 producer_name: '\\'{'<' * 600}' graph {{ name: \"'{'[' * 600}\" }}")
    assert read_model("m").ir_version == 8


def test_a_binary_model_that_is_nested_too_deeply(folder):
    data = b""
    for tag in [b"\x32", b"\x2a", b"\x0a"] * 40:  # g in AttributeProto, attribute in NodeProto, node in GraphProto
        data = tag + _varint(len(data)) + data
    no_model(folder, b"\x08\x08\x3a" + _varint(len(data)) + data, "its messages are nested too deeply")


def _varint(number):
    return bytes([number]) if number < 128 else bytes([number % 128 + 128, number // 128])


def test_what_has_no_end():
    refused(FormatError, "/dev/zero", "/dev/zero is no ONNX model", "it looks like zeros")


def test_a_pipe_that_has_more_than_a_model(monkeypatch):
    monkeypatch.setattr(contents, "MAX_BYTES", 3_000_000)
    os.mkfifo("pipe")
    writer = threading.Thread(target=_write_until_closed, args=("pipe", b"\x08" * 1_000_000))
    writer.start()
    refused(
        FormatError,
        "pipe",
        "pipe is no model: it has more than 3000000 bytes, and a protocol buffer at most 3000000",
        hint="models with larger tensors keep them in other files, as external data",
    )
    writer.join()


def _write_until_closed(path, data):
    with contextlib.suppress(BrokenPipeError), open(path, "wb", buffering=0) as pipe:
        while True:
            pipe.write(data)


def test_a_model_from_a_pipe(proto):
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=[proto.SerializeToString()])
    writer.start()
    assert read_model("pipe") == proto
    writer.join()


def test_not_enough_memory(folder, proto, monkeypatch):
    def parse(_):
        raise MemoryError

    (folder / "m").write_text(TEXT)
    monkeypatch.setattr("onnx.parser.parse_model", parse)
    refused(FileError, "m", "m cannot be read: there is not enough memory for it")
