"""The words that all forms share: a place, what is to be said of a finding, how many there are."""

from collections import Counter
from collections.abc import Iterable, Iterator

from mincli.errors import printable
from mincli.findings import Finding, Place, Severity


def in_words(place: Place) -> str:
    """Return a place in one line.

    >>> in_words(Place("function own:f > ", 3, "Conv-11", "/conv"))
    'function own:f > node 3 (Conv-11 /conv)'
    >>> in_words(Place(value="x"))
    'value x'
    """
    if place.node is not None:
        name = f" {printable(place.name)}" if place.name else ""
        return f"{place.path}node {place.node} ({printable(place.operator)}{name})"
    if place.value:
        return f"{place.path}value {printable(place.value)}"
    return place.path.removesuffix(" > ") or "model"


def details(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield what else there is to say of a finding, with what it is: expected, opset (where the rule changed), hint."""
    if finding.expected:
        yield "expected", finding.expected
    if finding.opset is not None:
        yield "opset", str(finding.opset)
    if finding.hint:
        yield "hint", finding.hint


def message(finding: Finding) -> str:
    """Return all there is to say of a finding, its place aside, in one line."""
    return "; ".join([finding.found, *(f"{what}: {said}" for what, said in details(finding))])


def counts(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Return how many findings there are of each severity, the worst first."""
    count = Counter(finding.rule.severity for finding in findings)
    return {severity: count[severity] for severity in Severity}
