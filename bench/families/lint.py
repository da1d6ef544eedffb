"""What it costs to find all faults of a model, by the number of its nodes."""

from collections.abc import Iterator

from bench.checks import BLOCKS, DISTINCT, race_all
from bench.record import Record
from bench.rounds import QUICK, Effort

EFFORT = Effort(5, 15, 3)

COUNTS = (1000, 3000, 10_000, 30_000)
"""Nodes."""


def measure(quick: bool) -> Iterator[Record]:
    """Measure models of all sizes, or of the smaller ones."""
    counts = COUNTS[:2] if quick else COUNTS
    models = [(kind, count) for kind in (BLOCKS, DISTINCT) for count in counts]
    return race_all("lint", models, QUICK if quick else EFFORT)
