"""What `--target-opset` promises: a node of which it says nothing bad has no error with the target in its place."""

from itertools import chain

import onnx
import pytest

from mincli.findings import Severity
from mincli.graphs.signatures import newest_opset
from mincli.lint import findings_in, migration
from mincli.lint.migration.reimported import reimported
from tests.models import node_tests

BAD = (Severity.ERROR, Severity.WARNING)
BOUNDARIES = (1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 18, 20, 22, 24, 26)


def where(findings, severities):
    """Return the places of findings of some severities: graph, and number of the node."""
    return {(own.place.path, own.place.node) for own in findings if own.rule.severity in severities}


def broken_promises(model, target):
    """Return the errors at another opset, in words, of nodes that nothing bad was said of."""
    faulty = where(findings_in(model), [Severity.ERROR])
    told = where(migration.check(model, target, faulty).findings, BAD)
    return [
        f"{own.rule.code} {own.place.words}: {own.found}"
        for own in findings_in(reimported(model, target))
        if own.rule.severity is Severity.ERROR and not told | faulty >= where([own], BAD) and not own.place.path
    ]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("turn", range(4))
def test_onnxs_own_models_of_one_node(turn):
    newest = newest_opset("")
    broken = {}
    for number, case in enumerate(chain(node_tests.installed_cases(), node_tests.released_cases())):
        model = case.model() if number % 4 == turn else onnx.ModelProto()
        if len(model.graph.node) != 1:
            continue
        own = next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), newest)
        others = [opset for opset in (*BOUNDARIES, newest) if opset != own]
        for target in {others[number % len(others)], others[(number * 7 + 3) % len(others)], max(own - 1, 1)}:
            if found := broken_promises(model, target):
                broken[f"{case.name} {own} -> {target}"] = found
    assert broken == {}


def one(text, opset):
    return onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : {opset}]> {text}')


OWN = [
    ("g (float[5] x) => (float[N] a, float[M] b) { a, b = Split (x) }", 13),
    ("g (float[4, 6] x) => (float[N, M] a, float[N, M] b) { a, b = Split <axis = -1> (x) }", 11),
    ("g (float[5] x) => (float[N] a, float[M] b) { a, b = Split <num_outputs = 2> (x) }", 18),
    ("g (float[2, 3] x) => (float[N, M] y) { y = LpPool <kernel_shape = [1]> (x) }", 1),
    ("g (float[2, 3] x, float[3] y) => (float[N, M] z) { z = Max (x, y) }", 8),
    ("g (float[2, 3] x, float[3] y) => (float[N, M] z) { z = Add (x, y) }", 7),
    ("g (float[2, 3] x, float[3, 4] y, float[4] c) => (float[N, M] z) { z = Gemm (x, y, c) }", 7),
    ("g (float[2, 3] x) => (float[N, M] y) { y = Concat <axis = -1> (x, x) }", 11),
    ("g (float[2, 1] x) => (float[N] y) { y = Squeeze <axes = [-1]> (x) }", 11),
    ("g (float[2, 3] x, int64[4] p) => (float[N, M] y) { y = Pad <mode = \"wrap\"> (x, p) }", 19),
    ("g (int64[2] i, int64[1] d, float[2] v) => (float[N, M] y) { y = OneHot (i, d, v) }", 9),
    ("g (float[2, 3] x) => (float[N, M] y) { y = Softmax (x) }", 13),
    ("g (float[1, 1, 4, 4] x) => (float[1, 1, N, M] y) { y = MaxPool <kernel_shape = [2, 2], ceil_mode = 1> (x) }", 12),
]  # fmt: skip


@pytest.mark.parametrize(("text", "opset"), OWN)
def test_towards_all_opsets(text, opset):
    for target in range(1, newest_opset("") + 1):
        assert broken_promises(one(text, opset), target) == []
