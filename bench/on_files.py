"""Whole processes from file to file, in this folder."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from bench import ROOT
from bench.case import Case
from bench.peers import PEERS, missing
from bench.peers.peer import CannotDoError
from bench.process import ENVIRONMENT, run
from bench.record import Record
from bench.rounds import Effort, Sample, alternate, reason

MODEL, OUTPUT, REFERENCE = "model.onnx", "out.npy", "reference.npy"


def race(family: str, group: str, case: Case, peers: Sequence[str], effort: Effort) -> Record:
    """Measure mincli and its peers on the files of a case."""
    make(case)
    contestants: dict[str, Callable[[], Sample]] = {}
    left_out = missing(peers)
    for name in ("mincli", *peers):
        if name not in left_out:
            try:
                contestants[name] = partial(_run, PEERS[name].command(case, names_of(case), OUTPUT))
            except CannotDoError as error:
                left_out[name] = reason(error)
    compared = [name for name in contestants if PEERS[name].computes]
    outcome = alternate(contestants, effort, partial(_check, compared))
    outcome.left_out.update(left_out)
    _remove(OUTPUT)
    _remove(REFERENCE)
    return Record(family, group, case.name, case.read, case.written, outcome)


def names_of(case: Case) -> list[str]:
    """Return the names of the operands' files, which say all about them."""
    return [
        f"{case.element}{case.values}-{case.layout(operand)}-{'x'.join(map(str, shape))}-{operand}.npy"
        for operand, shape in enumerate(case.shapes)
    ]


def make(case: Case) -> None:
    """Write the operands that are not here yet, and the case as a model; remove those of other cases."""
    for path in Path().glob("*.npy"):
        if path.name not in names_of(case):
            path.unlink()
    _child("bench.make", repr(tuple(case)), os.getcwd())


def _run(command: list[str]) -> Sample:
    _remove(OUTPUT)  # all write to fresh pages
    return run(command)


def _check(compared: Sequence[str], name: str) -> str:
    """Keep the first output, and say how a later one differs from it."""
    if name not in compared or len(compared) == 1:
        return ""
    if not os.path.exists(REFERENCE):
        os.rename(OUTPUT, REFERENCE)
        return ""
    return _child("bench.compare", os.path.abspath(OUTPUT), os.path.abspath(REFERENCE))


def _child(module: str, *arguments: str) -> str:
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def _remove(path: str) -> None:
    Path(path).unlink(missing_ok=True)
