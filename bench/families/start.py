"""What a command costs that has nearly nothing to do, against the imports that it cannot do without."""

import sys
from collections.abc import Iterator
from functools import partial

from bench.case import minimum
from bench.on_files import MODEL, OUTPUT, make, names_of
from bench.peers.mincli import MINCLI
from bench.process import run
from bench.record import Record
from bench.rounds import QUICK, Effort, alternate

EFFORT = Effort(15, 15, 0)

TINY = minimum("float32", 2, 64)
A, B = names_of(TINY)

COMMANDS = {
    "mincli --version": ["--version"],
    "mincli --help": ["--help"],
    "mincli min A B -o OUT": ["min", A, B, "-o", OUTPUT],
    "mincli reduce-min A -o OUT": ["reduce-min", A, "-o", OUTPUT],
    "mincli run-model MODEL A B": ["run-model", MODEL, A, B],
    "mincli check-schema MODEL": ["check-schema", MODEL],
}

PROGRAMS = ("pass", "import click", "import numpy", "import numpy, click")
BARE = {program: [sys.executable, "-c", program] for program in PROGRAMS}


def measure(quick: bool) -> Iterator[Record]:
    """Measure each command beside the bare imports."""
    make(TINY)
    for name, arguments in COMMANDS.items():
        commands = {"mincli": [*MINCLI, *arguments]} | BARE
        contestants = {program: partial(run, command) for program, command in commands.items()}
        yield Record("start", "start", name, 0, 0, alternate(contestants, QUICK if quick else EFFORT))
