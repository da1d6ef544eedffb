"""The graphs in nodes that operators call: how many inputs and outputs each has."""

from collections.abc import Callable, Iterator

from mincli.errors import counted
from mincli.findings import Finding
from mincli.findings.functions import SUBGRAPH
from mincli.lint.scopes import Node, Scope

Counts = tuple[int, int]
"""Of the inputs and the outputs of a graph."""


def _branch(node: Node) -> Counts:
    return 0, len(node.outputs)


def _loop(node: Node) -> Counts:
    """Number and condition, then what is carried on; the condition, then the outputs (Loop)."""
    return max(len(node.inputs), 2), 1 + len(node.outputs)


def _each(node: Node) -> Counts:
    return len(node.inputs), len(node.outputs)


def _scan_8(node: Node) -> Counts:
    """Without the lengths of the sequences, the first input (Scan-8)."""
    return len(node.inputs) - 1, len(node.outputs)


_COUNTS: dict[str, Callable[[Node], Counts]] = {"If": _branch, "Loop": _loop, "Scan": _each, "SequenceMap": _each}


def check(scope: Scope) -> Iterator[Finding]:
    """Yield the graphs in the nodes of a graph or function that have other inputs or outputs than their operator."""
    for node, attribute, inner in scope.subgraphs:
        own = node.signature
        if own is None or own.domain or own.name not in _COUNTS or attribute not in own.attributes:
            continue
        inputs, outputs = (_scan_8 if own.label == "Scan-8" else _COUNTS[own.name])(node)
        free = len({*inner.inputs} & {*inner.initializers})  # in old models those are inputs too
        if not len(inner.inputs) - free <= inputs <= len(inner.inputs):
            yield SUBGRAPH.at(
                inner.place(), f"it has {counted(len(inner.inputs), 'input')}", f"{own.label} gives it {inputs} here"
            )
        if len(inner.outputs) != outputs:
            yield SUBGRAPH.at(
                inner.place(), f"it has {counted(len(inner.outputs), 'output')}", f"{own.label} takes {outputs} here"
            )
