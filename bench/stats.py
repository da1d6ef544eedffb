"""Medians and their spread."""

from collections.abc import Sequence
from statistics import geometric_mean, median, quantiles
from typing import NamedTuple

from bench.record import Record


class Spread(NamedTuple):
    """The median of some numbers and their quartiles."""

    median: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """Return the median and the quartiles of one or more numbers.

    >>> spread([1.0, 2.0, 3.0, 4.0, 10.0])
    Spread(median=3.0, low=2.0, high=4.0)
    """
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return Spread(middle, low, high)


def seconds(record: Record, name: str) -> float:
    """Return the median time of a contestant."""
    return median(sample.seconds for sample in record.outcome.samples[name])


def peak(record: Record, name: str) -> int:
    """Return the most memory that a contestant took in any round."""
    return max(sample.peak for sample in record.outcome.samples[name])


def share(record: Record, peer: str) -> Spread:
    """Return mincli's time as a share of a peer's, round by round: below 1 mincli is faster."""
    return spread([own / other for own, other in _rounds(record, peer)])


def speed(record: Record, peer: str) -> Spread:
    """Return how many times as fast as a peer mincli is, round by round: above 1 mincli is faster."""
    return spread([other / own for own, other in _rounds(record, peer)])


def mean_speed(records: Sequence[Record], peer: str) -> float:
    """Return the geometric mean of `speed` over records, each of which has the peer."""
    return geometric_mean(speed(record, peer).median for record in records)


def _rounds(record: Record, peer: str) -> list[tuple[float, float]]:
    samples = record.outcome.samples
    return [(own.seconds, other.seconds) for own, other in zip(samples["mincli"], samples[peer], strict=True)]
