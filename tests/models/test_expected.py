"""The outputs that a run should give."""

import os

import numpy as np
import onnx
import pytest

from mincli.models.expected import read_expected
from mincli.models.outputs import write_values
from mincli.models.run import outputs_of
from tests import refusals
from tests.models.graphs import MARGIN, model

OUTPUTS = outputs_of(model(MARGIN))


@pytest.fixture(autouse=True)
def _files(folder):
    np.save("a.npy", np.array([1, 2], "f4"))


def read(*given, outputs=OUTPUTS):
    return {name: value.tolist() for name, value in read_expected(outputs, given).items()}


def refused(*given):
    return refusals.refused(read_expected, OUTPUTS, given)


def test_files():
    assert read() == {}
    assert read("margin=a.npy") == {"margin": [1, 2]}
    assert read("margin=a.npy", "lower=a.npy") == {"margin": [1, 2], "lower": [1, 2]}


def test_a_folder_as_it_was_written():
    kind = onnx.TypeProto()
    kind.tensor_type.elem_type = 1
    outputs = dict.fromkeys(["/y", "_y", "Y"], kind)
    values = {name: np.array([number], "f4") for number, name in enumerate(outputs)}
    write_values("out", values)
    assert sorted(os.listdir("out")) == ["Y.npy", "_y-2.npy", "_y.npy"]
    assert read("out", outputs=outputs) == {"/y": [0], "_y": [1], "Y": [2]}


def test_an_archive_as_it_was_written():
    values = {"lower": np.array([[1]], "f4"), "margin": np.array([3, 4], "f4")}
    write_values("a:b.npz", values)
    assert read("a:b.npz") == {"lower": [[1]], "margin": [3, 4]}
    write_values("part.npz", {"lower": values["lower"]})
    assert refused("part.npz") == ("FileError: part.npz:margin: the file has no array of that name\n  it holds lower")


def test_a_sequence_is_not_read_from_an_archive():
    kind = onnx.TypeProto()
    kind.sequence_type.elem_type.tensor_type.elem_type = 1
    write_values("s.npz", {"s": [np.array([1], "f4")]})
    assert refusals.refused(read_expected, {"s": kind}, ["s.npz"]) == (
        "FormatError: --expect: the output s is a sequence, which is not read from s.npz\n"
        "  hint: write the outputs to a folder (-o DIR), and expect that"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["margin=a.npy", "margin=a.npy"],
            "UsageError: the output margin is expected twice\n  hint: give each output once",
        ),
        (
            ["magrin=a.npy"],
            "InputError: --expect: magrin is no output of the model\n"
            "  the model's outputs: lower float[rows, cols], margin float[rows]\n  hint: did you mean margin?",
        ),
        (
            ["a.npy"],
            "FileError: --expect: a.npy is a file\n  it takes NAME=FILE, or the folder or archive that -o wrote\n"
            "  hint: write lower=a.npy",
        ),
        (
            ["no"],
            "FileError: --expect: no does not exist\n  it takes NAME=FILE, or the folder or archive that -o wrote\n"
            "  hint: write lower=no",
        ),
        (
            ["out"],
            "FileError: out has no file for the output margin\n  it should be out/margin.npy or out/margin.pb\n"
            "  hint: to compare some of the outputs, name them: --expect NAME=FILE",
        ),
    ],
)
def test_what_cannot_be_expected(given, message):
    os.mkdir("out")
    np.save("out/lower.npy", np.zeros(1))
    assert refused(*given) == message
