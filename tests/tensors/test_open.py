"""Opening arrays: the content decides, paths with colons, pipes, standard input, and files that are no arrays."""

import errno
import gzip
import os
import pickle
import sys
import threading
from contextlib import contextmanager, suppress

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import save

from mincli.errors import FileError
from mincli.spec.dtypes import BY_NAME
from mincli.tensors import open_tensor
from tests import files

ARRAY = np.array([3, 1, 2], "u1")
HELD = ("uint8", (3,), [3, 1, 2])
NPY = files.array_npy(ARRAY, BY_NAME["uint8"])
NPZ = files.zip_of({"x.npy": NPY})
PB = numpy_helper.from_array(ARRAY).SerializeToString()
SAFETENSORS = save({"x": ARRAY})
FORMATS = [
    pytest.param(NPY, id="npy"),
    pytest.param(NPZ, id="npz"),
    pytest.param(PB, id="TensorProto"),
    pytest.param(SAFETENSORS, id="safetensors"),
]


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "a.pb", "a.safetensors", "a.txt", "a", "größe.npy", " ", "-a"])
@pytest.mark.parametrize("whole", FORMATS)
def test_content_decides(folder, whole, name):
    (folder / name).write_bytes(whole)
    assert files.content(name) == HELD


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        pytest.param("a:b.npy", NPY, id="colon"),
        pytest.param("a.npz:x", NPY, id="named-like-a-member"),
        pytest.param("a:b.npz:x", NPZ, id="member-of-a-path-with-colon"),
        pytest.param("C:/a.npy", NPY, id="drive"),
    ],
)
def test_colons_in_paths(folder, path, whole):
    place = folder / path.removesuffix(":x") if whole is NPZ else folder / path
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(whole)
    assert files.content(path) == HELD


def test_a_path_that_exists_is_no_member(folder):
    (folder / "a.npz").write_bytes(files.zip_of({"x.npy": files.array_npy(ARRAY[:1], BY_NAME["uint8"])}))
    (folder / "a.npz:x").write_bytes(NPY)
    assert files.content("a.npz:x") == HELD


def test_symbolic_link_is_followed(folder):
    (folder / "a.npy").write_bytes(NPY)
    (folder / "link.npy").symlink_to("a.npy")
    assert files.content("link.npy") == HELD


def test_the_name_is_escaped(folder):
    (folder / "a\x1b[31m\n.npy").write_bytes(NPY)
    with open_tensor("a\x1b[31m\n.npy") as tensor:
        assert tensor.name == "a\\x1b[31m\\n.npy"


def test_an_open_tensor_outlives_its_name(folder):
    (folder / "a.npy").write_bytes(NPY)
    with open_tensor("a.npy") as tensor:
        (folder / "a.npy").unlink()
        assert files.elements(tensor).tolist() == [3, 1, 2]


def test_a_file_that_shrinks_is_an_error(folder):
    (folder / "a.npy").write_bytes(NPY)
    with open_tensor("a.npy") as tensor:
        os.truncate("a.npy", len(NPY) - 1)
        with pytest.raises(FileError) as caught:
            files.elements(tensor)
    assert str(caught.value) == "a.npy became shorter while it was read\n  hint: is another program writing it?"


def model():
    node = helper.make_node("Min", ["a"], ["b"])
    value = helper.make_tensor_value_info("a", TensorProto.FLOAT, [1])
    return helper.make_model(helper.make_graph([node], "g", [value], [value])).SerializeToString()


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


@pytest.mark.parametrize(
    ("whole", "looks"),
    [
        pytest.param(b"", "an empty file", id="empty"),
        pytest.param(bytes(1000), "zeros", id="zeros"),
        pytest.param(model(), "an ONNX model", id="ONNX-model"),
        pytest.param(pickle.dumps(ARRAY), "a Python pickle", id="pickle"),
        pytest.param(b"<!DOCTYPE html>\n<html>", "an HTML page", id="HTML"),
        pytest.param(LFS, "a git-lfs pointer: the file itself was not fetched (git lfs pull)", id="git-lfs"),
        pytest.param(b"1 2 3\n", "text", id="text"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(9), "a PNG image", id="PNG"),
        pytest.param(gzip.compress(NPY), "gzip data", id="gzip"),
        pytest.param(b"\x93NUMPX" + NPY[6:], "unknown binary data", id="wrong-magic"),
        pytest.param(b"\xde\xad\xbe\xef" * 99, "unknown binary data", id="noise"),
    ],
)
def test_no_array(folder, whole, looks):
    (folder / "a.npy").write_bytes(whole)
    message = (
        f"a.npy is no array\n  it looks like {looks}\n"
        "  hint: inputs are .npy, .npz, .safetensors or TensorProto .pb files"
    )
    assert files.refusal("a.npy") == ("FormatError", message)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("missing.npy", "missing.npy does not exist", id="missing"),
        pytest.param("missing.npz:x", "missing.npz:x does not exist", id="missing-archive"),
        pytest.param("", "'' does not exist", id="empty-path"),
        pytest.param("dangling", "dangling does not exist", id="dangling-link"),
        pytest.param("loop", "loop cannot be read: Too many levels of symbolic links", id="link-to-itself"),
        pytest.param("sub", "sub is a folder\n  hint: name a file in it", id="folder"),
        pytest.param("a.npy/b", "a.npy/b cannot be read: Not a directory", id="under-a-file"),
        pytest.param("x" * 300, f"{'x' * 300} cannot be read: File name too long", id="name-too-long"),
    ],
)
def test_unreadable(folder, path, message):
    (folder / "a.npy").write_bytes(NPY)
    (folder / "sub").mkdir()
    (folder / "dangling").symlink_to("nowhere")
    (folder / "loop").symlink_to("loop")
    assert files.refusal(path) == ("FileError", message)


def test_no_path_holds_a_nul():
    kind, message = files.refusal("a\0.npy")
    assert kind == "FileError"
    assert message.startswith("a\\x00.npy: ")


@pytest.mark.parametrize(("whole", "looks"), [(NPY, "a .npy file"), (PB, "unknown binary data")], ids=["npy", "pb"])
def test_only_archives_have_members(folder, whole, looks):
    (folder / "a").write_bytes(whole)
    message = f"a:x: only .npz and .safetensors files have members\n  it looks like {looks}"
    assert files.refusal("a:x") == ("FormatError", message)


def test_refused_files_are_closed(folder):
    (folder / "bad.npy").write_bytes(NPY[:-1])
    (folder / "bad.npz").write_bytes(files.zip_of({"x.npy": NPY[:-1]}))
    (folder / "bad.safetensors").write_bytes(SAFETENSORS[:-1])
    before = os.listdir("/dev/fd")
    for name in ("bad.npy", "bad.npz", "bad.safetensors"):
        assert files.refusal(name)[0] == "FormatError"
    assert os.listdir("/dev/fd") == before


@pytest.mark.parametrize(
    ("error", "reason"),
    [(OSError(errno.EIO, "Input/output error"), "Input/output error"), (MemoryError(), "there is not enough memory")],
    ids=["disk", "memory"],
)
@pytest.mark.parametrize("call", ["read", "pread", "lseek"])
def test_what_fails_within_is_an_error_of_the_file(folder, monkeypatch, call, error, reason):
    def fail(*_arguments):
        raise error

    (folder / "a.npy").write_bytes(NPY)
    monkeypatch.setattr(os, call, fail)
    assert files.refusal("a.npy") == ("FileError", f"a.npy cannot be read: {reason}")


def test_a_disk_that_fails_later(folder, monkeypatch):
    def fail(*_arguments):
        raise OSError(errno.EIO, "Input/output error")

    (folder / "a.npy").write_bytes(NPY)
    with open_tensor("a.npy") as tensor:
        monkeypatch.setattr(os, "preadv", fail)
        with pytest.raises(FileError) as caught:
            files.elements(tensor)
    assert str(caught.value) == "a.npy: Input/output error while reading"


@contextmanager
def pipe(folder, data):
    """Make a named pipe that a thread writes `data` to."""
    os.mkfifo(folder / "pipe")

    def write():
        with suppress(BrokenPipeError):  # the reader may have seen enough
            (folder / "pipe").write_bytes(data)

    writer = threading.Thread(target=write)
    writer.start()
    yield "pipe"
    writer.join(timeout=10)
    assert not writer.is_alive()


def test_named_pipe(folder):
    with pipe(folder, NPY) as path:
        assert files.content(path) == HELD


def test_named_pipe_larger_than_its_buffer(folder):
    array = np.arange(3 << 20, dtype="u4")
    with pipe(folder, files.array_npy(array, BY_NAME["uint32"])) as path, open_tensor(path) as tensor:
        assert files.elements(tensor).tobytes() == array.tobytes()


def test_a_pipe_leaves_no_file_behind(folder, monkeypatch):
    (folder / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder / "temporary"))
    with pipe(folder, NPY) as path, open_tensor(path):
        assert list((folder / "temporary").iterdir()) == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"", "pipe is empty", id="nothing"),
        pytest.param(NPY[:5], "pipe is a truncated .npy file", id="within-the-magic"),
        pytest.param(NPY[:30], "pipe is truncated: it ends within the .npy header", id="within-the-header"),
        pytest.param(NPY[:-2], "pipe is truncated: 2 of 3 bytes of elements are missing", id="within-the-data"),
        pytest.param(
            NPY + b"!", "pipe: more data follows the array\n  mincli reads one array from a stream", id="too-long"
        ),
        pytest.param(b"1 2 3\n" * 9, "pipe is no .npy file\n  it looks like text", id="text"),
        pytest.param(b"1 2", "pipe is no .npy file\n  it looks like text", id="three-bytes-of-text"),
        pytest.param(NPZ, "pipe is no .npy file\n  it looks like a zip archive", id="npz"),
        pytest.param(PB, "pipe is no .npy file\n  it looks like unknown binary data", id="TensorProto"),
        pytest.param(("x" * 511 + "é").encode(), "pipe is no .npy file\n  it looks like text", id="character-cut"),
    ],
)
def test_pipe_refused(folder, data, message):
    with pipe(folder, data) as path:
        assert files.refusal(path) == ("FormatError", message)


def test_a_pipe_that_finds_no_room(folder, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    pwrite = os.pwrite

    def full_after_a_byte(file, data, offset):
        if offset:
            raise OSError(errno.ENOSPC, "No space left on device")
        return pwrite(file, data[:1], offset)

    monkeypatch.setattr(os, "pwrite", full_after_a_byte)
    with pipe(folder, NPY) as path:
        assert files.refusal(path) == (
            "FileError",
            f"pipe: no room for it in {folder}: No space left on device\n  hint: set TMPDIR to a folder with more room",
        )


def test_a_pipe_that_finds_no_folder(folder, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(folder / "missing"))
    with pipe(folder, NPY) as path:
        assert files.refusal(path) == ("FileError", "pipe: no temporary file for it: No such file or directory")


def test_a_pipe_has_no_members(folder):
    with pipe(folder, NPY) as path:
        kind, message = files.refusal(f"{path}:x")
    assert kind == "FormatError"
    assert message.startswith("pipe:x: only .npz and .safetensors files have members")


def test_a_device_is_read_as_a_pipe():
    assert files.refusal("/dev/null") == ("FormatError", "/dev/null is empty")
    assert files.refusal("/dev/zero") == ("FormatError", "/dev/zero is no .npy file\n  it looks like zeros")


@pytest.mark.parametrize("whole", FORMATS)
def test_standard_input_from_a_file(folder, monkeypatch, whole):
    (folder / "a").write_bytes(whole)
    with open(folder / "a", "rb") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert files.content("-") == HELD


@pytest.mark.parametrize("whole", FORMATS)
@pytest.mark.parametrize("before", [b"read already", NPY, NPZ, PB, SAFETENSORS], ids=range(5))
def test_standard_input_from_where_it_stands(folder, monkeypatch, whole, before):
    (folder / "a").write_bytes(before + whole)
    with open(folder / "a", "rb", buffering=0) as stream:
        assert stream.read(len(before)) == before
        monkeypatch.setattr(sys, "stdin", stream)
        assert files.content("-") == HELD


def test_standard_input_from_a_pipe(folder, monkeypatch):
    with pipe(folder, NPY) as path, open(path, "rb", buffering=0) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        with open_tensor("-") as tensor:
            assert (tensor.name, files.elements(tensor).tolist()) == ("standard input", [3, 1, 2])


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert files.refusal("-") == ("FileError", "standard input is closed")


def test_dash_is_standard_input_even_if_a_file_has_that_name(folder, monkeypatch):
    (folder / "-").write_bytes(NPY)
    monkeypatch.setattr(sys, "stdin", None)
    assert files.refusal("-") == ("FileError", "standard input is closed")
    assert files.content("./-") == HELD
