"""Codes of findings on the command line: how their text is parsed, and which findings they choose."""

import difflib
from collections.abc import Collection
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from mincli.findings import Finding
from mincli.findings.table import RULES

if TYPE_CHECKING:
    from mincli.lint.files import Checked


def parse_codes(_context: click.Context, _option: click.Parameter, text: str | None) -> list[str] | None:
    """Parse a list of codes of findings.

    Args:
        text: codes, or how codes begin: `MC3,MC201`; None if absent.

    Returns:
        All the codes that are meant, in their order; None if absent.

    Raises:
        click.BadParameter: no code begins so.
    """
    if text is None:
        return None
    meant: set[str] = set()
    for word in text.upper().split(","):
        codes = [code for code in RULES if word.strip() and code.startswith(word.strip())]
        if not codes:
            nearest = difflib.get_close_matches(word, RULES, 1)
            instead = f"did you mean {nearest[0]}?" if nearest else "write it like MC201 or MC2"
            raise click.BadParameter(f"{word!r} is no code of a finding; {instead}")
        meant.update(codes)
    return [code for code in RULES if code in meant]


def complete_codes(_context: click.Context, _option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the codes that the last of a list may become, for the shell."""
    before, comma, last = incomplete.rpartition(",")
    rules = [rule for rule in RULES.values() if rule.code.startswith(last.upper())]
    return [CompletionItem(f"{before}{comma}{rule.code}", help=rule.title) for rule in rules]


def choose(checked: "Checked", select: Collection[str] | None, ignore: Collection[str] | None) -> "Checked":
    """Return what there is to say of a file with the findings that are chosen.

    That a file cannot be read is always told: nothing else is known of it.

    Args:
        checked: what there is.
        select: the codes to keep; None keeps all.
        ignore: the codes to leave out, also of those.
    """

    def chosen(finding: Finding) -> bool:
        code = finding.rule.code
        return not checked.readable or (code not in (ignore or ()) and (select is None or code in select))

    return checked._replace(findings=list(filter(chosen, checked.findings)))
