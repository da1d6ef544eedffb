"""Nodes that make random values, and what follows from them: where that differs between engines, nothing is wrong."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mincli.errors import printable
from mincli.graphs.functions import Key, key_of, key_of_function
from mincli.graphs.nodes import node_label
from mincli.lint.constants import Constants, elements
from mincli.lint.scopes import Node, Scope, scopes_of
from mincli.models.compared import Compared
from mincli.models.load import Model
from mincli.models.nodes import captured
from mincli.models.values import Value

RANDOM = frozenset((
    "Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
))  # fmt: skip
"""Random operators of ONNX's own domain, also with a seed: which numbers it gives is the engine's own choice."""


def random_notes(model: Model, compared: Sequence[Compared], given: Mapping[str, Value]) -> list[str]:
    """Return a line for each random node that values follow from which differ.

    Args:
        model: that has run.
        compared: how its values compare.
        given: the values of the main graph that are known.
    """
    if all(one.same for one in compared):
        return []
    sources = _sources(model, given)
    notes = []
    for one in compared:
        by_node: dict[str, list[str]] = {}
        for name in one.differing:
            if name in sources:
                by_node.setdefault(sources[name], []).append(printable(name))
        notes += [
            f"{node} is random: a difference from {one.against} in {', '.join(names)} is no sign of a fault"
            for node, names in by_node.items()
        ]
    return notes


def _sources(model: Model, given: Mapping[str, Value]) -> dict[str, str]:
    """Return, for each value of the main graph that follows from a random node, the first such node in words."""
    main, *functions = scopes_of(model.proto)
    bodies = {key_of_function(function.proto): function for function in functions}
    random = {node.number for node in _random(main, Constants(main, None), given, bodies)}
    sources: dict[str, str] = {}
    for node in main.nodes:
        before = [sources[name] for name in (*node.inputs, *captured(node.proto)) if name in sources]
        if before or node.number in random:
            source = before[0] if before else node_label(node.number, node.proto)
            sources |= {name: source for name in node.outputs if name}
    return sources


def _random(
    scope: Scope, constants: Constants, given: Mapping[str, Value], bodies: Mapping[Key, Scope]
) -> Iterator[Node]:
    """Yield the nodes of a graph or function that are random, or that hold or call one that is."""
    for node in scope.nodes:
        if node.function is not None:
            body = bodies[key_of(node.proto)]
            inside = [_random(body, Constants(body, None), {}, bodies)]
        else:
            graphs = scope.inner.get(node.number, ())
            inside = [_random(graph, Constants(graph, constants), given, bodies) for graph in graphs]
        if _by_itself(node, constants, given) or any(any(nodes) for nodes in inside):
            yield node


def _by_itself(node: Node, constants: Constants, given: Mapping[str, Value]) -> bool:
    own = node.signature
    if own is None or own.domain:
        return False
    if own.name != "Dropout":
        return own.name in RANDOM
    # From version 12 on it is in training mode if its third input says so; before, the reference engine refuses that.
    ratio, training = (_known(name, constants, given) for name in (*node.inputs, "", "")[1:3])
    return bool(training) and ratio != 0


def _known(name: str, constants: Constants, given: Mapping[str, Value]) -> Any:
    """Return the elements of a value; None if it is not known."""
    return given[name].tolist() if name and name in given else elements(constants.get(name))
