"""One process, measured from outside."""

import os
import signal
import sys
import time

from bench.rounds import Sample

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""An installed program finds its byte code compiled; so shall those that are measured."""

_STDERR = "stderr"
_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes that `ru_maxrss` counts in."""


class ProcessError(Exception):
    """A process that did not end with 0; the text is the last line that it wrote to stderr."""


def run(command: list[str]) -> Sample:
    """Run a command in this folder, and wait for it.

    The peak is at least that of this process, which a child starts with.

    Raises:
        ProcessError: it failed.
    """
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, _STDERR, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    started = time.perf_counter()
    process = os.posix_spawnp(command[0], command, ENVIRONMENT, file_actions=files)
    try:
        _, status, usage = os.wait4(process, 0)
    except BaseException:  # an interrupt
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        raise
    seconds = time.perf_counter() - started
    if status:
        with open(_STDERR, encoding="utf-8", errors="replace") as file:
            lines = file.read().strip().splitlines() or [f"exit code {os.waitstatus_to_exitcode(status)}"]
        raise ProcessError(lines[-1])
    return Sample(seconds, usage.ru_maxrss * _UNIT)
