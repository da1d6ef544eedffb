"""Writes the pages that are made from tables, operators.md and findings.md: `python docs/make.py`."""

import inspect
from pathlib import Path

from mincli.findings import Rule
from mincli.findings.table import FAMILIES
from mincli.models.operators import REPLACEMENTS

OPERATORS = """# Operators that mincli computes itself

The reference engine is onnx's ReferenceEvaluator, except for these: there, onnx's evaluator has the rules of another
version, or none, or gives other values than the text of the version and onnxruntime. The files say the rule and where
it is from.

| operator | opsets | what it is | where |
|---|---|---|---|
"""

FINDINGS = """# What `mincli check-schema` finds

Each finding has a code that never changes its meaning. An error breaks a rule of ONNX; a warning may give another
result elsewhere; a note is only told. `mincli check-schema --explain CODE` says the same.
"""

TABLE = """
| code | severity | what it is |
|---|---|---|"""


def pages() -> dict[str, str]:
    """Return the text of each page by its file name."""
    return {"operators.md": operators(), "findings.md": findings()}


def operators() -> str:
    """Return the page of the operators that are replaced."""
    lines = []
    for row in sorted(REPLACEMENTS, key=lambda row: (row.name, row.since)):
        until = row.until or "newest"
        opsets = f"{row.since}" if row.until == row.since else f"{row.since} to {until}"
        said = " ".join((inspect.getdoc(row.operator) or "").split("\n\n")[0].split())
        file = row.operator.__module__.rpartition(".")[2] + ".py"
        lines.append(f"| {row.name} | {opsets} | {cell(said)} | [{file}](../mincli/models/operators/{file}) |\n")
    return OPERATORS + "".join(lines)


def findings() -> str:
    """Return the page of the findings: for each family a table, then each rule with its examples."""
    parts = [FINDINGS]
    for number, family in enumerate(FAMILIES, 1):
        rules = [rule for rule in vars(family).values() if isinstance(rule, Rule)]
        if rules:
            rows = [f"| [{rule.code}](#{rule.code.lower()}) | {rule.severity} | {cell(rule.title)} |" for rule in rules]
            title = f"## MC{number}xx: {(family.__doc__ or '').rstrip('.')}"
            parts += ["\n".join([title, TABLE, *rows, ""]), *map(section, rules)]
    return "\n".join(parts)


def section(rule: Rule) -> str:
    """Return what is to be said of a rule."""
    parts = [f"### {rule.code}", f"{rule.severity.capitalize()}: {rule.title}. {rule.meaning}"]
    for label, example in (("Wrong:", rule.wrong), ("Right:", rule.right)):
        if example:
            parts += [label, f"```\n{example.strip()}\n```"]
    return "\n\n".join(parts) + "\n"


def cell(text: str) -> str:
    """Escape text for a cell of a table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    for name, text in pages().items():
        Path(__file__).with_name(name).write_text(text, encoding="utf-8")
