"""Tensors to write to: the bytes of .npy and TensorProto files, any order of writing, and errors in mid-write."""

import errno
import io
import os
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from onnx import TensorProto

from mincli.errors import OutputError
from mincli.spec.dtypes import BY_NAME
from mincli.tensors import create_tensor, open_tensor, protobuf
from mincli.tensors.target import ArrayTarget
from mincli.tensors.tensor import strides_of
from tests import files, oracle
from tests.arrays import as_numpy, every_type, random_array

SHAPES = [(), (4,), (0,), (2, 3), (2, 0, 3), (1, 2, 1, 3)]
INT16 = BY_NAME["int16"]


@pytest.fixture(autouse=True)
def _old(folder):
    (folder / "old.npy").write_bytes(b"old")
    (folder / "old.pb").write_bytes(b"old")


def whole(shape):
    return tuple(slice(0, size) for size in shape)


def write(path, array, element, **options):
    """Write an array of storage type in one piece."""
    with create_tensor(path, element, array.shape, **options) as target:
        if array.size:
            target.view(array.shape, strides_of(array.shape)).write(whole(array.shape), array)


@every_type
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_npy_is_what_np_save_writes(folder, element, shape):
    array, stream = random_array(1, shape, element), io.BytesIO()
    np.save(stream, as_numpy(array, element))
    write("out.npy", array, element)
    assert (folder / "out.npy").read_bytes() == stream.getvalue()


@every_type
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_pb_is_a_tensor_proto(folder, element, shape):
    array = random_array(2, shape, element)
    write("out.pb", array, element)
    proto = TensorProto.FromString((folder / "out.pb").read_bytes())
    assert (proto.data_type, tuple(proto.dims), proto.raw_data) == (element.number, shape, array.tobytes())


@pytest.mark.parametrize("name", ["out", "out.npz", "out.PB", "out.pb.npy", "a.txt"])
def test_any_other_path_is_npy(folder, name):
    write(name, np.array([1, 2], "i2"), INT16)
    assert (folder / name).read_bytes()[:6] == b"\x93NUMPY"
    assert files.content(name) == ("int16", (2,), [1, 2])


@pytest.mark.parametrize("path", ["out.npy", "out.pb"])
@pytest.mark.parametrize("axes", list(permutations(range(3))), ids=str)
def test_any_order_of_iteration_axes(path, axes):
    array = random_array(3, (2, 3, 4), INT16)
    transposed = array.transpose(axes)
    steps = [strides_of(array.shape)[axis] for axis in axes]
    with create_tensor(path, INT16, array.shape) as target:
        view = target.view(transposed.shape, steps)
        for start in reversed(range(transposed.shape[0])):
            region = (slice(start, start + 1), *whole(transposed.shape)[1:])
            view.write(region, transposed[region])
    assert files.content(path) == ("int16", (2, 3, 4), list(oracle.bits_of(array, INT16).values()))


@pytest.mark.parametrize("path", ["out.npy", "out.pb"])
def test_axes_of_stride_0_have_extent_1(path):
    """The output of a reduction along the middle axis of (2, 5, 3)."""
    with create_tensor(path, INT16, (2, 3)) as target:
        view = target.view((2, 5, 3), (3, 0, 1))
        view.write((slice(0, 2), slice(0, 5), slice(0, 2)), np.array([[[1, 2]], [[4, 5]]], "i2"))
        view.write((slice(0, 2), slice(0, 5), slice(2, 3)), np.array([[[3]], [[6]]], "i2"))
    assert files.content(path) == ("int16", (2, 3), [1, 2, 3, 4, 5, 6])


def test_only_memory_has_a_place_to_compute_into(folder):
    array = np.zeros((2, 3), "i2")
    place = ArrayTarget(array, INT16).view((2, 3), (3, 1)).place((slice(1, 2), slice(0, 2)))
    place[...] = 7
    assert array.tolist() == [[0, 0, 0], [7, 7, 0]]
    assert ArrayTarget(array, INT16).view((2, 5, 3), (3, 0, 1)).place(whole((2, 5, 3))).shape == (2, 1, 3)
    with create_tensor("out.npy", INT16, (2, 3)) as target:
        assert target.view((2, 3), (3, 1)).place(whole((2, 3))) is None


@every_type
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_new_array(element, shape):
    target = ArrayTarget.empty(shape, element)
    assert (target.element, target.shape, target.array.shape) == (element, shape, shape)
    assert target.array.dtype == element.storage


def test_standard_output_gets_npy(capfdbinary):
    write("-", np.array([1, 2], "i2"), INT16)
    assert capfdbinary.readouterr().out == files.npy(files.header("<i2", (2,)).strip().ljust(117) + "\n", b"\1\0\2\0")


@pytest.mark.parametrize("path", ["in.npy", "in.pb"])
def test_the_output_may_be_the_input(path):
    write(path, np.array([1, 2, 3], "i2"), INT16)
    with open_tensor(path) as tensor, create_tensor(path, INT16, (3,)) as target:
        target.view((3,), (1,)).write((slice(0, 3),), files.elements(tensor)[::-1])
    assert files.content(path) == ("int16", (3,), [3, 2, 1])


@pytest.mark.parametrize("path", ["old.npy", "old.pb"])
def test_no_clobber(folder, path):
    with pytest.raises(OutputError) as caught:
        write(path, np.array([1], "i2"), INT16, clobber=False)
    assert str(caught.value) == f"{path} exists\n  hint: without --no-clobber it is replaced"
    assert (folder / path).read_bytes() == b"old"


@pytest.mark.parametrize("path", ["old.npy", "old.pb"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_in_the_block_leaves_the_old_file(folder, path, error):
    with pytest.raises(error), create_tensor(path, INT16, (2,)):
        raise error
    assert (folder / path).read_bytes() == b"old"
    assert sorted(os.listdir()) == ["old.npy", "old.pb"]


@pytest.mark.parametrize("path", ["old.npy", "old.pb"])
def test_a_write_error_leaves_the_old_file(folder, monkeypatch, path):
    pwrite, calls = os.pwrite, []

    def full_at_the_second(file, data, offset):
        calls.append(offset)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return pwrite(file, data[:5], offset)

    monkeypatch.setattr(os, "pwrite", full_at_the_second)
    with pytest.raises(OutputError) as caught:
        write(path, np.arange(100, dtype="i2"), INT16)
    assert str(caught.value) == f"{path} cannot be written: No space left on device"
    assert (folder / path).read_bytes() == b"old"
    assert sorted(os.listdir()) == ["old.npy", "old.pb"]


@pytest.mark.parametrize("path", ["out.npy", "out.pb"])
def test_short_writes_are_continued(monkeypatch, path):
    pwrite = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, data, offset: pwrite(file, data[:3], offset))
    write(path, np.array([1, 2, 3, 4], "i2"), INT16)
    assert files.content(path) == ("int16", (4,), [1, 2, 3, 4])


SMALL_FILES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
from mincli.cli.main import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize("path", ["old.npy", "old.pb"])
def test_a_file_size_limit_leaves_the_old_file(folder, path):
    np.save("a.npy", np.zeros(10_000, "i2"))
    command = [sys.executable, "-c", SMALL_FILES, "min", "a.npy", "-o", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == f"error: {path} cannot be written: File too large\n"
    assert (folder / path).read_bytes() == b"old"
    assert sorted(os.listdir()) == ["a.npy", "old.npy", "old.pb"]


def test_a_tensor_proto_holds_less_than_2_gib(folder):
    """2**31 - 1 bytes in all: a header of 14 bytes, then the elements."""
    assert len(protobuf.format_header(BY_NAME["uint8"], (2**31 - 16,))) == 14
    with pytest.raises(OutputError) as caught, create_tensor("old.pb", BY_NAME["uint8"], (2**31 - 14,)):
        pass
    assert str(caught.value) == (
        "old.pb: a TensorProto holds at most 2 GiB, and the result has 2147483634 bytes\n"
        "  hint: write a .npy file instead"
    )
    assert (folder / "old.pb").read_bytes() == b"old"
    with pytest.raises(KeyError), create_tensor("old.pb", BY_NAME["uint8"], (2**31 - 15,)):
        raise KeyError


def test_a_tensor_proto_is_little_endian_on_any_machine(folder, monkeypatch):
    monkeypatch.setattr(sys, "byteorder", "big")
    write("out.pb", np.array([0x0201, 0x0403], "i2"), INT16)  # its bytes, 1 2 3 4, are swapped
    assert (folder / "out.pb").read_bytes() == b"\x08\x02\x10\x05\x4a\x04\x02\x01\x04\x03"
