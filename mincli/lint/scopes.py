"""The graphs and functions of a model as the rules see them: each with its nodes, and the graph around it."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import onnx

from mincli.errors import printable
from mincli.findings import Place
from mincli.graphs.functions import Key, key_of
from mincli.graphs.nodes import node_label, own_domain
from mincli.graphs.signatures import Signature, signature


class Node(NamedTuple):
    """A node, and what it means.

    Attributes:
        number: its place in its graph.
        proto: the node.
        domain: of its operator; "" is ONNX's own.
        opset: that its graph imports of the domain; None if it imports none.
        signature: of the operator version; None if there is none, or it calls a function.
        function: that it calls, or None.
        inputs, outputs: the names of its values; "" is one that is left out.
    """

    number: int
    proto: onnx.NodeProto
    domain: str
    opset: int | None
    signature: Signature | None
    function: onnx.FunctionProto | None
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Scope:
    """A graph, or the body of a function.

    Args:
        proto: the graph or function.
        opsets: that its nodes are of, by domain.
        functions: of the model, by key.
        path: where it is, in words, from the outside in; "" is the main graph.
        outer: the graph around a subgraph, or None.
    """

    def __init__(
        self,
        proto: onnx.GraphProto | onnx.FunctionProto,
        opsets: dict[str, int],
        functions: dict[Key, onnx.FunctionProto],
        path: str = "",
        outer: "Scope | None" = None,
    ) -> None:
        self.proto = proto
        self.opsets = opsets
        self.functions = functions
        self.path = path
        self.outer = outer
        self.nodes = [self._node(number, node) for number, node in enumerate(proto.node)]

    @property
    def graph(self) -> onnx.GraphProto | None:
        """The graph; None if it is the body of a function."""
        return self.proto if isinstance(self.proto, onnx.GraphProto) else None

    def _node(self, number: int, node: onnx.NodeProto) -> Node:
        domain = own_domain(node.domain)
        opset = self.opsets.get(domain)
        function = self.functions.get(key_of(node)) if self.functions else None
        known = None if function is not None or opset is None else signature(domain, node.op_type, opset)
        return Node(number, node, domain, opset, known, function, tuple(node.input), tuple(node.output))

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The names of its inputs."""
        if isinstance(self.proto, onnx.FunctionProto):
            return tuple(self.proto.input)
        return tuple(value.name for value in self.proto.input)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The names of its outputs."""
        if isinstance(self.proto, onnx.FunctionProto):
            return tuple(self.proto.output)
        return tuple(value.name for value in self.proto.output)

    @cached_property
    def initializers(self) -> tuple[str, ...]:
        """The names of its initializers, dense and sparse."""
        if isinstance(self.proto, onnx.FunctionProto):
            return ()
        dense = (tensor.name for tensor in self.proto.initializer)
        return (*dense, *(sparse.values.name for sparse in self.proto.sparse_initializer))

    @cached_property
    def subgraphs(self) -> list[tuple[Node, str, "Scope"]]:
        """The graphs in its nodes: the node, the name of the attribute, the graph."""
        found = []
        for node in self.nodes:
            for attribute in node.proto.attribute:
                if attribute.HasField("g") or attribute.graphs:
                    for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                        path = f"{self.path}{node_label(node.number, node.proto)} {printable(attribute.name)} > "
                        scope = Scope(graph, self.opsets, self.functions, path, self)
                        found.append((node, attribute.name, scope))
        return found

    def all(self) -> Iterator["Scope"]:
        """Yield this scope and all in it, from the outside in."""
        yield self
        for _, _, scope in self.subgraphs:
            yield from scope.all()

    def place(self, node: Node | None = None, value: str = "") -> Place:
        """Return a place in this scope: a node of it, a value, or the scope itself."""
        if node is None:
            return Place(self.path, value=value)
        operator = node.signature.label if node.signature else node.proto.op_type
        return Place(self.path, node.number, operator, node.proto.name, value)
