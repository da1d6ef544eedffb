"""docs/operators.md is what `docs/make.py` writes."""

import runpy
from pathlib import Path

from mincli.models.operators import REPLACEMENTS, replacement
from mincli.models.operators.softmax import Softmax

DOCS = Path(__file__).parents[3] / "docs"


def test_the_page_is_up_to_date():
    text = runpy.run_path(str(DOCS / "make.py"))["text"]()
    assert (DOCS / "operators.md").read_text(encoding="utf-8") == text, "run python docs/make.py"


def test_rows_of_an_operator_do_not_overlap():
    rows = [(row.domain, row.name, opset) for row in REPLACEMENTS for opset in range(row.since, (row.until or 99) + 1)]
    assert len(rows) == len(set(rows))


def test_a_row_holds_for_its_opsets():
    assert [replacement("", "Softmax", opset) for opset in (1, 12, 13)] == [Softmax, Softmax, None]
