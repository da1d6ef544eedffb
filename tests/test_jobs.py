"""File to file: what a report says, what is refused, memory of a result that is kept, axes from a file."""

import sys

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from mincli.jobs import Request, minimum_of_files, reduce_min_of_file
from mincli.spec.dtypes import BY_NAME
from mincli.spec.operators import Standard, resolve
from mincli.streaming.plan import SCRATCH, Limits
from tests import files, oracle
from tests.arrays import every_type, random_array
from tests.refusals import refusal

MIN, REDUCE_MIN = resolve("Min"), resolve("ReduceMin")
MINIMUM = resolve("Minimum", standard=Standard.ONEDNN)
FLOAT, INT32 = BY_NAME["float"], BY_NAME["int32"]
A = np.array([[5, 1, 7], [2, 9, 3]], "i4")
B = np.array([4, 4, 4], "i4")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with a.npy of shape (2, 3) and b.npy of shape (3), as .npy and as TensorProto files."""
    monkeypatch.chdir(tmp_path)
    for name, array in (("a", A), ("b", B)):
        (tmp_path / f"{name}.npy").write_bytes(files.array_npy(array, INT32))
        (tmp_path / f"{name}.pb").write_bytes(numpy_helper.from_array(array).SerializeToString())
    return tmp_path


def test_minimum_to_a_file():
    report = minimum_of_files(["a.npy", "b.npy"], Request(MIN, output="out.npy"))
    assert files.content("out.npy") == ("int32", (2, 3), [4, 1, 4, 2, 4, 3])
    assert [(tensor.name, tensor.shape) for tensor in report.inputs] == [("a.npy", (2, 3)), ("b.npy", (3,))]
    assert (report.element, report.shape, report.nbytes) == (INT32, (2, 3), 24)
    assert report.bytes_moved == 24 + 12 + 24
    assert (report.attributes, report.result, report.origins) == ({}, None, None)
    assert report.plan.memory == (3 + SCRATCH) * 24
    assert report.seconds > 0


def test_minimum_in_memory():
    report = minimum_of_files(["a.npy", "b.npy"], Request(MIN))
    assert report.result.tolist() == [[4, 1, 4], [2, 4, 3]]
    assert report.result.dtype == np.dtype("i4")
    assert report.plan.memory == (3 + SCRATCH) * 24 + 24


def test_reduce_min_to_a_file():
    report = reduce_min_of_file("a.npy", Request(REDUCE_MIN, output="out.npy"), axes=[-1], keepdims=False)
    assert files.content("out.npy") == ("int32", (2,), [1, 2])
    assert report.attributes == {"axes": [1], "keepdims": False}
    assert (report.element, report.shape, report.nbytes) == (INT32, (2,), 8)
    assert report.bytes_moved == 24 + 8
    assert (report.result, report.origins) == (None, None)


@pytest.mark.parametrize(
    ("options", "axes", "result"),
    [
        pytest.param({}, [0, 1], [[1]], id="absent"),
        pytest.param({"axes": []}, [0, 1], [[1]], id="empty"),
        pytest.param({"axes": [1, 0], "keepdims": False}, [0, 1], 1, id="in-any-order"),
        pytest.param({"axes": [0]}, [0], [[2, 1, 3]], id="first"),
        pytest.param({"axes": [], "noop_with_empty_axes": True}, [], A.tolist(), id="noop"),
        pytest.param({"axes": [1], "noop_with_empty_axes": True}, [1], [[1], [2]], id="noop-does-not-matter"),
    ],
)
def test_axes(options, axes, result):
    report = reduce_min_of_file("a.npy", Request(REDUCE_MIN), **options)
    assert report.attributes["axes"] == axes
    assert report.result.tolist() == result


@every_type
@pytest.mark.parametrize("output", ["out.npy", "out.pb"])
def test_every_type_through_both_formats(folder, element, output):
    version = REDUCE_MIN if element.name in REDUCE_MIN.types else MIN
    array = random_array(1, (4, 3), element)
    (folder / "x.npy").write_bytes(files.array_npy(array, element, order="F", byteorder=">"))
    request = Request(version, output=output)
    if version is MIN:
        minimum_of_files(["x.npy", "x.npy"], request)
        expected = oracle.minimum([array], (4, 3), element)
    else:
        reduce_min_of_file("x.npy", request, axes=[0])
        expected = oracle.reduce_min(array, (0,), element)
    shape = (4, 3) if version is MIN else (1, 3)
    assert files.content(output) == (element.name, shape, list(expected.values()))


@pytest.mark.parametrize("output", ["a.npy", "b.npy"])
def test_the_output_may_be_an_input(output):
    minimum_of_files(["a.npy", "b.npy", "a.npy"], Request(MIN, output=output))
    assert files.content(output) == ("int32", (2, 3), [4, 1, 4, 2, 4, 3])


def test_dry_run_computes_and_writes_nothing(folder):
    before = sorted(path.name for path in folder.iterdir())
    request = Request(MIN, output="out.npy", dry_run=True, count_origins=True)
    report = minimum_of_files(["a.npy", "b.npy"], request)
    assert (report.shape, report.result, report.origins) == ((2, 3), None, None)
    assert report.plan.memory == (3 + SCRATCH) * 24  # two inputs, the result and scratch, all of 6 elements
    report = reduce_min_of_file("a.npy", Request(REDUCE_MIN, dry_run=True))
    assert (report.shape, report.result) == ((1, 1), None)
    assert sorted(path.name for path in folder.iterdir()) == before


def test_dry_run_checks_what_the_format_can_hold():
    np.save("row.npy", np.zeros((1, 30_000), "f4"))
    np.save("column.npy", np.zeros((30_000, 1), "f4"))
    request = Request(MIN, output="out.pb", dry_run=True)
    assert refusal(minimum_of_files, ["row.npy", "column.npy"], request) == (
        "OutputError",
        "out.pb: a TensorProto holds at most 2 GiB, and the result has 3600000000 bytes\n"
        "  hint: write a .npy file instead",
    )


def test_dry_run_checks_the_inputs():
    request = Request(resolve("Min", 8), dry_run=True)
    assert refusal(minimum_of_files, ["a.npy"], request)[0] == "ElementTypeError"


def test_origins():
    report = minimum_of_files(["a.npy", "b.npy"], Request(MIN, count_origins=True))
    assert (report.origins.from_input, report.origins.nan) == ([3, 3], 0)


def test_origins_of_a_reduction_are_only_nan(folder):
    (folder / "x.npy").write_bytes(files.array_npy(np.array([[1, np.nan], [2, 3]], "f4"), FLOAT))
    report = reduce_min_of_file("x.npy", Request(REDUCE_MIN, count_origins=True), axes=[1])
    assert (report.origins.from_input, report.origins.nan) == ([], 1)


def test_progress():
    told = []
    request = Request(
        MIN,
        progress=lambda done, total: told.append((done, total)),
        output="o.npy",
        limits=Limits(1, (3 + SCRATCH) * 8),
    )
    minimum_of_files(["a.npy", "b.npy"], request)
    # blocks of two elements of 4 bytes: each row of 3 is cut in two
    assert list(dict.fromkeys(told)) == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_auto_broadcast_none(folder):
    for name, array in (("x", np.array([1, -2], "f4")), ("y", np.array([0, 5], "f4")), ("z", np.array([0], "f4"))):
        (folder / f"{name}.npy").write_bytes(files.array_npy(array, FLOAT))
    report = minimum_of_files(["x.npy", "y.npy"], Request(MINIMUM), broadcast=False)
    assert report.attributes == {"auto_broadcast": "none"}
    assert report.result.tolist() == [0, -2]
    assert refusal(minimum_of_files, ["x.npy", "z.npy"], Request(MINIMUM), broadcast=False)[0] == "ShapeError"
    assert minimum_of_files(["x.npy", "z.npy"], Request(MINIMUM)).attributes == {}


def test_raw_elements_are_read_as_told(folder):
    (folder / "x.npy").write_bytes(files.npy(files.header("|V1", (3,)), b"\3\xff\2"))
    report = reduce_min_of_file("x.npy", Request(REDUCE_MIN, raw=BY_NAME["int8"]), keepdims=False)
    assert (report.element.name, int(report.result)) == ("int8", -1)


def kinds(name, number):
    proto = TensorProto(dims=[2], data_type=number)
    if name == "string":
        proto = helper.make_tensor("x", number, [2], [b"a", b"b"])
    return proto.SerializeToString()


@pytest.mark.parametrize(
    "name", ["string", "complex64", "complex128", "float8e4m3fn", "float8e5m2", "int4", "uint4", "float4e2m1"]
)
def test_other_types_are_refused_by_name(folder, name):
    (folder / "x.pb").write_bytes(kinds(name, BY_NAME[name].number))
    kind, message = refusal(minimum_of_files, ["x.pb"], Request(MIN))
    assert kind == "ElementTypeError"
    assert message == (
        f"Min-13 does not accept {name} (x.pb)\n"
        f"  Min-13 (opset 13 and newer) accepts {', '.join(MIN.types)}\n"
        f"  hint: no version of Min accepts {name}"
    )
    assert refusal(reduce_min_of_file, "x.pb", Request(REDUCE_MIN))[1].startswith(
        f"ReduceMin-20 does not accept {name} (x.pb)\n"
    )


def test_complex_npy_is_refused_by_name_in_either_byte_order(folder):
    for byteorder in "<>":
        (folder / "x.npy").write_bytes(files.npy(files.header(f"{byteorder}c8", (2,)), bytes(16)))
        kind, message = refusal(minimum_of_files, ["x.npy", "x.npy"], Request(MIN))
        assert kind == "ElementTypeError"
        assert message.startswith("Min-13 does not accept complex64 (x.npy)\n")


@pytest.mark.parametrize(
    ("request_", "refused"),
    [
        pytest.param(
            Request(MIN, output="b.npy", clobber=False),
            ("OutputError", "b.npy exists\n  hint: without --no-clobber it is replaced"),
            id="no-clobber",
        ),
        pytest.param(
            Request(MIN, output="."), ("OutputError", ". is a folder\n  hint: name the file to write"), id="dir"
        ),
        pytest.param(
            Request(MIN, output="a.npy/out"), ("OutputError", "a.npy/out cannot be written: Not a directory"), id="file"
        ),
        pytest.param(
            Request(MIN, output="b.npy", limits=Limits(1, 7)),
            ("UsageError", f"--max-memory 7 is too little\n  hint: give at least {(2 + SCRATCH) * 4} bytes"),
            id="memory",
        ),
    ],
)
def test_refused(request_, refused):
    assert refusal(minimum_of_files, ["a.npy"], request_) == refused
    assert files.content("b.npy") == ("int32", (3,), [4, 4, 4])


@pytest.mark.parametrize("output", [None, "out.npy", "out.pb"])
def test_shapes_that_broadcast_to_an_impossible_one(folder, output):
    """Arrays of no elements can be small in bytes and too large for NumPy together: 0 x 2**40 x 2**40."""
    for name, shape in (("x", (0, 2**40, 1)), ("y", (0, 1, 2**40))):
        (folder / f"{name}.npy").write_bytes(files.npy(files.header("<f4", shape)))
    assert refusal(minimum_of_files, ["x.npy", "y.npy"], Request(MIN, output=output))[0] == "ShapeError"


def test_an_input_that_is_refused_leaves_the_output(folder):
    (folder / "bad.npy").write_bytes(files.array_npy(A, INT32)[:-1])
    request = Request(MIN, output="b.npy")
    assert refusal(minimum_of_files, ["a.npy", "bad.npy"], request)[0] == "FormatError"
    assert files.content("b.npy") == ("int32", (3,), [4, 4, 4])


def test_only_one_input_comes_from_standard_input(folder, monkeypatch):
    message = ("UsageError", "only one input can come from standard input")
    assert refusal(minimum_of_files, ["-", "a.npy", "-"], Request(MIN)) == message
    assert refusal(reduce_min_of_file, "-", Request(REDUCE_MIN), axes="-") == message
    with open(folder / "b.npy", "rb") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert minimum_of_files(["a.npy", "-"], Request(MIN)).inputs[1].name == "standard input"


def test_noop_with_empty_axes_needs_version_18():
    kind, message = refusal(reduce_min_of_file, "a.npy", Request(resolve("ReduceMin", 17)), noop_with_empty_axes=True)
    assert kind == "OperatorAttributeError"
    assert message == (
        "ReduceMin-13 has no attribute noop_with_empty_axes\n"
        "  its attributes: axes, keepdims\n"
        "  hint: ReduceMin-18 introduced it: use --opset 18 or newer"
    )


@pytest.mark.parametrize(
    ("paths", "output", "held"),
    [
        pytest.param(["a.npy", "b.npy"], "out.npy", 0, id="files"),
        pytest.param(["a.pb", "b.pb"], "out.npy", 0, id="TensorProtos"),
        pytest.param(["a.npy", "b.npy"], "out.pb", 0, id="TensorProto-out"),
        pytest.param(["a.npy", "b.npy"], None, 24, id="result-in-memory"),
    ],
)
def test_memory_counts_a_result_that_is_kept(paths, output, held):
    report = minimum_of_files(paths, Request(MIN, output=output))
    assert report.plan.memory == (3 + SCRATCH) * report.plan.buffer + held


def test_a_result_that_is_kept_counts_against_the_limit():
    limits = Limits(1, 24 + (3 + SCRATCH) * 4)  # the result, and buffers of one element
    report = minimum_of_files(["a.npy", "b.npy"], Request(MIN, limits=limits))
    assert report.plan.extents == (1, 1)
    assert report.plan.memory == limits.memory
    assert report.result.tolist() == [[4, 1, 4], [2, 4, 3]]


@pytest.mark.parametrize("missing", [1, (3 + SCRATCH) * 4, (3 + SCRATCH) * 4 + 7])
def test_the_least_memory_is_named_with_what_a_kept_result_takes(missing):
    least = 24 + (3 + SCRATCH) * 4
    message = (
        f"--max-memory {least - missing} is too little\n"
        f"  hint: give at least {least} bytes, 24 of them for the result, which is held whole"
    )
    request = Request(MIN, limits=Limits(1, least - missing))
    assert refusal(minimum_of_files, ["a.npy", "b.npy"], request) == ("UsageError", message)


INT64 = BY_NAME["int64"]


@pytest.mark.parametrize(
    ("axes", "result"),
    [
        pytest.param(np.array([0], "i8"), [[2, 1, 3]], id="one"),
        pytest.param(np.array([-1], "i8"), [[1], [2]], id="negative"),
        pytest.param(np.array([1, 0], "i8"), [[1]], id="two"),
        pytest.param(np.array([], "i8"), [[1]], id="given-but-empty"),
    ],
)
@pytest.mark.parametrize("path", ["axes.npy", "big.npy", "axes.npz", "axes.npz:x", "axes.pb"])
def test_axes_from_a_file(folder, axes, result, path):
    (folder / "axes.npy").write_bytes(files.array_npy(axes, INT64))
    (folder / "big.npy").write_bytes(files.array_npy(axes, INT64, byteorder=">"))
    (folder / "axes.npz").write_bytes(files.zip_of({"x.npy": files.array_npy(axes, INT64)}))
    (folder / "axes.pb").write_bytes(numpy_helper.from_array(axes).SerializeToString())
    assert reduce_min_of_file("a.npy", Request(REDUCE_MIN), axes=path).result.tolist() == result


def test_empty_axes_from_a_file_may_reduce_nothing(folder):
    (folder / "axes.npy").write_bytes(files.array_npy(np.array([], "i8"), INT64))
    report = reduce_min_of_file("a.npy", Request(REDUCE_MIN), axes="axes.npy", noop_with_empty_axes=True)
    assert report.result.tolist() == A.tolist()


VECTOR = "\n  axes must be an int64 vector"


@pytest.mark.parametrize(
    ("axes", "element", "message"),
    [
        pytest.param(np.array([0], "i4"), "int32", f"axes.npy: axes are int32 of shape 1{VECTOR}", id="int32"),
        pytest.param(np.array([0], "u8"), "uint64", f"axes.npy: axes are uint64 of shape 1{VECTOR}", id="uint64"),
        pytest.param(np.array([0], "f4"), "float", f"axes.npy: axes are float of shape 1{VECTOR}", id="float"),
        pytest.param(np.array(0, "i8"), "int64", f"axes.npy: axes are int64 of shape scalar{VECTOR}", id="rank-0"),
        pytest.param(np.array([[0]], "i8"), "int64", f"axes.npy: axes are int64 of shape 1 x 1{VECTOR}", id="rank-2"),
        pytest.param(
            np.arange(65, dtype="i8"), "int64", "axes.npy holds 65 axes, more than an array can have", id="65-axes"
        ),
        pytest.param(
            np.array([2], "i8"),
            "int64",
            "ReduceMin-20: axis 2 is out of range\n  axes are -2 to 1 at rank 2",
            id="range",
        ),
        pytest.param(
            np.array([-(2**63)], "i8"),
            "int64",
            f"ReduceMin-20: axis {-(2**63)} is out of range\n  axes are -2 to 1 at rank 2",
            id="least-int64",
        ),
        pytest.param(
            np.array([0, -2], "i8"),
            "int64",
            "ReduceMin-20: axis 0 is given twice (axes 0, -2, rank 2)\n"
            "  the standard leaves repeated axes open; mincli refuses them\n"
            "  hint: name each axis once",
            id="repeated",
        ),
    ],
)
def test_axes_in_a_file_refused(folder, axes, element, message):
    (folder / "axes.npy").write_bytes(files.array_npy(axes, BY_NAME[element]))
    assert refusal(reduce_min_of_file, "a.npy", Request(REDUCE_MIN), axes="axes.npy") == ("AxesError", message)


def test_missing_file_of_axes():
    refused = refusal(reduce_min_of_file, "a.npy", Request(REDUCE_MIN), axes="no.npy")
    assert refused == ("FileError", "no.npy does not exist")
