"""Findings for people: a line for each, or grouped by file on a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mincli.cli.findings.words import counts
from mincli.cli.render import line, wrapped
from mincli.errors import counted
from mincli.findings import Rule, Severity

if TYPE_CHECKING:
    from mincli.lint.files import Checked

COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def lines(checked: "Checked") -> str:
    """Return a line for each finding: `FILE: SEVERITY CODE: PLACE: what; expected: ...; hint: ...`."""
    path = click.style(line(checked.path), bold=True)
    return "\n".join(
        f"{path}: {_label(finding.rule)}: {line(str(finding.place))}: {line(finding.message)}"
        for finding in checked.findings
    )


def grouped(checked: "Checked") -> str:
    """Return the findings below the name of their file, each with what is to be said of it on lines of its own."""
    return "\n".join([click.style(line(checked.path), bold=True), *_group(checked)]) if checked.findings else ""


def _group(checked: "Checked") -> Iterator[str]:
    for finding in checked.findings:
        yield f"  {_label(finding.rule)}: {line(str(finding.place))}"
        yield f"    {line(finding.found)}"
        yield from (f"    {click.style(f'{what}:', fg='cyan')} {line(said)}" for what, said in finding.details)


def _label(rule: Rule) -> str:
    return f"{click.style(rule.severity, fg=COLORS[rule.severity])} {rule.code}"


def summary(checked: "Checked") -> str:
    """Return a line that says how many findings a file has, and what was checked; one more if it is to migrate."""
    path = line(checked.path)
    if not checked.readable:
        return f"{path}: not checked"
    found = [counted(count, severity) for severity, count in counts(checked.findings).items() if count]
    opsets = [f"{line(domain or 'opset')} {opset}" for domain, opset in checked.opsets.items()]
    lines = [
        f"{path}: {', '.join(found) or 'no faults found'} in {', '.join([counted(checked.nodes, 'node'), *opsets])}"
    ]
    if checked.migration is not None:
        towards = checked.migration
        lines.append(
            f"{path}: at opset {towards.target}, {counted(towards.changed, 'node')} to look at, "
            f"{towards.fine} as before, {towards.not_judged} not judged"
        )
    if checked.failure is not None:
        lines.append(f"{path}: {line(checked.failure.message)}")
    return "\n".join(lines)


def explanation(rule: Rule) -> str:
    """Return what a rule means, with its examples."""
    parts = [f"{click.style(rule.code, bold=True)} ({rule.severity}): {rule.title}", wrapped(rule.meaning)]
    for label, example in (("wrong", rule.wrong), ("right", rule.right)):
        if example:
            parts.append("\n".join([f"{label}:", *(f"  {row}".rstrip() for row in example.strip().splitlines())]))
    return "\n\n".join(parts)
