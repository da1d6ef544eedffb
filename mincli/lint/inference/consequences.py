"""What onnx's inference says of a node only because something in it, or before it, is wrong."""

from collections.abc import Collection, Iterable, Iterator

from mincli.findings import Finding
from mincli.findings import shapes as shape_rules
from mincli.findings import types as type_rules
from mincli.graphs.functions import Key, by_key, key_of
from mincli.lint.scopes import Node, Scope

_IN_ONNXS_WORDS = (type_rules.REFUSED, shape_rules.REFUSED)
_UNKNOWN_INPUT = "expected to have type but instead is null"
"""What onnx says of a node whose input has no type: what makes it is wrong, or left out."""


def without_consequences(findings: list[Finding], roots: Iterable[Scope], faulty: Collection[str]) -> list[Finding]:
    """Return findings without those of nodes that onnx refuses for what is wrong in a graph or function of theirs.

    Args:
        findings: of types and shapes.
        roots: the main graph and the functions of the model.
        faulty: the paths of graphs and functions with other errors.
    """
    suspects = [finding for finding in findings if finding.rule in _IN_ONNXS_WORDS]
    if not suspects:
        return findings
    scopes = {scope.path: scope for root in roots for scope in root.all()}
    bodies = {key: scopes[root.path] for root in roots if root.graph is None for key in by_key([root.proto])}
    wrong = {*faulty, *(finding.place.path for finding in findings)}
    dropped = set()
    for finding in suspects:
        place = finding.place
        inside = set() if place.node is None else _within(scopes[place.path], place.node, bodies)
        if _UNKNOWN_INPUT in finding.found or not wrong.isdisjoint(inside):
            dropped.add(finding)
    return [finding for finding in findings if finding not in dropped]


def _within(scope: Scope, number: int, bodies: dict[Key, Scope]) -> set[str]:
    """Return the paths of all graphs in a node, and of the functions that are called for it, at last."""
    paths: set[str] = set()
    waiting = list(_below(scope, scope.nodes[number], bodies))
    while waiting:
        inner = waiting.pop()
        if inner.path not in paths:
            paths.add(inner.path)
            waiting += (below for node in inner.nodes for below in _below(inner, node, bodies))
    return paths


def _below(scope: Scope, node: Node, bodies: dict[Key, Scope]) -> Iterator[Scope]:
    yield from scope.inner.get(node.number, ())
    if node.function is not None:
        yield bodies[key_of(node.proto)]
