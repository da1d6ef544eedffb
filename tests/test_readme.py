"""Every command in README.md does what README.md shows."""

import doctest
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from mincli.errors import ExitCode

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
INSTALL = "pip install . && mincli min samples/a.npy samples/b.npy -o out.npy"
TEST = "pip install '.[test]' && pytest"


def sessions() -> list[list[tuple[str, str]]]:
    """Return the shell sessions: each a list of commands with what they print, both streams together."""
    blocks = re.findall(r"^```console\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    return [
        [
            (command, output)
            for command, output in re.findall(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
        ]
        for block in blocks
    ]


def run(command: str, folder: Path) -> str:
    """Run a command of a shell session and return what it prints."""
    script = re.sub(r"^> ", "", command, flags=re.MULTILINE)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize("session", sessions(), ids=lambda session: session[0][0].strip()[:50])
def test_session(session, tmp_path):
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    for command, expected in session:
        printed = run(command, tmp_path)
        # Times differ from run to run, and threads from machine to machine.
        timing = r" in \d+\.\d+ s, \d+ threads?"
        assert re.sub(timing, " TIMED", printed) == re.sub(timing, " TIMED", expected)


def test_python_session(monkeypatch):
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    session = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner().run(session) == (0, 6)


def test_every_command_is_found():
    shown = re.findall(r"^\$ .*", README, re.MULTILINE)
    found = [f"$ {command}".splitlines()[0] for session in sessions() for command, _ in session]
    assert found == shown != []


def test_the_two_set_up_commands_are_there():
    assert README.count(INSTALL) == 1
    assert README.count(TEST) == 1
    assert TEST in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_exit_codes_are_the_documented_table():
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", README, re.MULTILINE)
    assert rows == [(str(code.value), code.meaning) for code in ExitCode]


@pytest.mark.long
def test_install_command(tmp_path):
    shutil.copytree(ROOT, tmp_path / "clone", ignore=shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__"))
    venv.create(tmp_path / "venv", with_pip=True)
    environment = os.environ | {"PATH": f"{tmp_path / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["bash", "-c", INSTALL], cwd=tmp_path / "clone", env=environment, check=True)
    assert (tmp_path / "clone" / "out.npy").is_file()
    assert (tmp_path / "venv" / "share" / "man" / "man1" / "mincli-min.1").is_file()
