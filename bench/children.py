"""Measurements in a child process, which imports what this one must not."""

import subprocess
import sys
from collections.abc import Iterator
from json import loads

from bench import ROOT
from bench.process import ENVIRONMENT
from bench.record import Record, from_json


def records(module: str, argument: object) -> Iterator[Record]:
    """Run a module, which prints records; yield them one after the other.

    Args:
        module: its full name.
        argument: what it is given, as a Python literal.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    command = [sys.executable, "-m", module, repr(argument)]
    with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        try:
            for line in process.stdout or ():
                yield from_json(loads(line))
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command[:3])
