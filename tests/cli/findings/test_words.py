"""Counts of findings, and that the names for the tests of all forms are worth it."""

from mincli.cli.findings.words import counts
from mincli.findings import Severity
from tests.cli.findings.results import HOSTILE, RESULT


def test_counts_name_every_severity_the_worst_first():
    assert list(counts(RESULT.findings).items()) == [
        (Severity.ERROR, 1), (Severity.WARNING, 1), (Severity.NOTE, 1),
    ]  # fmt: skip
    assert counts([]) == dict.fromkeys(Severity, 0)


def test_hostile_names_do_harm():  # or the tests that use them would be of no use
    assert not HOSTILE.isprintable()
