"""The pages in docs/ that are made are what `docs/make.py` writes; they and CONTRIBUTING.md have all that there is."""

import re
import runpy
from pathlib import Path

import pytest

from mincli.findings.table import RULES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = runpy.run_path(str(DOCS / "make.py"))["pages"]()


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name):
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name], "run python docs/make.py"


def test_every_finding_has_a_row_and_a_section():
    rows = re.findall(r"^\| \[(MC\d+)\]\(#(mc\d+)\) \| (\w+) \|", PAGES["findings.md"], re.MULTILINE)
    assert rows == [(rule.code, rule.code.lower(), rule.severity) for rule in RULES.values()]
    assert re.findall(r"^### (MC\d+)$", PAGES["findings.md"], re.MULTILINE) == list(RULES)


def test_contributing_names_every_part_of_the_package():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = [f"{path.parent.name}/" for path in (ROOT / "mincli").glob("*/__init__.py")]
    files = [path.name for path in (ROOT / "mincli").glob("*.py") if not path.name.startswith("__")]
    assert folders
    assert [name for name in folders + files if f"`mincli/{name}" not in text] == []


def test_readme_names_every_page():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in DOCS.glob("*.md") if f"(docs/{path.name})" not in text] == []
