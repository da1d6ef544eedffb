"""Places and findings in words."""

import pytest

from mincli.cli.findings.words import counts, details, in_words, message
from mincli.findings import Place, Severity
from tests.cli.findings.results import BARE, FULL, HOSTILE, OF_VALUE, RESULT


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Place(), "model"),
        (Place(value="x"), "value x"),
        (Place("function own:f > "), "function own:f"),
        (Place("function own:f > ", value="x"), "function own:f > value x"),
        (Place("", 0, "Min-8"), "node 0 (Min-8)"),
        (Place("", 0, "Min-8", "n", "x"), "node 0 (Min-8 n)"),
        (Place("node 2 (If) then_branch > ", 1, "Min"), "node 2 (If) then_branch > node 1 (Min)"),
        (Place("", 0, "a\nb", "c\x1b"), r"node 0 (a\nb c\x1b)"),
        (Place("", 0, ""), "node 0 ('')"),
    ],
)
def test_a_place_in_words(place, words):
    assert in_words(place) == words


def test_a_message_has_all_that_there_is():
    assert message(FULL) == "found it; expected: something else; opset: 12; hint: mend it"
    assert message(OF_VALUE) == "found it; hint: look"
    assert message(BARE) == "found it"
    assert list(details(BARE)) == []


def test_counts_name_every_severity_the_worst_first():
    assert list(counts(RESULT.findings).items()) == [
        (Severity.ERROR, 1), (Severity.WARNING, 1), (Severity.NOTE, 1),
    ]  # fmt: skip
    assert counts([]) == dict.fromkeys(Severity, 0)


def test_hostile_names_do_harm():  # or the tests that use them would be of no use
    assert not HOSTILE.isprintable()
