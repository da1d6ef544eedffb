"""What `--target-opset` promises: a node of which it says nothing bad has no error with the target in its place."""

from itertools import chain

import pytest

from mincli.findings import Severity
from mincli.graphs.signatures import newest_opset
from mincli.lint import check_model, migration
from mincli.lint.reimported import reimported
from tests.models import node_tests

BAD = (Severity.ERROR, Severity.WARNING)
BOUNDARIES = (1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 18, 20, 22, 24, 26)


def where(findings, severities):
    """Return the places of findings of some severities: graph, and number of the node."""
    return {(own.place.path, own.place.node) for own in findings if own.rule.severity in severities}


def broken_promises(model, target):
    """Return the errors at another opset, in words, of nodes that nothing bad was said of."""
    faulty = where(check_model(model), [Severity.ERROR])
    told = where(migration.check(model, target, faulty).findings, BAD)
    return [
        f"{own.rule.code} {own.place.words}: {own.found}"
        for own in check_model(reimported(model, target))
        if own.rule.severity is Severity.ERROR and (own.place.path, own.place.node) not in {*told, *faulty}
    ]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("turn", range(4))
def test_onnxs_own_models(turn):
    newest = newest_opset("")
    broken = {}
    for number, case in enumerate(chain(node_tests.installed_cases(), node_tests.released_cases())):
        if number % 4 != turn:
            continue
        model = case.model()
        own = next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), newest)
        others = [opset for opset in (*BOUNDARIES, newest) if opset != own]
        for target in {others[number % len(others)], others[(number * 7 + 3) % len(others)], newest, max(own - 1, 1)}:
            if found := broken_promises(model, target):
                broken[f"{case.name} {own} -> {target}"] = found
    assert broken == {}
