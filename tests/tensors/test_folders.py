"""Folders that are filled when all is there, and otherwise stay as they were."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mincli.errors import OutputError
from mincli.tensors import atomic
from mincli.tensors.folders import filling


def fill(path, error=None):
    with filling(path) as made:
        os.makedirs(f"{made}/data/deep")
        for name in ("data/deep/0.pb", "data/1.pb", "model"):
            Path(made, name).write_text(name)
        if error is not None:
            raise error


def everything():
    return sorted(str(path) for path in Path().rglob("*"))


def unfinished():
    return [path for path in atomic.unfinished if path.startswith(f"{os.getcwd()}/")]


FILLED = ["new", "new/data", "new/data/1.pb", "new/data/deep", "new/data/deep/0.pb", "new/model"]


@pytest.mark.parametrize("path", ["new", "new/", "./new"])
def test_a_folder_that_is_missing(path):
    fill(path)
    assert everything() == FILLED
    assert Path("new/data/deep/0.pb").read_text() == "data/deep/0.pb"
    assert unfinished() == []


def test_a_folder_that_is_there_stays_the_same():
    os.mkdir("new")
    os.chmod("new", 0o700)
    before = os.stat("new").st_ino
    fill("new")
    assert (everything(), os.stat("new").st_ino, os.stat("new").st_mode & 0o777) == (FILLED, before, 0o700)


def test_the_current_folder(monkeypatch):
    os.mkdir("new")
    monkeypatch.chdir("new")
    fill(".")
    assert everything() == [name.removeprefix("new/") for name in FILLED[1:]]


def test_a_symbolic_link_is_followed():
    os.mkdir("new")
    os.symlink("new", "link")
    fill("link")
    assert everything() == sorted([*FILLED, "link"])
    assert os.path.islink("link")


@pytest.mark.parametrize(
    ("error", "raised", "message"),
    [
        (KeyboardInterrupt(), KeyboardInterrupt, ""),
        (OutputError("no"), OutputError, "no"),
        (OSError(errno.ENOSPC, "No space left on device"), OutputError,
         "the folder new cannot be written: No space left on device"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("there", [False, True])
def test_nothing_is_left_after_an_error(there, error, raised, message):
    if there:
        os.mkdir("new")
    with pytest.raises(raised) as caught:
        fill("new", error)
    assert str(caught.value) == message
    assert everything() == ["new"] * there
    assert unfinished() == []


def test_a_folder_that_has_been_filled_meanwhile():
    with pytest.raises(OutputError) as caught, filling("new") as made:  # noqa: PT012 - it is raised at the end
        Path(made, "model").write_text("ours")
        os.mkdir("new")
        Path("new/model").write_text("theirs")
    assert str(caught.value) == "the folder new cannot be written: Directory not empty"
    assert (everything(), Path("new/model").read_text()) == (["new", "new/model"], "theirs")


FILLER = """
import sys, time
from mincli.cli import interrupts
from mincli.tensors.folders import filling
interrupts.listen()
with filling("new") as made:
    open(f"{made}/model", "w").close()
    print("made", flush=True)
    time.sleep(60)
"""


def test_an_interrupt_leaves_nothing():
    with subprocess.Popen([sys.executable, "-c", FILLER], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"made\n"
        assert len(everything()) == 2
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=10) == (b"", b"interrupted\n")
    assert (process.returncode, everything()) == (130, [])
