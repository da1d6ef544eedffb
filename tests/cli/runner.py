"""Run the command line from a test: in this process, as a process of its own, or on a terminal."""

import io
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from math import prod
from typing import IO, NamedTuple

from mincli.cli import group
from tests import files

MODULE = ("-m", "mincli")
WAIT = 30
"""Seconds after which a process that should have ended has not."""


class Outcome(NamedTuple):
    """What a run left behind: its exit code and the bytes and text that it wrote."""

    code: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.stdout.decode()


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def run(*arguments: str, terminal: bool = False) -> Outcome:
    """Run in this process, with stderr a terminal if asked for."""
    stdout = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    stderr = (Terminal if terminal else io.TextIOWrapper)(io.BytesIO(), "utf-8", write_through=True)
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = group.run(arguments)
    return Outcome(int(code), stdout.buffer.getvalue(), stderr.buffer.getvalue().decode())


def spawn(*arguments: str, program: Sequence[str] = MODULE, stdin: bytes | IO[bytes] = b"") -> Outcome:
    """Run a process with pipes, or with `stdin` from an open file."""
    source = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    done = subprocess.run([sys.executable, *program, *arguments], capture_output=True, timeout=WAIT, **source)
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


def shell(command: str) -> Outcome:
    """Run a shell command in which `mincli` is this one; `$?` of its last command is the code."""
    prelude = f'mincli() {{ "{sys.executable}" -m mincli "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", prelude + command], stdin=subprocess.DEVNULL, capture_output=True, timeout=WAIT
    )
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


def on_terminal(*arguments: str, program: Sequence[str] = MODULE) -> Outcome:
    """Run a process whose stderr is a terminal; its line ends come back as plain newlines."""
    terminal, end = pty.openpty()
    with subprocess.Popen([sys.executable, *program, *arguments], stdout=subprocess.PIPE, stderr=end) as process:
        os.close(end)
        shown = _read_terminal(terminal)
        stdout, _ = process.communicate(timeout=WAIT)
    return Outcome(process.returncode, stdout, shown.decode().replace("\r\n", "\n"))


def without_reader(*arguments: str, stream: str = "stdout") -> Outcome:
    """Run a process, one of whose streams is a pipe that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writer}
    done = subprocess.run([sys.executable, *MODULE, *arguments], timeout=WAIT, **streams)
    os.close(writer)
    return Outcome(done.returncode, done.stdout or b"", (done.stderr or b"").decode())


def sparse(path: str, shape: Sequence[int]) -> None:
    """Create a .npy file of float zeros that takes no room on the disk, whatever its size."""
    start = files.npy(files.header("<f4", tuple(shape)))
    with open(path, "wb") as file:
        file.write(start)
        file.truncate(len(start) + 4 * prod(shape))


def _read_terminal(terminal: int) -> bytes:
    """Read until the last process that has the terminal open ends, which Linux reports as an error."""
    shown = bytearray()
    with open(terminal, "rb", buffering=0) as stream:
        try:
            while part := stream.read(1 << 16):
                shown += part
        except OSError:
            pass
    return bytes(shown)
