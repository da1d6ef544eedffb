"""Places and findings in words."""

import pytest

from mincli.findings import Place
from tests.cli.findings.results import BARE, FULL, OF_VALUE


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
    assert str(place) == words


def test_a_message_has_all_that_there_is():
    assert FULL.message == "found it; expected: something else; rule changed: opset 12; hint: mend it"
    assert OF_VALUE.message == "found it; hint: look"
    assert BARE.message == "found it"
    assert list(BARE.details) == []


def test_a_finding_is_the_line_of_the_command_without_the_file():
    """And its fields can be read as they are."""
    assert str(FULL) == (
        "error MC901: function own:f > node 3 (Conv-11 /conv): found it; expected: something else; "
        "rule changed: opset 12; hint: mend it"
    )
    assert f"{BARE}" == "warning MC902: model: found it"
    assert str(OF_VALUE) == "note MC903: node 0 (If) then_branch > value x: found it; hint: look"
