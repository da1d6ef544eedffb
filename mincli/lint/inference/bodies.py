"""The functions of a model, and their bodies as the calls make them: for types, constants and attributes."""

from collections.abc import Sequence

import onnx

from mincli.graphs.functions import Key, bind_attributes, by_key, key_of
from mincli.graphs.nodes import graphs_of
from mincli.lint import axes, shapes
from mincli.lint.constants import Constants, Unsound, give
from mincli.lint.cycles import depths_of
from mincli.lint.inference.fragile import would_crash
from mincli.lint.scopes import Node, Scope

MOST_NODES = 10_000
"""Of a function with those that it calls: onnx goes through a body anew for each call."""
MOST_DEPTH = 50
"""Of functions that call each other: onnx goes no deeper than 100."""


class Bodies:
    """The functions of a model.

    Args:
        roots: their bodies.
        unsound: nodes that are not to be looked at.
    """

    def __init__(self, roots: Sequence[Scope], unsound: Unsound) -> None:
        self._roots = {key: root for root in roots for key in by_key([root.proto])}
        self._usable: dict[Key, onnx.FunctionProto] = {}
        self._telling: set[Key] = set()
        nodes = {
            key: [(inner, node) for inner in root.all() for node in inner.nodes] for key, root in self._roots.items()
        }
        calls = {
            key: [key_of(node.proto) for _, node in own if node.function is not None] for key, own in nodes.items()
        }
        faulty = {path for path, _ in unsound}
        sizes: dict[Key, int] = {}
        depths = depths_of(calls)
        for key in depths:
            sizes[key] = len(nodes[key]) + sum(sizes[callee] for callee in calls[key])
            sound = faulty.isdisjoint(scope.path for scope in self._roots[key].all())
            sound = sound and not any(would_crash(node, inner) for inner, node in nodes[key])
            if sound and sizes[key] <= MOST_NODES and depths[key] <= MOST_DEPTH:
                self._usable[key] = self._roots[key].proto
            ours = any(shapes.is_ours(own) or axes.is_missed(own) for own in (node.signature for _, node in nodes[key]))
            ours = ours or bool(self._roots[key].proto.value_info)
            if key not in self._usable or ours or not self._telling.isdisjoint(calls[key]):
                self._telling.add(key)
        self._sizes = sizes
        self._calls = calls

    def usable(self, scope: Scope) -> dict[Key, onnx.FunctionProto]:
        """Return the functions that a graph calls, at last, and that onnx's inference may be given.

        Those are without unsound nodes, and of a reasonable size.
        """
        if not self._usable:
            return {}
        called = {key_of(node.proto) for inner in scope.all() for node in inner.nodes if node.function is not None}
        waiting = [key for key in called if key in self._usable]
        reached = set(waiting)
        while waiting:
            new = {key for key in self._calls[waiting.pop()] if key in self._usable} - reached
            reached |= new
            waiting += new
        return {key: self._usable[key] for key in sorted(reached)}

    def is_recursive(self, node: Node) -> bool:
        """Whether a node calls a function that calls itself, at last."""
        return key_of(node.proto) not in self._sizes

    def is_telling(self, node: Node) -> bool:
        """Whether the body that a node calls has to be looked at even where onnx has nothing against it."""
        return key_of(node.proto) in self._telling or self.is_recursive(node)

    def body(self, node: Node, kinds: Sequence[onnx.TypeProto | None], constants: Constants) -> Scope:
        """Return the body of the function that a node calls, as a graph for the types of its inputs.

        Args:
            node: the node.
            kinds: the types of its inputs.
            constants: of its graph.
        """
        assert node.function is not None
        function = node.function
        values = {attribute.name: attribute for attribute in (*function.attribute_proto, *node.attributes)}
        bound = bind_attributes(function, values) if values or function.attribute else function
        graph = onnx.GraphProto(name=function.name, node=bound.node)
        given = dict(zip(function.input, zip(node.inputs, kinds, strict=True), strict=False))
        for name, (actual, kind) in given.items():
            give(graph, name, kind, constants.get(actual) if actual else None)
        _declare(graph, function)
        _leave_out(graph, {name for name in function.input if name not in given or not given[name][0]})
        root = self._roots[key_of(node.proto)]
        return Scope(graph, root.opsets, root.functions, root.path)

    def uncalled(self, called: set[Key]) -> list[Scope]:
        """Return the bodies of functions that nothing calls, as graphs whose inputs are of no known type.

        Args:
            called: the functions that are called.
        """
        bodies = []
        for key, root in self._roots.items():
            function = root.proto
            if key not in called and key in self._sizes and not function.attribute:
                graph = onnx.GraphProto(name=function.name, node=function.node)
                _declare(graph, function)
                bodies.append(Scope(graph, root.opsets, root.functions, root.path))
        return bodies


def _declare(graph: onnx.GraphProto, function: onnx.FunctionProto) -> None:
    """Give the body of a function its outputs, and what the function says of the types of its values."""
    declared = {value.name: value for value in function.value_info}
    outputs = {*function.output}
    given = {value.name for value in graph.input}
    graph.output.extend(declared.get(name, onnx.ValueInfoProto(name=name)) for name in function.output)
    graph.value_info.extend(value for name, value in declared.items() if name not in outputs | given)


def _leave_out(graph: onnx.GraphProto, names: set[str]) -> None:
    """Leave out the inputs of nodes that nothing was given for, in the graphs in them too."""
    if not names:
        return
    for node in graph.node:
        for number, name in enumerate(node.input):
            if name in names:
                node.input[number] = ""
        for inner in graphs_of(node):
            _leave_out(inner, names)
