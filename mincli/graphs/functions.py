"""Functions of a model: the key that a call finds one by, and a body for the attributes of a call."""

from collections.abc import Iterable, Mapping

import onnx

from mincli.graphs.nodes import graphs_in, own_domain

Key = tuple[str, str, str]
"""What a node calls a function by: domain, name and overload (onnx.proto, FunctionProto)."""


def key_of(node: onnx.NodeProto) -> Key:
    """Return the key of the function that a node calls, if there is one."""
    return own_domain(node.domain), node.op_type, node.overload


def key_of_function(function: onnx.FunctionProto) -> Key:
    """Return the key of a function."""
    return own_domain(function.domain), function.name, function.overload


def by_key(functions: Iterable[onnx.FunctionProto]) -> dict[Key, onnx.FunctionProto]:
    """Return functions by key; of several with one key the last."""
    return {key_of_function(own): own for own in functions}


def bind_attributes(function: onnx.FunctionProto, values: Mapping[str, onnx.AttributeProto]) -> onnx.FunctionProto:
    """Return a function whose nodes have values where they referred to its attributes (ref_attr_name in onnx.proto).

    Args:
        function: the function, which stays as it is.
        values: of its attributes, by name. A reference to one that has none is as if the node had no such attribute.
    """
    bound = onnx.FunctionProto()
    bound.CopyFrom(function)
    _bind(bound.node, values)
    return bound


def _bind(nodes: Iterable[onnx.NodeProto], values: Mapping[str, onnx.AttributeProto]) -> None:
    for node in nodes:
        kept = []
        for attribute in node.attribute:
            if attribute.ref_attr_name:
                if attribute.ref_attr_name not in values:
                    continue
                name = attribute.name
                attribute.CopyFrom(values[attribute.ref_attr_name])
                attribute.name = name
            for graph in graphs_in(attribute):
                _bind(graph.node, values)
            kept.append(attribute)
        if len(kept) < len(node.attribute):
            copies = [onnx.AttributeProto.FromString(attribute.SerializeToString()) for attribute in kept]
            del node.attribute[:]
            node.attribute.extend(copies)
