"""What a peer has to know."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

from bench.case import Case

Array = Any
"""A NumPy array, which this process does not import."""


class CannotDoError(Exception):
    """A peer has no way to do a case; the text says why."""


class Peer:
    """Someone who can compute a minimum.

    Attributes:
        requires: modules that have to be installed.
        computes: False if the output is not the minimum, so that it is not compared.
    """

    requires: tuple[str, ...] = ()
    computes = True

    def command(self, case: Case, inputs: Sequence[str], output: str) -> list[str]:
        """Return a command that computes `case` from .npy files to a .npy file."""
        return [sys.executable, "-c", self.script(case), *inputs, output]

    def script(self, case: Case) -> str:
        """Return a Python program that does so; the files are its arguments."""
        raise CannotDoError("has no form from file to file")

    def call(self, case: Case, operands: Sequence[Array], out: Array, threads: int) -> Callable[[], object]:
        """Return a function that computes `case` in memory.

        Args:
            case: what to compute.
            operands: arrays of NumPy's or ml_dtypes' types, in C order.
            out: where the result has to be.
            threads: how many to use.
        """
        raise CannotDoError("has no form in memory")
