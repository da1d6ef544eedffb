"""Findings as a JSON document; names in it are data, as they are in the model: JSON has escapes of its own."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mincli import __version__
from mincli.cli.findings.words import counts
from mincli.findings import Finding
from mincli.spec.operators import DEFAULT_DOMAIN

if TYPE_CHECKING:
    from mincli.lint.files import Checked

VERSION = 1
"""Of the document: raised when a key goes or changes its meaning, not when one is added."""


def text(results: Sequence["Checked"], *, found: bool) -> str:
    """Return the document, in ASCII.

    Args:
        results: of each file.
        found: whether there is something that fails the check.
    """
    facts = {"mincli": __version__, "version": VERSION, "files": [_file(checked) for checked in results]}
    return json.dumps({**facts, "found": found}, indent=2)


def _file(checked: "Checked") -> dict[str, Any]:
    towards = checked.migration
    return {
        "path": checked.path,
        "readable": checked.readable,
        "opsets": {domain or DEFAULT_DOMAIN: opset for domain, opset in checked.opsets.items()},
        "nodes": checked.nodes,
        "migration": towards
        and {
            "target": towards.target,
            "fine": towards.fine,
            "changed": towards.changed,
            "not_judged": towards.not_judged,
        },
        "failure": checked.failure and str(checked.failure),
        **{f"{severity}s": count for severity, count in counts(checked.findings).items()},
        "findings": [_finding(finding) for finding in checked.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    place = finding.place
    return {
        "code": finding.rule.code,
        "severity": finding.rule.severity,
        "title": finding.rule.title,
        "graph": place.path.removesuffix(" > ") or None,
        "node": place.node,
        "operator": place.operator or None,
        "name": place.name or None,
        "value": place.value or None,
        "found": finding.found,
        "expected": finding.expected or None,
        "opset": finding.opset,
        "hint": finding.hint or None,
    }
