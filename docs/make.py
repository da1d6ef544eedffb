"""Writes docs/operators.md from the table of replaced operators: `python docs/make.py`."""

import inspect
from pathlib import Path

from mincli.models.operators import REPLACEMENTS

HEAD = """# Operators that mincli computes itself

The reference engine is onnx's ReferenceEvaluator, except for these: there, onnx's evaluator has the rules of another
version, or none, or gives other values than the text of the version and onnxruntime. The files say the rule and where
it is from.

| operator | opsets | what it is | where |
|---|---|---|---|
"""


def text() -> str:
    """Return the page."""
    lines = []
    for row in sorted(REPLACEMENTS, key=lambda row: (row.name, row.since)):
        until = row.until or "newest"
        opsets = f"{row.since}" if row.until == row.since else f"{row.since} to {until}"
        said = " ".join((inspect.getdoc(row.operator) or "").split("\n\n")[0].split())
        said = said.replace("|", "\\|")
        file = row.operator.__module__.rpartition(".")[2] + ".py"
        lines.append(f"| {row.name} | {opsets} | {said} | [{file}](../mincli/models/operators/{file}) |\n")
    return HEAD + "".join(lines)


if __name__ == "__main__":
    Path(__file__).with_name("operators.md").write_text(text(), encoding="utf-8")
