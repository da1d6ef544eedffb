"""ONNX's test-data layout: which sets there are, and what is in them."""

import os

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from mincli.models.feeds import inputs_of
from mincli.models.testdata import find_sets, read_set
from tests.models.graphs import MARGIN, model
from tests.refusals import refused

MODEL = model(MARGIN)


def save(path, *values):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    onnx.save_tensor(numpy_helper.from_array(np.array(values, "f4")), path)


def save_set(folder, *names):
    for number, name in enumerate(names):
        save(f"{folder}/{name}.pb", number)


def read(folder):
    return read_set(folder, inputs_of(MODEL), MODEL.proto.graph.output)


def test_sets_come_in_the_order_of_their_numbers():
    for name in ("test_data_set_10", "test_data_set_2", "test_data_set_x", "other"):
        os.makedirs(f"data/{name}")
    assert find_sets("data") == ["data/test_data_set_2", "data/test_data_set_10"]


def test_a_folder_may_be_a_set_itself():
    save_set("one", "output_0")
    assert find_sets("one") == ["one"]


def test_a_set():
    save_set("data/a", "input_0", "input_1", "output_0", "output_1")
    data = read("data/a/")
    assert data.name == "a"
    assert {name: value.tolist() for name, value in data.inputs.items()} == {"x": [0], "y": [1]}
    assert {name: value.tolist() for name, value in data.outputs.items()} == {"lower": [2], "margin": [3]}
    assert data.files == {"x": "data/a/input_0.pb", "y": "data/a/input_1.pb"}


def test_some_outputs_may_not_be_there():
    save_set("a", "input_0", "input_1", "output_0")
    assert list(read("a").outputs) == ["lower"]


def test_folders_without_sets():
    os.mkdir("empty")
    with open("file", "w"):
        pass
    assert refused(find_sets, "empty") == (
        "FileError: empty holds no test data\n"
        "  sets are folders test_data_set_0, test_data_set_1, ... of input_0.pb, ..., output_0.pb, ..."
    )
    assert refused(find_sets, "missing") == (
        "FileError: missing cannot be read: No such file or directory\n  hint: name a folder with test data"
    )
    assert refused(find_sets, "file") == (
        "FileError: file cannot be read: Not a directory\n  hint: name a folder with test data"
    )


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            ["input_0", "output_0"],
            "FileError: a is incomplete: it has no input_1.pb\n  that is the input y, which has no default",
        ),
        (["input_1", "output_0"], "FileError: a is incomplete: it has no input_0.pb"),
        (
            ["input_0", "input_1", "input_2", "output_0"],
            "FormatError: a has input_2.pb\n  the model's inputs: x, y",
        ),
        (
            ["input_0", "input_1", "output_0", "output_1", "output_2"],
            "FormatError: a has output_2.pb\n  the model's outputs: lower, margin",
        ),
        (["input_0", "input_1", "output_1"], "FileError: a is incomplete: it has no output_0.pb"),
        (
            ["input_0", "input_1"],
            "FileError: a is incomplete: it has no output_0.pb\n  hint: --save-case makes test data with outputs",
        ),
    ],
)
def test_incomplete_sets(names, message):
    save_set("a", *names)
    assert refused(read, "a") == message


def test_an_empty_set():
    os.mkdir("a")
    assert refused(read, "a") == (
        "FileError: a is incomplete: it has no input_0.pb\n  that is the input x, which has no default"
    )
    assert refused(read, "b") == "FileError: b cannot be read: No such file or directory"


def test_bfloat16_of_older_versions_of_onnx_is_stored_as_uint16():
    """1.5 is 0x3fc0; where bfloat16 is not declared, uint16 stays what it is."""
    bits = np.array([0x3FC0, 0xFF80], "u2")
    text = '<ir_version: 8, opset_import: ["" : 13]> g (bfloat16[2] x, uint16[2] n) => (bfloat16[2] y, uint16[2] m)'
    both = model(f"{text} {{ y = Identity (x) m = Identity (n) }}")
    os.mkdir("a")
    for name in ("input_0", "input_1", "output_0", "output_1"):
        onnx.save_tensor(numpy_helper.from_array(bits), f"a/{name}.pb")
    data = read_set("a", inputs_of(both), both.proto.graph.output)
    for values, (wide, narrow) in ((data.inputs, "xn"), (data.outputs, "ym")):
        assert (values[wide].dtype.name, values[wide].tolist()) == ("bfloat16", [1.5, float("-inf")])
        assert (values[narrow].dtype.name, values[narrow].tolist()) == ("uint16", [0x3FC0, 0xFF80])
