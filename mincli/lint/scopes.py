"""The graphs and functions of a model as the rules see them: each with its nodes, and the graph around it."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import onnx

from mincli.errors import printable
from mincli.findings import Place
from mincli.graphs.functions import Key, by_key, key_of, key_of_function
from mincli.graphs.kinds import of_tensor
from mincli.graphs.nodes import PLAIN, graphs_in, node_label, own_domain
from mincli.graphs.signatures import Signature, is_judged, signature
from mincli.lint.cycles import cycles_of


class Node(NamedTuple):
    """A node, and what it means.

    Attributes:
        number: its place in its graph.
        proto: the node.
        domain: of its operator; "" is ONNX's own.
        opset: that its graph imports of the domain; None if it imports none.
        judged: whether there are rules for it: not if the graph imports no opset at all, or one that is not known.
        signature: of the operator version; None if there is none, or it calls a function, or it is not judged.
        function: that it calls, or None.
        inputs, outputs: the names of its values; "" is one that is left out.
        attributes: of the node.
    """

    number: int
    proto: onnx.NodeProto
    domain: str
    opset: int | None
    judged: bool
    signature: Signature | None
    function: onnx.FunctionProto | None
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[onnx.AttributeProto, ...]


GIVEN = -1
"""In place of the number of a node that makes a value: it is there before any node."""


class Scope:
    """A graph, or the body of a function.

    Args:
        proto: the graph or function.
        opsets: that its nodes are of, by domain.
        functions: of the model, by key.
        path: where it is, in words, from the outside in; "" is the main graph.
        outer: the graph around a subgraph, or None.
        within: the node there that has the subgraph, or None.
        ir_version: of the model; 0 if it says none.
    """

    def __init__(
        self,
        proto: onnx.GraphProto | onnx.FunctionProto,
        opsets: dict[str, int],
        functions: dict[Key, onnx.FunctionProto],
        path: str = "",
        outer: "Scope | None" = None,
        within: Node | None = None,
        ir_version: int = 0,
    ) -> None:
        self.proto = proto
        self.opsets = opsets
        self.functions = functions
        self.path = path
        self.outer = outer
        self.within = within
        self.ir_version = ir_version
        self.nodes = self._nodes()

    @property
    def graph(self) -> onnx.GraphProto | None:
        """The graph; None if it is the body of a function."""
        return self.proto if isinstance(self.proto, onnx.GraphProto) else None

    def _nodes(self) -> list[Node]:
        known: dict[tuple[str, str], tuple[str, int | None, bool, Signature | None]] = {}
        nodes = []
        for number, node in enumerate(self.proto.node[:]):  # a slice is a list, made faster
            key = node.domain, node.op_type
            if key not in known:
                known[key] = self._meaning(*key)
            domain, opset, judged, own = known[key]
            function = self.functions.get(key_of(node)) if self.functions else None
            if function is not None:
                own = None
            fields = tuple(node.input[:]), tuple(node.output[:]), tuple(node.attribute[:])
            nodes.append(Node(number, node, domain, opset, judged, own, function, *fields))
        return nodes

    def _meaning(self, domain: str, operator: str) -> tuple[str, int | None, bool, Signature | None]:
        domain = own_domain(domain)
        opset = self.opsets.get(domain)
        judged = bool(self.opsets) and (opset is None or is_judged(domain, opset))
        return domain, opset, judged, signature(domain, operator, opset) if judged and opset is not None else None

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
    def made(self) -> tuple[dict[str, int], list[tuple[Node, str]]]:
        """The number of the node that makes each value first, and all outputs that were made before.

        GIVEN stands for what is there before any node: inputs, initializers, and "", which is left out.
        """
        makers = dict.fromkeys(("", *self.inputs, *self.initializers), GIVEN)
        again = []
        for node in self.nodes:
            for name in node.outputs:
                if name not in makers:
                    makers[name] = node.number
                elif name:
                    again.append((node, name))
        return makers, again

    @property
    def makers(self) -> dict[str, int]:
        """The number of the node that makes each value first (see `made`)."""
        return self.made[0]

    @cached_property
    def holders(self) -> list[tuple[Node, onnx.AttributeProto]]:
        """The attributes of its nodes that may hold tensors or graphs."""
        return [
            (node, attribute) for node in self.nodes for attribute in node.attributes if attribute.type not in PLAIN
        ]

    @cached_property
    def subgraphs(self) -> list[tuple[Node, str, "Scope"]]:
        """The graphs in its nodes: the node, the name of the attribute, the graph."""
        found = []
        for node, attribute in self.holders:
            for graph in graphs_in(attribute):
                path = f"{self.path}{node_label(node.number, node.proto)} {printable(attribute.name)} > "
                scope = Scope(graph, self.opsets, self.functions, path, self, node, self.ir_version)
                found.append((node, attribute.name, scope))
        return found

    @cached_property
    def inner(self) -> dict[int, list["Scope"]]:
        """The graphs in its nodes, by the number of the node."""
        inner: dict[int, list[Scope]] = {}
        for node, _, scope in self.subgraphs:
            inner.setdefault(node.number, []).append(scope)
        return inner

    @cached_property
    def declared(self) -> dict[str, onnx.TypeProto]:
        """The types that a graph declares of its values, its inputs aside; of a function none."""
        graph = self.graph
        values = () if graph is None else (*graph.value_info, *graph.output)
        return {value.name: value.type for value in values}

    @cached_property
    def typed(self) -> dict[str, onnx.TypeProto]:
        """The types that a graph declares of its values, of inputs and initializers too; of a function none."""
        graph = self.graph or onnx.GraphProto()
        tensors = {tensor.name: of_tensor(tensor) for tensor in graph.initializer}
        return tensors | {value.name: value.type for value in graph.input} | self.declared

    @cached_property
    def captured(self) -> set[str]:
        """The names of values that it needs of the graphs around it."""
        names = {name for node in self.nodes for name in node.inputs}
        names.update(self.outputs, *(scope.captured for _, _, scope in self.subgraphs))
        return names - self.makers.keys()

    @cached_property
    def cycles(self) -> list[list[int]]:
        """The numbers of nodes that need each other's values, cycle by cycle."""
        needs: list[set[int]] = [set() for _ in self.nodes]
        captured = ((node, scope.captured) for node, _, scope in self.subgraphs)
        for node, names in (*((node, node.inputs) for node in self.nodes), *captured):
            needs[node.number].update(self.makers.get(name, GIVEN) for name in names)
        return cycles_of([numbers - {GIVEN} for numbers in needs])

    @cached_property
    def cycle_of(self) -> dict[int, int]:
        """For each node in a cycle, by number: which one."""
        return {node: number for number, cycle in enumerate(self.cycles) for node in cycle}

    def all(self) -> Iterator["Scope"]:
        """Yield this scope and all in it, from the outside in."""
        yield self
        for _, _, scope in self.subgraphs:
            yield from scope.all()

    def around(self, node: Node) -> Iterator[tuple["Scope", Node]]:
        """Yield this scope with a node of it, then each scope around it with the node that it is in."""
        yield self, node
        if self.outer is not None and self.within is not None:
            yield from self.outer.around(self.within)

    def place(self, node: Node | None = None, value: str = "") -> Place:
        """Return a place in this scope: a node of it, a value, or the scope itself."""
        if node is None:
            return Place(self.path, value=value)
        operator = node.signature.label if node.signature else node.proto.op_type
        return Place(self.path, node.number, operator, node.proto.name, value)


def scopes_of(model: onnx.ModelProto) -> list[Scope]:
    """Return the main graph and the functions of a model, in order; subgraphs are in them."""
    functions = by_key(model.functions)
    opsets = opsets_of(model.opset_import) or ({"": 1} if model.ir_version < 3 else {})
    roots = [Scope(model.graph, opsets, functions, ir_version=model.ir_version)]
    for function in model.functions:
        name = ":".join(part for part in key_of_function(function) if part)
        path = f"function {printable(name)} > "
        own = opsets_of(function.opset_import)
        roots.append(Scope(function, own, functions, path, ir_version=model.ir_version))
    return roots


def opsets_of(imports: Iterable[onnx.OperatorSetIdProto]) -> dict[str, int]:
    """Return the opset of each domain that is imported; of several for one domain the highest binds (onnx.proto)."""
    opsets: dict[str, int] = {}
    for entry in imports:
        domain = own_domain(entry.domain)
        opsets[domain] = max(opsets.get(domain, entry.version), entry.version)
    return opsets
