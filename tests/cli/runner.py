"""Run the command line from a test: in this process, as a process of its own, or on a terminal."""

import io
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import IO, NamedTuple

from mincli.cli import main

MODULE = ("-m", "mincli")
WAIT = 60
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


def run(*arguments: str) -> Outcome:
    """Run in this process."""
    stdout, stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = main.run(arguments)
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
