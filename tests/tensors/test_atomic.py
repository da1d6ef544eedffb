"""Files that appear when they are complete: the old file or the whole new one, and nothing left over."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from mincli.errors import FileError, OutputError
from mincli.tensors.atomic import replacing


@pytest.fixture(autouse=True)
def _old(folder):
    (folder / "old").write_bytes(b"old")


@pytest.fixture
def umask():
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


def write(path, data=b"new", **options):
    with replacing(path, len(data), **options) as file:
        os.pwrite(file, data, 0)


def fail(path, error):
    with replacing(path, 3) as file:
        os.pwrite(file, b"new", 0)
        raise error


def refusal(path, **options):
    with pytest.raises(OutputError) as caught:
        write(path, **options)
    return str(caught.value)


def left(folder):
    """Return the names of files that were not there before."""
    return sorted({path.name for path in folder.iterdir()} - {"old"})


@pytest.mark.parametrize("path", ["out", "old", "./out", "a:b", "größe", "out.npy"])
def test_appears_under_exactly_its_path(folder, path):
    write(path)
    assert (folder / path).read_bytes() == b"new"


def test_the_old_file_stays_until_the_end(folder):
    with replacing("old", 3) as file:
        os.pwrite(file, b"new", 0)
        assert (folder / "old").read_bytes() == b"old"
    assert (folder / "old").read_bytes() == b"new"


def test_a_reader_keeps_the_old_file(folder):
    with open(folder / "old", "rb") as reader:
        write("old")
        assert reader.read() == b"old"


@pytest.mark.parametrize("path", ["old", "out"])
@pytest.mark.parametrize("error", [ValueError(), KeyboardInterrupt(), SystemExit(), FileError("f"), BrokenPipeError()])
def test_an_error_in_the_block_changes_nothing(folder, path, error):
    with pytest.raises(type(error)) as caught:
        fail(path, error)
    assert caught.value is error
    assert (folder / "old").read_bytes() == b"old"
    assert left(folder) == []


def test_an_operating_system_error_in_the_block_is_an_output_error(folder):
    with pytest.raises(OutputError) as caught:
        fail("old", OSError(errno.EIO, "Input/output error"))
    assert str(caught.value) == "old cannot be written: Input/output error"
    assert (folder / "old").read_bytes() == b"old"
    assert left(folder) == []


WRITER = """
import os, sys, time
from mincli.tensors.atomic import replacing
with replacing("old", 6) as file:
    os.pwrite(file, b"new", 0)
    print("written", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["SIGKILL", "SIGINT"])
def test_a_signal_in_mid_write_leaves_the_old_file(folder, number):
    command = [sys.executable, "-c", WRITER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout.readline() == b"written\n"
        process.send_signal(number)
        assert process.wait(timeout=10) == -number
    assert (folder / "old").read_bytes() == b"old"
    if number == signal.SIGINT:
        assert left(folder) == []


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0, 0o666)], ids=["022", "077", "0"])
def test_a_new_file_follows_the_umask(folder, umask, mask, mode):
    umask(mask)
    write("out")
    assert stat.S_IMODE((folder / "out").stat().st_mode) == mode


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755, 0o666], ids=oct)
def test_an_existing_file_keeps_its_mode(folder, umask, mode):
    umask(0o027)
    (folder / "old").chmod(mode)
    write("old")
    assert (folder / "old").read_bytes() == b"new"
    assert stat.S_IMODE((folder / "old").stat().st_mode) == mode


def test_a_symbolic_link_is_followed(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "link").symlink_to("../old")
    write("sub/link")
    assert os.readlink("sub/link") == "../old"
    assert (folder / "old").read_bytes() == b"new"
    assert os.listdir("sub") == ["link"]


def test_a_dangling_link_gets_its_target(folder):
    (folder / "link").symlink_to("out")
    write("link")
    assert (folder / "link").is_symlink()
    assert (folder / "out").read_bytes() == b"new"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("sub", "sub is a folder\n  hint: name the file to write", id="folder"),
        pytest.param("sub/", "sub/ is a folder\n  hint: name the file to write", id="folder-with-slash"),
        pytest.param(
            "no/out",
            "no/out cannot be written: there is no folder {0}/no\n  hint: make it first: mkdir -p {0}/no",
            id="no-folder",
        ),
        pytest.param(
            "no/../out",
            "no/../out cannot be written: there is no folder no/..\n  hint: make it first: mkdir -p no/..",
            id="out-of-no-folder",
        ),
        pytest.param("old/../out", "old/../out cannot be written: Not a directory", id="out-of-a-file"),
        pytest.param("a\0b", "a\\x00b cannot be written: embedded null byte", id="NUL"),
        pytest.param("old/out", "old/out cannot be written: Not a directory", id="under-a-file"),
        pytest.param("x" * 300, f"{'x' * 300} cannot be written: File name too long", id="name-too-long"),
        pytest.param("loop", "loop cannot be written: Too many levels of symbolic links", id="link-to-itself"),
        pytest.param(
            "\x1b/\n",
            "\\x1b/\\n cannot be written: there is no folder {0}/\\x1b\n  hint: make it first: mkdir -p {0}/\\x1b",
            id="control-characters-are-escaped",
        ),
    ],
)
def test_refused(folder, path, message):
    (folder / "sub").mkdir()
    (folder / "loop").symlink_to("loop")
    assert refusal(path) == message.format(folder)
    assert left(folder) == ["loop", "sub"]


def test_no_clobber_refuses_what_exists(folder):
    assert refusal("old", clobber=False) == "old exists\n  hint: without --no-clobber it is replaced"
    assert (folder / "old").read_bytes() == b"old"


def test_no_clobber_writes_what_does_not_exist(folder):
    write("out", clobber=False)
    assert (folder / "out").read_bytes() == b"new"
    assert left(folder) == ["out"]


def test_no_clobber_refuses_what_has_appeared_meanwhile(folder):
    with pytest.raises(OutputError) as caught, replacing("out", 3, clobber=False):
        (folder / "out").write_bytes(b"other")
    assert str(caught.value) == "out cannot be written: File exists"
    assert (folder / "out").read_bytes() == b"other"
    assert left(folder) == ["out"]


def test_a_write_protected_file_is_refused(folder, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anything
    assert refusal("old") == "old is write-protected"


def test_a_write_protected_folder_is_refused(folder, monkeypatch):
    (folder / "sub").mkdir()
    (folder / "sub" / "old").write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda path, mode: os.path.isfile(path))  # root may write anywhere
    for path in ("sub/out", "sub/old"):
        assert refusal(path) == f"{path} cannot be written: the folder {folder}/sub is write-protected"


def test_a_path_out_of_a_folder_that_exists(folder):
    (folder / "sub").mkdir()
    write("sub/../out")
    assert (folder / "out").read_bytes() == b"new"


def test_a_deleted_current_folder(folder, monkeypatch):
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder / "sub")
    (folder / "sub").rmdir()
    assert refusal("out") == (
        "out cannot be written: the current folder was deleted\n  hint: cd to a folder that exists"
    )
    write(f"{folder}/out")
    assert (folder / "out").read_bytes() == b"new"


def test_an_output_that_vanishes_while_it_is_looked_at(folder, monkeypatch):
    def vanishing(path, mode):
        (folder / "old").unlink(missing_ok=True)
        return True

    monkeypatch.setattr(os, "access", vanishing)
    assert refusal("old") == "old cannot be written: No such file or directory"


@pytest.mark.parametrize("name", ["old", "a b", "back\\slash", "größe"])
def test_a_mount_point_is_refused_before_the_work(folder, monkeypatch, name):
    (folder / name).write_bytes(b"old")
    place = str(folder / name).replace("\\", "\\134").replace(" ", "\\040")
    (folder / "table").write_text(
        f"1 2 8:1 / / rw - ext4 /dev/a rw\n36 35 98:0 /x {place} rw,noatime - ext4 /dev/b rw\n"
    )
    monkeypatch.setattr("mincli.tensors.destination.MOUNTS", str(folder / "table"))
    assert refusal(name) == MOUNT_POINT.format(name)
    write("other")
    (folder / "link").symlink_to(name)
    assert refusal("link") == MOUNT_POINT.format("link")


MOUNT_POINT = (
    "{} is a mount point, which cannot be replaced\n"
    "  hint: write another file, and copy it there, or mount the folder instead"
)


def test_a_mount_point_that_no_table_names(folder, monkeypatch):
    monkeypatch.setattr("mincli.tensors.destination.MOUNTS", "missing")
    monkeypatch.setattr(os, "replace", raising(errno.EBUSY))
    assert refusal("old") == MOUNT_POINT.format("old")
    assert (folder / "old").read_bytes() == b"old"
    assert left(folder) == []


def raising(number):
    """Return a function that fails with an error number, as a file system would."""

    def fail(*_arguments, **_options):
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize(
    ("user", "refused"),
    [(0, False), (1001, True), (1002, False), (1003, False)],
    ids=["root", "other", "file", "folder"],
)
def test_a_file_of_another_user_in_a_sticky_folder(folder, monkeypatch, user, refused):
    class Status:
        def __init__(self, mode, owner):
            self.st_mode, self.st_uid = mode, owner

    status = os.stat
    known = {str(folder / "old"): Status(0o100666, 1002), str(folder): Status(0o41777, 1003)}
    monkeypatch.setattr(os, "stat", lambda path, **options: known.get(path) or status(path, **options))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    if refused:
        assert refusal("old") == (
            "old belongs to another user, and only its owner may replace it in a sticky folder\n"
            "  hint: write another file"
        )
        assert (folder / "old").read_bytes() == b"old"
    else:
        write("old")
    write("out")


def test_an_append_only_folder_keeps_the_temporary_file(folder, monkeypatch):
    """There a rename and a removal fail alike: chattr +a."""
    monkeypatch.setattr(os, "replace", raising(errno.EPERM))
    monkeypatch.setattr(os, "unlink", raising(errno.EPERM))
    message = refusal("old")
    (name,) = left(folder)
    assert message == (
        f"the temporary file {folder}/{name} cannot be removed: Operation not permitted\n"
        "  hint: remove it by hand; is its folder append-only (lsattr -d)?"
    )
    assert (folder / "old").read_bytes() == b"old"


@pytest.mark.parametrize("path", ["old", "out"])
def test_nobody_may_read_the_new_file_who_may_not_read_the_old_one(folder, umask, monkeypatch, path):
    umask(0)
    (folder / "old").chmod(0o600)
    modes = []
    monkeypatch.setattr(os, "fchmod", lambda file, mode: modes.append((stat.S_IMODE(os.fstat(file).st_mode), mode)))
    write(path)
    assert modes == ([(0o600, 0o600)] if path == "old" else [])


def test_setuid_is_not_kept(folder):
    (folder / "old").chmod(0o6755)
    write("old")
    assert stat.S_IMODE((folder / "old").stat().st_mode) == 0o755


@pytest.mark.parametrize("number", [errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL], ids=errno.errorcode.get)
def test_a_file_system_that_cannot_reserve_room(folder, monkeypatch, number):
    monkeypatch.setattr(os, "posix_fallocate", raising(number), raising=False)
    with replacing("out", 5000) as file:
        assert os.fstat(file).st_size == 5000
    assert (folder / "out").read_bytes() == bytes(5000)


@pytest.mark.parametrize("number", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS], ids=errno.errorcode.get)
def test_no_clobber_without_hard_links(folder, monkeypatch, number):
    monkeypatch.setattr(os, "link", raising(number))
    write("out", clobber=False)
    assert (folder / "out").read_bytes() == b"new"
    with pytest.raises(OutputError) as caught, replacing("late", 3, clobber=False):
        (folder / "late").write_bytes(b"other")
    assert str(caught.value) == "late cannot be written: File exists"
    assert (folder / "late").read_bytes() == b"other"
    assert left(folder) == ["late", "out"]


def test_no_clobber_without_hard_links_or_rename(folder, monkeypatch):
    monkeypatch.setattr(os, "link", raising(errno.EPERM))
    monkeypatch.setattr(os, "replace", raising(errno.EIO))
    assert refusal("out", clobber=False) == "out cannot be written: Input/output error"
    assert left(folder) == []


def test_no_clobber_with_no_room_for_a_link(folder, monkeypatch):
    monkeypatch.setattr(os, "link", raising(errno.ENOSPC))
    assert refusal("out", clobber=False) == "out cannot be written: No space left on device"
    assert left(folder) == []


@pytest.mark.parametrize("reserve", ["posix_fallocate", "ftruncate"])
def test_room_is_reserved_before_the_work(folder, monkeypatch, reserve):
    if reserve == "ftruncate":
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    with replacing("out", 5000) as file:
        assert os.fstat(file).st_size == 5000
    assert (folder / "out").read_bytes() == bytes(5000)


def test_a_full_disk_is_noticed_before_the_work(folder, monkeypatch):
    def full(file, offset, size):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    assert refusal("old") == "old cannot be written: No space left on device"
    assert (folder / "old").read_bytes() == b"old"
    assert left(folder) == []


def test_named_pipe_gets_the_file(folder):
    os.mkfifo("pipe")
    received = []
    reader = threading.Thread(target=lambda: received.append((folder / "pipe").read_bytes()))
    reader.start()
    write("pipe", b"new" * 100_000)
    reader.join(timeout=10)
    assert received == [b"new" * 100_000]
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)


def test_nothing_goes_into_a_pipe_after_an_error(folder):
    os.mkfifo("pipe")
    with pytest.raises(ValueError, match="in the block"):
        fail("pipe", ValueError("in the block"))  # had the pipe been opened, this would wait for a reader


def test_devices():
    write("/dev/null")
    write("/dev/null", clobber=False)
    assert refusal("/dev/full") == "/dev/full cannot be written: No space left on device"
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_standard_output(folder, capfdbinary):
    write("-", b"\x93new\n")
    assert capfdbinary.readouterr().out == b"\x93new\n"
    assert left(folder) == []


def test_full_standard_output(monkeypatch):
    with suppress(OSError), open("/dev/full", "w") as stream:  # what is refused stays in its buffer until the end
        monkeypatch.setattr(sys, "stdout", stream)
        assert refusal("-") == "standard output cannot be written: No space left on device"


FULL_TEMPORARY = (
    "the temporary file for {} cannot be written: No space left on device\n"
    "  hint: set TMPDIR to a folder that has room for it"
)


@pytest.mark.parametrize(("path", "name"), [("-", "standard output"), ("/dev/null", "/dev/null")])
def test_a_full_folder_of_temporary_files(monkeypatch, path, name):
    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", raising(errno.ENOSPC), raising=False)
        assert refusal(path) == FULL_TEMPORARY.format(name)
    monkeypatch.setattr(os, "pwrite", raising(errno.ENOSPC))
    assert refusal(path) == FULL_TEMPORARY.format(name)


def test_no_folder_of_temporary_files(monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("tempfile._candidate_tempdir_list", lambda: ["/missing"])
    assert refusal("-") == (
        "the temporary file for standard output cannot be written: "
        "No usable temporary directory found in ['/missing']\n"
        "  hint: set TMPDIR to a folder that has room for it"
    )


def test_closed_standard_output(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert refusal("-") == "standard output is closed"


def test_nothing_goes_to_standard_output_after_an_error(capfdbinary):
    with pytest.raises(ValueError, match="in the block"):
        fail("-", ValueError("in the block"))
    assert capfdbinary.readouterr().out == b""
