"""Cost and memory of more: from 1 MiB to 4 GiB, and from 2 to 1000 inputs."""

from collections.abc import Iterator

from bench.case import GIB, MIB, Case, minimum, nbytes, reduction
from bench.on_files import race
from bench.record import Record
from bench.rounds import QUICK, Effort

EFFORT = Effort(3, 7, 3)

SIZES = [MIB << step for step in range(0, 13, 2)]
"""Bytes of all inputs together: 1 MiB to 4 GiB, each four times the one before."""

LARGEST_FOR_NUMPY = GIB
"""It holds inputs and output in memory."""

COUNTS = (2, 10, 100, 1000)
"""Inputs of 1 MiB each."""

AS_MANY_BYTES = minimum("float32", 2, 500 * MIB)
"""As many bytes as 1000 inputs of 1 MiB, in two."""


def cases(quick: bool) -> Iterator[tuple[str, str, Case]]:
    """Yield the table of the report, the name in it, and the case."""
    for size in SIZES[:3] if quick else SIZES:
        yield "min by size", nbytes(size), minimum("float32", 2, size // 2)
        yield "reduce-min by size", nbytes(size), reduction(((-1, 4096), (0,)), "float32", size)
    for count in COUNTS[:3] if quick else COUNTS:
        yield "min by inputs", f"{count} x 1 MiB", minimum("float32", count, MIB)
    if not quick:
        yield "min by inputs", "2 x 500 MiB", AS_MANY_BYTES


def measure(quick: bool) -> Iterator[Record]:
    """Measure all cases, or the smaller ones."""
    for group, name, case in cases(quick):
        peers = ["cat", *(["numpy"] if case.read <= LARGEST_FOR_NUMPY else [])]
        yield race("growth", group, case, peers, QUICK if quick else EFFORT)._replace(name=name)
