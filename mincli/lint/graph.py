"""Names, order, cycles, initializers, inputs and outputs of a graph."""

from collections.abc import Iterator

from mincli.errors import printable
from mincli.findings import Finding
from mincli.findings.graph import UNDEFINED
from mincli.lint.scopes import Scope


def check(scope: Scope) -> Iterator[Finding]:
    """Yield what is wrong with a graph or function, the graphs in its nodes aside."""
    seen = {"", *scope.inputs, *scope.initializers}
    outer = scope.outer
    while outer is not None:
        seen.update(outer.inputs, outer.initializers, *(node.outputs for node in outer.nodes))
        outer = outer.outer
    for node in scope.nodes:
        for name in node.inputs:
            if name not in seen:
                yield UNDEFINED.at(scope.place(node, name), f"nothing makes the input {printable(name)}")
        seen.update(node.outputs)
