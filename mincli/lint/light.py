"""A graph as onnx's inference gets it: without weights, and of its nodes only those that are sound.

A node that is in the graph is named by its place, so that what onnx says of it can be traced: "@3" is node 3, "@3.1.0"
the first node of the second graph in it.
"""

from collections.abc import Collection

import onnx

from mincli.graphs.functions import Key, key_of
from mincli.graphs.kinds import contradicts, of_tensor
from mincli.graphs.nodes import own_domain
from mincli.graphs.signatures import newest_opset
from mincli.lint.codes import MARK, graphs_of
from mincli.lint.scopes import Scope

Unsound = Collection[tuple[str, int | str]]
"""Nodes and initializers that a finding is about: the path of the graph, with the node's number or the value's name."""

MOST_ELEMENTS = 1024
"""Of an initializer that stays: shapes, axes and the like are smaller."""
MOST_BYTES = 1 << 24
"""Of a graph that is copied as a whole."""


def light_model(
    scope: Scope, ir_version: int, unsound: Unsound, functions: dict[Key, onnx.FunctionProto]
) -> onnx.ModelProto:
    """Return a graph as a model for onnx's inference.

    Args:
        scope: the graph.
        ir_version: of its model.
        unsound: what to leave out.
        functions: that its nodes may call; calls of others are left out.
    """
    model = onnx.ModelProto(ir_version=ir_version)
    _copy_graph(scope.proto, model.graph)
    _imports(scope.opsets, model.opset_import)
    for function in functions.values():
        _copy_function(function, model.functions.add())
    _keep_sound(scope, model.graph, MARK, unsound, functions)
    return model


def _copy_graph(graph: onnx.GraphProto, copy: onnx.GraphProto) -> None:
    if graph.ByteSize() <= MOST_BYTES:
        copy.CopyFrom(graph)  # node by node it takes five times as long
    else:
        copy.name = graph.name
        for field in ("node", "input", "output", "value_info", "sparse_initializer"):
            getattr(copy, field).extend(getattr(graph, field))
        for tensor in graph.initializer:
            if is_small(tensor):
                copy.initializer.append(tensor)
            else:
                copy.initializer.add(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
    del copy.quantization_annotation[:]


def is_small(tensor: onnx.TensorProto) -> bool:
    """Whether the values of a tensor are few, and in the model."""
    size = 1
    for dim in tensor.dims:
        size *= max(dim, 1)
    return size <= MOST_ELEMENTS and tensor.data_location != onnx.TensorProto.EXTERNAL


def _drop_weights(graph: onnx.GraphProto, path: str, unsound: Unsound) -> None:
    """Make plain values of large initializers, and drop those that contradict what is declared of them."""
    if not graph.initializer:
        return
    declared: dict[str, list[onnx.TypeProto]] = {}
    for value in (*graph.input, *graph.value_info, *graph.output):
        declared.setdefault(value.name, []).append(value.type)
    for position in reversed(range(len(graph.initializer))):
        tensor = graph.initializer[position]
        kinds = declared.get(tensor.name, ())
        faulty = bool(unsound) and (path, tensor.name) in unsound
        if is_small(tensor) and not faulty and not (kinds and any(contradicts(of_tensor(tensor), k) for k in kinds)):
            continue
        if not kinds and not faulty:
            graph.value_info.add(name=tensor.name, type=of_tensor(tensor))
        del graph.initializer[position]


def _imports(opsets: dict[str, int], imports: list[onnx.OperatorSetIdProto]) -> None:
    for domain, opset in opsets.items():
        imports.add(domain=domain, version=opset)  # type: ignore[attr-defined]


def _copy_function(function: onnx.FunctionProto, copy: onnx.FunctionProto) -> None:
    copy.CopyFrom(function)
    copy.domain = own_domain(copy.domain)
    del copy.value_info[:]
    _unname(copy.node)


def _unname(nodes: list[onnx.NodeProto]) -> None:
    """Take the names of nodes in a function, which are not to be mistaken for places."""
    for node in nodes:
        node.ClearField("name")
        node.domain = own_domain(node.domain)
        for graph in graphs_of(node):
            _unname(graph.node)


def _keep_sound(
    scope: Scope,
    graph: onnx.GraphProto,
    prefix: str,
    unsound: Unsound,
    functions: dict[Key, onnx.FunctionProto],
) -> None:
    """Name the nodes of a copied graph, and remove those that onnx cannot be given, in the graphs in them too."""
    _drop_weights(graph, scope.path, unsound)
    inner: dict[int, list[Scope]] = {}
    for node, _, subgraph in scope.subgraphs:
        inner.setdefault(node.number, []).append(subgraph)
    left_out = []
    domains = {domain for domain, version in scope.opsets.items() if 0 < version <= (newest_opset(domain) or 0)}
    for node, proto in zip(scope.nodes, graph.node, strict=True):
        if node.function is None:
            known = node.signature is not None and node.domain in domains
        else:
            known = key_of(proto) in functions and not onnx.defs.has(proto.op_type, domain=node.domain)
        if not known or (unsound and (scope.path, node.number) in unsound):
            left_out.append(node.number)
            continue
        proto.name = name = f"{prefix}{node.number}"
        if proto.domain != node.domain:
            proto.domain = node.domain
        for which, (subgraph, copy) in enumerate(zip(inner.get(node.number, ()), graphs_of(proto), strict=True)):
            _keep_sound(subgraph, copy, f"{name}.{which}.", unsound, functions)
    for number in reversed(left_out):
        del graph.node[number]
