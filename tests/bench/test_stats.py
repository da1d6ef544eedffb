"""Medians and their spread."""

import pytest

from bench import stats
from bench.stats import Spread, spread
from tests.bench.records import record


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([2.0], Spread(2, 2, 2)),
        ([1.0, 3.0], Spread(2, 1.5, 2.5)),
        ([5.0, 1.0, 3.0], Spread(3, 2, 4)),
        ([1.0, 2.0, 3.0, 4.0, 100.0], Spread(3, 2, 4)),
    ],
)
def test_spread(values, expected):
    assert spread(values) == expected


def test_ratios_are_those_of_the_rounds():
    """The machine is ten times as slow in the last round, which the ratios do not show."""
    entry = record("kernels", "g", "n", mincli=[1, 2, 10], numpy=[2, 4, 20])
    assert stats.share(entry, "numpy") == Spread(0.5, 0.5, 0.5)
    assert stats.speed(entry, "numpy") == Spread(2, 2, 2)
    assert stats.seconds(entry, "numpy") == 4


def test_mean_speed_is_geometric():
    records = [record("kernels", "g", "n", mincli=[1], numpy=[time]) for time in (0.5, 8)]
    assert stats.mean_speed(records, "numpy") == pytest.approx(2)


def test_peak_is_the_greatest():
    assert stats.peak(record("files", "g", "n", mincli=[1, 1, 1]), "mincli") == 3 << 20
