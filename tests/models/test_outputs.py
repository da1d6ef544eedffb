"""Where values are written: safe names, folders, archives."""

import os
import zipfile

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from mincli.models.outputs import check_destination, check_folder, check_values, file_names, make_folder, write_values
from tests.refusals import refused


@pytest.mark.parametrize(
    ("names", "files"),
    [
        (["y", "conv1.weight", "a-b_C"], ["y", "conv1.weight", "a-b_C"]),
        (["/conv/out:0", "..", ".", "", ".hidden", "-rf"], ["_conv_out_0", "_.", "_", "_-2", "_hidden", "_rf"]),
        (["../../etc/passwd", "a\\b", "a b", "a\0\x1b[0m"], ["_._.._etc_passwd", "a_b", "a_b-2", "a___0m"]),
        (["y", "Y", "y-2", "y"], ["y", "Y-2", "y-2-2"]),
        (["größe", "\udcff"], ["größe", "_"]),
        (["x" * 300, "x" * 301, "ö" * 150], ["x" * 200, "x" * 200 + "-2", "ö" * 100]),
        (["CON.npy"], ["CON.npy"]),
    ],
)
def test_names_become_safe(names, files):
    found = file_names(names)
    assert list(found) == list(dict.fromkeys(names))
    assert list(found.values()) == files


def test_a_folder_with_a_file_for_each():
    values = {"/y": np.array([1.5, 2.5], "f4"), "s": [np.array([1], "i8")], "b": np.array([1], ml_dtypes.bfloat16)}
    assert write_values("out", values) == {"/y": "out/_y.npy", "s": "out/s.pb", "b": "out/b.npy"}
    assert sorted(os.listdir("out")) == ["_y.npy", "b.npy", "s.pb"]
    assert np.load("out/_y.npy").tolist() == [1.5, 2.5]
    assert np.load("out/b.npy").dtype.str == "|V2"
    sequence = onnx.SequenceProto()
    with open("out/s.pb", "rb") as file:
        sequence.ParseFromString(file.read())
    assert [array.tolist() for array in numpy_helper.to_list(sequence)] == [[1]]


def test_an_archive():
    values = {"../y": np.array([1.5], "f4"), "n": np.array(7, "i8")}
    assert write_values("out.NPZ", values) == {"../y": "out.NPZ:_._y", "n": "out.NPZ:n"}
    with np.load("out.NPZ") as archive:
        assert {name: archive[name].tolist() for name in archive} == {"_._y": [1.5], "n": 7}
    with zipfile.ZipFile("out.NPZ") as archive:
        assert archive.namelist() == ["_._y.npy", "n.npy"]
    assert os.listdir() == ["out.NPZ"]


def test_an_archive_holds_sequences_element_by_element():
    values = {"/s": [np.array([1], "i8"), np.array([2, 3], "i8")]}
    assert write_values("out.npz", values) == {"/s": "out.npz:_s.0, out.npz:_s.1"}
    with np.load("out.npz") as archive:
        assert {name: archive[name].tolist() for name in archive} == {"_s.0": [1], "_s.1": [2, 3]}


def test_what_has_no_form_in_an_archive():
    assert refused(write_values, "out.npz", {"o": None}) == (
        "OutputError: out.npz cannot be written: o is absent\n"
        "  an .npz archive holds tensors and sequences of tensors, each under a name of its own\n"
        "  hint: write a folder instead"
    )
    assert os.listdir() == []


def test_an_archive_replaces_the_old_one_when_it_is_complete(monkeypatch):
    with open("out.npz", "wb") as file:
        file.write(b"old")
    values = {"y": np.zeros(1)}
    monkeypatch.setattr("mincli.models.saving.npy_parts", lambda array: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_values("out.npz", values)
    assert os.listdir() == ["out.npz"]
    with open("out.npz", "rb") as file:
        assert file.read() == b"old"


def test_destinations_that_will_do():
    os.mkdir("there")
    for path in ("there", "new", "new/", "there/new", "out.npz", "there/out.npz"):
        check_destination(path, {})
    check_folder("there", new=True)
    assert os.listdir() == ["there"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "-",
            "UsageError: several outputs cannot go to standard output\n  hint: name a folder or an .npz file",
        ),
        ("file", "OutputError: file is no folder\n  hint: name a folder, or an archive that ends in .npz"),
        (
            "no/new",
            "OutputError: no/new cannot be written: there is no folder {folder}/no\n"
            "  hint: make it first: mkdir -p {folder}/no",
        ),
        ("there.npz", "OutputError: there.npz is a folder\n  hint: name the file to write"),
    ],
)
def test_destinations_that_will_not_do(path, message):
    os.mkdir("there.npz")
    with open("file", "w"):
        pass
    assert refused(check_destination, path, {}) == message.format(folder=os.getcwd())


def test_a_new_folder_has_to_be_empty():
    os.makedirs("there/within")
    assert refused(check_folder, "there", new=True) == (
        "OutputError: the folder there is not empty\n  hint: name a new folder"
    )


def test_a_folder_that_cannot_be_made():
    with open("file", "w"):
        pass
    assert refused(make_folder, "file/new") == "OutputError: the folder file/new cannot be made: Not a directory"


TENSOR, SEQUENCE = helper.make_tensor_type_proto(1, None), helper.make_sequence_type_proto(onnx.TypeProto())


@pytest.mark.parametrize(("kind", "file"), [(TENSOR, "y.npy"), (SEQUENCE, "y.pb"), (onnx.TypeProto(), "y.npy")])
def test_a_file_that_cannot_be_replaced_is_known_before_the_values_are(kind, file):
    os.makedirs(f"out/{file}")
    assert refused(check_destination, "out", {"x": TENSOR, "y": kind}) == (
        f"OutputError: out/{file} is a folder\n  hint: name the file to write"
    )


@pytest.mark.parametrize(("value", "file"), [(np.zeros(1), "y.npy"), ([np.zeros(1)], "y.pb"), (None, "y.pb")])
def test_values_are_checked_together(value, file):
    os.makedirs(f"out/{file}")
    assert refused(check_values, "out", {"x": np.zeros(1), "y": value}) == (
        f"OutputError: out/{file} is a folder\n  hint: name the file to write"
    )
    check_values("out", {"x": np.zeros(1)})
    check_values("new", {"y": value})
    check_values("out.npz", {"x": np.zeros(1)})
    assert os.listdir() == ["out"]


def test_values_that_cannot_be_written_are_known_beforehand():
    os.mkdir("out")
    assert refused(check_values, "out", {"x": [np.zeros(1), []]}) == (
        "OutputError: out/x.pb cannot be written: a sequence has elements of one kind"
    )
    assert refused(check_values, "out.npz", {"s": [np.zeros(1)], "s.0": np.zeros(1)}) == (
        "OutputError: out.npz cannot be written: two values would be its member s.0\n"
        "  an .npz archive holds tensors and sequences of tensors, each under a name of its own\n"
        "  hint: write a folder instead"
    )
