"""The table of replaced operators."""

from mincli.models.operators import REPLACEMENTS, replacement
from mincli.models.operators.softmax import Softmax


def test_rows_of_an_operator_do_not_overlap():
    rows = [(row.domain, row.name, opset) for row in REPLACEMENTS for opset in range(row.since, (row.until or 99) + 1)]
    assert len(rows) == len(set(rows))


def test_a_row_holds_for_its_opsets():
    assert [replacement("", "Softmax", opset) for opset in (1, 12, 13)] == [Softmax, Softmax, None]
