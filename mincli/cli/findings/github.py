"""Findings as workflow commands of GitHub Actions, which shows them as annotations."""

from typing import TYPE_CHECKING

from mincli.cli.render import line
from mincli.findings import Severity

if TYPE_CHECKING:
    from mincli.lint.files import Checked

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def lines(checked: "Checked") -> str:
    """Return a command for each finding (GitHub Docs, "Workflow commands for GitHub Actions")."""
    return "\n".join(
        f"::{COMMANDS[finding.rule.severity]} file={_property(line(checked.path))},"
        f"title={_property(f'{finding.rule.code} {finding.rule.title}')}"
        f"::{_data(line(f'{finding.place}: {finding.message}'))}"
        for finding in checked.findings
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
