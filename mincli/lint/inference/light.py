"""A graph as onnx's inference gets it: without weights, and of its nodes only those that are sound."""

import onnx

from mincli.graphs.functions import Key, key_of
from mincli.graphs.kinds import contradicts, known, of_tensor
from mincli.graphs.nodes import MAIN, graphs_of, own_domain
from mincli.graphs.signatures import Signature
from mincli.lint.constants import Unsound, is_small
from mincli.lint.inference.fragile import TYPED, lacks_types
from mincli.lint.inference.light_names import MARK
from mincli.lint.scopes import Node, Scope

_BY_BODY = ("MeanVarianceNormalization",)
"""Operators whose only inference is that of the function that defines them, with attributes that have defaults."""
_SPECIAL = {*_BY_BODY, *TYPED}
"""Operators that onnx is not given as they are, or not always."""
MOST_BYTES = 1 << 24
"""Of a graph that is copied as a whole."""


def light_model(
    scope: Scope,
    ir_version: int,
    unsound: Unsound,
    functions: dict[Key, onnx.FunctionProto],
    *,
    named: bool = False,
) -> onnx.ModelProto:
    """Return a graph as a model for onnx's inference.

    Args:
        scope: the graph.
        ir_version: of its model.
        unsound: what to leave out.
        functions: that its nodes may call; calls of others are left out.
        named: whether all nodes are named by their places, or only those with graphs in them.
    """
    model = onnx.ModelProto(ir_version=ir_version)
    _copy_graph(scope.proto, model.graph)
    for domain, version in scope.opsets.items():
        for name in MAIN if domain in MAIN else [domain]:
            model.opset_import.add(domain=name, version=version)
    for function in functions.values():
        _copy_function(function, model.functions.add())
    _keep_sound(scope, model.graph, MARK, (unsound, functions, named))
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


def _without_oddities(graph: onnx.GraphProto) -> None:
    """Hide declared types that are none, and sizes below 0."""
    for value in (*graph.input, *graph.output, *graph.value_info):
        if value.type.HasField("tensor_type") and not known(value.type):
            value.type.ClearField("tensor_type")
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_value < 0:
                dim.Clear()


def _drop_weights(graph: onnx.GraphProto, path: str, unsound: Unsound) -> None:
    """Make plain values of large initializers, and drop those that contradict what the graph's ends declare of them.

    What value_info says against an initializer is dropped itself: the initializer is there, and right.
    """
    if not graph.initializer:
        return
    tensors = {tensor.name: tensor for tensor in graph.initializer if not unsound or (path, tensor.name) not in unsound}
    for position in reversed(range(len(graph.value_info))):
        value = graph.value_info[position]
        if value.name in tensors and contradicts(of_tensor(tensors[value.name]), value.type):
            del graph.value_info[position]
    declared: dict[str, list[onnx.TypeProto]] = {}
    for value in (*graph.input, *graph.value_info, *graph.output):
        declared.setdefault(value.name, []).append(value.type)
    for position in reversed(range(len(graph.initializer))):
        tensor = graph.initializer[position]
        kinds = declared.get(tensor.name, ())
        faulty = tensor.name not in tensors
        if is_small(tensor) and not faulty and not (kinds and any(contradicts(of_tensor(tensor), k) for k in kinds)):
            continue
        if not kinds and not faulty:
            graph.value_info.add(name=tensor.name, type=of_tensor(tensor))
        del graph.initializer[position]


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
    how: tuple[Unsound, dict[Key, onnx.FunctionProto], bool],
) -> None:
    """Remove the nodes of a copied graph that onnx cannot be given, and name the others."""
    unsound, functions, named = how
    _drop_weights(graph, scope.path, unsound)
    _without_oddities(graph)
    for number in range(len(scope.nodes)) if named else scope.inner:
        graph.node[number].name = f"{prefix}{number}"
    for number, subgraphs in scope.inner.items():
        for which, (subgraph, copy) in enumerate(zip(subgraphs, graphs_of(graph.node[number]), strict=True)):
            _keep_sound(subgraph, copy, f"{prefix}{number}.{which}.", how)
    for node in reversed(scope.nodes):
        own = node.signature
        if own is not None and own.name not in _SPECIAL and not unsound:
            continue
        usable = _is_usable(node, functions) if own is None else not lacks_types(node, scope)
        if not usable or (scope.path, node.number) in unsound:
            del graph.node[node.number]
        elif own is not None and own.name in _BY_BODY:
            _set_defaults(graph.node[node.number], own)


def _is_usable(node: Node, functions: dict[Key, onnx.FunctionProto]) -> bool:
    """Whether a node calls a function that onnx may be given; one with the name of an operator it would not look at."""
    called = node.function is not None and key_of(node.proto) in functions
    return called and not onnx.defs.has(node.proto.op_type, domain=node.domain)


def _set_defaults(node: onnx.NodeProto, own: Signature) -> None:
    """Give a node the defaults of its attributes, which onnx's inference does not know in the body of an operator."""
    schema = onnx.defs.get_schema(own.name, own.since_version, own.domain)
    given = {attribute.name for attribute in node.attribute}
    for attribute in schema.attributes.values():
        if attribute.default_value.type and attribute.name not in given:
            node.attribute.append(attribute.default_value)
