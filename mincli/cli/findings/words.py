"""The words that several forms share: how many findings there are of each severity."""

from collections import Counter
from collections.abc import Iterable

from mincli.findings import Finding, Severity


def counts(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Return how many findings there are of each severity, the worst first."""
    count = Counter(finding.rule.severity for finding in findings)
    return {severity: count[severity] for severity in Severity}
