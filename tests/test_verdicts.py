"""Arrays against every version of an operator: the words of each refusal, and the first version that takes them."""

import numpy as np
import pytest

from mincli.spec.dtypes import BY_NAME
from mincli.spec.operators import Standard, resolve
from mincli.verdicts import verdicts
from tests import files
from tests.refusals import refusal

FLOAT, INT32, BFLOAT16 = BY_NAME["float"], BY_NAME["int32"], BY_NAME["bfloat16"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, array, element in (
        ("a", np.zeros((2, 3), "f4"), FLOAT),
        ("row", np.zeros(3, "f4"), FLOAT),
        ("four", np.zeros(4, "f4"), FLOAT),
        ("ints", np.zeros((2, 3), "i4"), INT32),
        ("half", np.zeros(3, "u2"), BFLOAT16),
        ("axes", np.array([-1], "i8"), BY_NAME["int64"]),
    ):
        (tmp_path / f"{name}.npy").write_bytes(files.array_npy(array, element))


def row(name, opset=None):
    return resolve(name, opset)


def table(found):
    """Return, for each version, the shape of the result or why there is none."""
    return {v.version.label: v.shape if v.error is None else v.error.message for v in found.matrix}


def test_equal_shapes_go_into_every_version_of_min():
    found = verdicts(["a.npy", "a.npy"], row("Min"))
    assert table(found) == dict.fromkeys(["Min-1", "Min-6", "Min-8", "Min-12", "Min-13"], (2, 3))
    assert (found.first.since_version, found.asked) == (1, found.matrix[-1])
    assert [(tensor.name, tensor.shape) for tensor in found.inputs] == [("a.npy", (2, 3))] * 2


def test_broadcasting_is_of_min_8_on():
    found = verdicts(["a.npy", "row.npy"], row("Min", 7))
    assert table(found) == {
        "Min-1": "Min-1 needs equal shapes",
        "Min-6": "Min-6 needs equal shapes",
        "Min-8": (2, 3),
        "Min-12": (2, 3),
        "Min-13": (2, 3),
    }
    assert found.first.since_version == 8
    assert found.asked.version.label == "Min-6"
    assert str(found.asked.error) == (
        "Min-6 needs equal shapes\n"
        "  a.npy    2 x 3\n"
        "  row.npy      3\n"
        "  hint: broadcasting is allowed from Min-8 on: use --opset 8 or newer"
    )


def test_no_version_takes_shapes_that_do_not_broadcast():
    found = verdicts(["row.npy", "four.npy"], row("Min"))
    assert found.first is None
    assert table(found)["Min-13"] == "the shapes do not broadcast"


@pytest.mark.parametrize(("file", "first"), [("a", 1), ("ints", 12), ("half", 13)])
def test_the_first_version_of_min_that_takes_a_type(file, first):
    found = verdicts([f"{file}.npy"], row("Min"))
    assert found.first.since_version == first
    assert [v.error is None for v in found.matrix] == [v.version.since_version >= first for v in found.matrix]


def test_negative_axes_are_of_reduce_min_11_on():
    found = verdicts(["a.npy"], row("ReduceMin", 10), axes=[-1], keepdims=False)
    assert table(found) == {
        "ReduceMin-1": "ReduceMin-1 does not accept the negative axis -1",
        **dict.fromkeys([f"ReduceMin-{since}" for since in (11, 12, 13, 18, 20)], (2,)),
    }
    assert (found.first.since_version, found.asked.version.label) == (11, "ReduceMin-1")


def test_axes_from_a_file_and_keepdims():
    assert verdicts(["a.npy"], row("ReduceMin"), axes="axes.npy").asked.shape == (2, 1)


def test_noop_with_empty_axes_is_of_reduce_min_18_on():
    found = verdicts(["a.npy"], row("ReduceMin"), axes=[], noop_with_empty_axes=True)
    refused = {f"ReduceMin-{n}": f"ReduceMin-{n} has no attribute noop_with_empty_axes" for n in (1, 11, 12, 13)}
    assert table(found) == refused | dict.fromkeys(["ReduceMin-18", "ReduceMin-20"], (2, 3))


def test_axes_that_are_out_of_range_are_so_everywhere():
    found = verdicts(["a.npy"], row("ReduceMin"), axes=[2])
    assert set(table(found).values()) == {f"ReduceMin-{n}: axis 2 is out of range" for n in (1, 11, 12, 13, 18, 20)}


def test_onednn_has_one_version():
    minimum = resolve("Minimum", standard=Standard.ONEDNN)
    assert table(verdicts(["a.npy", "row.npy"], minimum)) == {"oneDNN Minimum": (2, 3)}
    assert table(verdicts(["a.npy", "row.npy"], minimum, broadcast=False)) == {
        "oneDNN Minimum": "oneDNN Minimum needs equal shapes with auto_broadcast none"
    }
    reduce_min = resolve("ReduceMin", standard=Standard.ONEDNN)
    assert table(verdicts(["a.npy"], reduce_min, axes=[])) == {"oneDNN ReduceMin": (2, 3)}
    assert table(verdicts(["ints.npy"], reduce_min)) == {"oneDNN ReduceMin": "oneDNN ReduceMin does not accept int32"
                                                         " (ints.npy)"}  # fmt: skip


def test_only_heads_are_read(folder, tmp_path):
    head = files.npy(files.header("<f4", (1 << 20, 1 << 20)))
    with open(tmp_path / "huge.npy", "wb") as file:
        file.write(head)
        file.truncate(len(head) + (4 << 40))
    assert verdicts(["huge.npy"], row("Min")).asked.shape == (1 << 20, 1 << 20)


@pytest.mark.parametrize(
    ("paths", "name", "options", "error", "text"),
    [
        (["a.npy"] * 2, "ReduceMin", {}, "UsageError",
         "ReduceMin reduces one array, not 2\n  hint: axes are given with --axes"),
        (["-", "-"], "Min", {}, "UsageError", "only one input can come from standard input"),
        (["-"], "ReduceMin", {"axes": "-"}, "UsageError", "only one input can come from standard input"),
        (["none.npy"], "Min", {}, "FileError", "none.npy does not exist"),
        (["a.npy"], "ReduceMin", {"axes": "a.npy"}, "AxesError",
         "a.npy: axes are float of shape 2 x 3\n  axes must be an int64 vector"),
    ],
)  # fmt: skip
def test_what_is_refused_whatever_the_version(paths, name, options, error, text):
    assert refusal(verdicts, paths, row(name), **options) == (error, text)
