"""How rows are laid out in columns."""

import pytest

from mincli.cli.render import columns

ROWS = [("", "a.npy", "2 x 3", "C"), ("->", "out", "4", "")]


@pytest.mark.parametrize(
    ("right", "lines"),
    [
        pytest.param(None, ["    a.npy  2 x 3  C", "->  out    4"], id="none"),
        pytest.param(-2, ["    a.npy  2 x 3  C", "->  out        4"], id="last-but-one"),
        pytest.param(1, ["    a.npy  2 x 3  C", "->    out  4"], id="by-place"),
    ],
)
def test_columns(right, lines):
    assert columns(ROWS, right) == lines


def test_no_rows():
    assert columns([]) == []
