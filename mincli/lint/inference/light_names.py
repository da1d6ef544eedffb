"""The names of nodes in a light model, by which what onnx says of a node is traced to its place.

"@3" is node 3, and "@3.1.0" the first node of the second graph in it.
"""

import re
from collections.abc import Collection

import onnx

from mincli.graphs.nodes import graphs_of
from mincli.lint.scopes import Node, Scope

MARK = "@"
_SAID = re.compile(rf"\(op_type:[^()\n]*, node name: ({MARK}[\d.]+)\): ")
_WRAP = re.compile(r"\s*(\[\w+\] )?(Inference error\(s\):)?\s*")


def names_in(graph: onnx.GraphProto) -> list[str]:
    """Return the names of all nodes in a light graph, those in a node after it."""
    names = []
    for node in graph.node:
        names.append(node.name)
        for inner in graphs_of(node):
            names += names_in(inner)
    return names


def remove(graph: onnx.GraphProto, codes: Collection[str]) -> None:
    """Remove nodes from a light graph by name."""
    for position in reversed(range(len(graph.node))):
        node = graph.node[position]
        if node.name in codes:
            del graph.node[position]
        else:
            for inner in graphs_of(node):
                remove(inner, codes)


def codes_of(scope: Scope, code: str = MARK) -> dict[int, str]:
    """Return how the names of a graph's nodes begin in the light model, by the identity of the scope."""
    codes = {id(scope): code}
    for number, graphs in scope.inner.items():
        for which, inner in enumerate(graphs):
            codes |= codes_of(inner, f"{code}{number}.{which}.")
    return codes


def numbers_of(code: str) -> list[int]:
    """Return the numbers in a code, which are in the order of the nodes."""
    return [int(number) for number in code.removeprefix(MARK).split(".") if number]


def inner_graph(graph: onnx.GraphProto, code: str) -> onnx.GraphProto | None:
    """Return the graph in a light model, or in what was inferred of it, whose nodes' names begin with a code."""
    numbers = numbers_of(code)
    name = MARK
    for number, which in zip(numbers[::2], numbers[1::2], strict=True):
        name = f"{name}{number}"
        node = next((node for node in graph.node if node.name == name), None)
        if node is None:
            return None
        graph = list(graphs_of(node))[which]
        name = f"{name}.{which}."
    return graph


def placed(scope: Scope, code: str) -> tuple[Scope, Node]:
    """Return the node that has a name in a light model, and the graph that it is in."""
    first, *rest = numbers_of(code)
    node = scope.nodes[first]
    for which, number in zip(rest[::2], rest[1::2], strict=True):
        scope = scope.inner[node.number][which]
        node = scope.nodes[number]
    return scope, node


def leaves(words: str) -> dict[str, str]:
    """Return what onnx says of each node, by the node's name; of a node with graphs, only what is of itself."""
    _, *parts = _SAID.split(words)
    said = zip(parts[::2], parts[1::2], strict=True)
    return {code: text.strip() for code, text in said if not _WRAP.fullmatch(text)}
