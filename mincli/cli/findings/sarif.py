"""Findings as a SARIF 2.1.0 log (OASIS), for code scanning."""

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mincli import __version__
from mincli.cli.render import line
from mincli.errors import printable
from mincli.findings import Finding, Place, Rule
from mincli.findings.table import RULES

if TYPE_CHECKING:
    from mincli.lint.files import Checked

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
INDEX = {code: number for number, code in enumerate(RULES)}


def text(results: Sequence["Checked"]) -> str:
    """Return the log, in ASCII.

    Args:
        results: of each file.
    """
    driver = {"name": "mincli", "version": __version__, "rules": [_rule(rule) for rule in RULES.values()]}
    found = [_result(checked.path, finding) for checked in results for finding in checked.findings]
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": found}]}
    return json.dumps(log, indent=2)


def _rule(rule: Rule) -> dict[str, Any]:
    examples = [(label, example) for label, example in (("Wrong", rule.wrong), ("Right", rule.right)) if example]
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.meaning},
        "help": {
            "text": "\n\n".join([rule.meaning, *(f"{label}:\n{example.strip()}" for label, example in examples)]),
            "markdown": "\n\n".join(
                [rule.meaning, *(f"{label}:\n```\n{example.strip()}\n```" for label, example in examples)]
            ),
        },
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(path: str, finding: Finding) -> dict[str, Any]:
    return {
        "ruleId": finding.rule.code,
        "ruleIndex": INDEX[finding.rule.code],
        "level": finding.rule.severity,
        "message": {"text": _message(line(f"{finding.place}: {finding.message}"))},
        "locations": [
            {
                # Code scanning takes no result without a line, and a model has none: the first stands for the file.
                "physicalLocation": {"artifactLocation": {"uri": uri(path)}, "region": {"startLine": 1}},
                "logicalLocations": [_logical(finding.place)],
            }
        ],
    }


def _logical(place: Place) -> dict[str, Any]:
    name = place.name or place.operator or place.value
    return {
        "fullyQualifiedName": str(place) + (f" > value {printable(place.value)}" if _value_of_node(place) else ""),
        **({"name": name} if name else {}),
    }


def _value_of_node(place: Place) -> bool:
    return place.node is not None and bool(place.value)


def _message(text: str) -> str:
    """Escape what is a placeholder or a link in a message (SARIF 2.1.0, 3.11.5 and 3.11.6)."""
    return text.replace("{", "{{").replace("}", "}}").replace("](", "] (")


def uri(path: str) -> str:
    """Return a path as a URI reference: relative to where mincli runs unless it is absolute (RFC 3986).

    >>> uri("my models/a:b.onnx")
    'my%20models/a%3Ab.onnx'
    >>> uri("/tmp/x.onnx")
    'file:///tmp/x.onnx'
    """
    return ("file://" if os.path.isabs(path) else "") + quote(os.fsencode(path))
