"""The entry point: prepares the process, and is the only place that exits."""

from __future__ import annotations

import os
import sys

from mincli.cli import interrupts

TYPE_CHECKING = False  # importing it takes longer than all that comes before signals are handled
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Args:
        arguments: without the program's name; None takes those of the process.
    """
    interrupts.listen()  # before anything that takes time
    given = sys.argv[1:] if arguments is None else arguments
    if "run-model" not in given:
        # NumPy's OpenBLAS would start a thread for each CPU, a quarter of a small run; only models multiply matrices.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from mincli.cli.group import run
    from mincli.cli.stdout import reopen

    reopen()
    code = run(given)
    interrupts.ignore()  # all is done and written: a signal is too late to change the outcome
    sys.exit(code)
