"""The table of replaced operators."""

from mincli.models.operators import REPLACEMENTS, broadcasting, replacement, variadic
from mincli.models.operators.softmax import Softmax


def test_rows_of_an_operator_do_not_overlap():
    rows = [(row.name, opset) for row in REPLACEMENTS for opset in range(row.since, (row.until or 99) + 1)]
    assert len(rows) == len(set(rows))


def test_a_row_holds_for_its_opsets():
    assert [replacement("", "Softmax", opset) for opset in (1, 12, 13)] == [Softmax, Softmax, None]
    assert replacement("ai.onnx.ml", "Softmax", 1) is None


def test_rows_are_in_order():
    shared = (*broadcasting.NAMES, *variadic.NAMES)
    rows = [(row.name, row.since) for row in REPLACEMENTS if row.name not in shared or row.since > 1]
    assert rows == sorted(rows)
