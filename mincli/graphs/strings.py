"""Whether the strings of a model are text: where they are no UTF-8, protobuf hands on bytes, which nothing expects."""

from collections.abc import Iterable, Iterator

import onnx

from mincli.graphs.nodes import PLAIN, graphs_in


def first_bytes(model: onnx.ModelProto) -> bytes | None:
    """Return the first name or other string of a model that is no UTF-8; None if all are text.

    Strings of tensors, and of attributes, are bytes by their definition, and not looked at.
    """
    strings = (*_own(model), *_own(model.graph), *_in_graph(model.graph), *_in_functions(model))
    return next((string for string in strings if isinstance(string, bytes)), None)


def _own(message: object) -> Iterator[object]:
    """Yield the strings that a message has itself, and those of its keys and values."""
    for field, value in message.ListFields():  # type: ignore[attr-defined]
        if field.type == field.TYPE_STRING:
            yield from [value] if isinstance(value, str | bytes) else value
        elif field.name in ("metadata_props", "external_data", "opset_import"):
            for entry in value:
                yield from _own(entry)


def _in_functions(model: onnx.ModelProto) -> Iterator[object]:
    for function in model.functions:
        yield from _own(function)
        yield from _in_nodes(function.node)
        for message in (*function.value_info, *function.attribute_proto):
            yield from _own(message)


def _in_graph(graph: onnx.GraphProto) -> Iterator[object]:
    for tensor in graph.initializer:
        yield from (tensor.name, *(text for entry in tensor.external_data for text in (entry.key, entry.value)))
    for value in (*graph.input, *graph.output, *graph.value_info):
        if not value.SerializeToString().isascii():
            yield value.name
            yield from (dim.dim_param for dim in value.type.tensor_type.shape.dim)
    for sparse in graph.sparse_initializer:
        yield sparse.values.name
    yield from _in_nodes(graph.node)


def _in_nodes(nodes: Iterable[onnx.NodeProto]) -> Iterator[object]:
    for node in nodes:
        if node.SerializeToString().isascii():  # the most, in a fifth of the time
            continue
        yield from (*node.input[:], *node.output[:], node.name, node.op_type, node.domain, node.overload)
        for attribute in node.attribute[:]:
            yield from (attribute.name, attribute.ref_attr_name)
            if attribute.type in PLAIN:
                continue
            for tensor in (attribute.t, *attribute.tensors):
                yield from (tensor.name, *(text for entry in tensor.external_data for text in (entry.key, entry.value)))
            for graph in graphs_in(attribute):
                yield from (graph.name, *_in_graph(graph))
