"""The pages in docs/ that are made from tables are what `docs/make.py` writes, and say all that there is."""

import re
import runpy
from pathlib import Path

import pytest

from mincli.findings.table import RULES

DOCS = Path(__file__).parents[1] / "docs"
PAGES = runpy.run_path(str(DOCS / "make.py"))["pages"]()


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name):
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name], "run python docs/make.py"


def test_every_finding_has_a_row_and_a_section():
    rows = re.findall(r"^\| \[(MC\d+)\]\(#(mc\d+)\) \| (\w+) \|", PAGES["findings.md"], re.MULTILINE)
    assert rows == [(rule.code, rule.code.lower(), rule.severity) for rule in RULES.values()]
    assert re.findall(r"^### (MC\d+)$", PAGES["findings.md"], re.MULTILINE) == list(RULES)
