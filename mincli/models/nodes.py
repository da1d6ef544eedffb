"""Graphs and their nodes as data: initializers, defaults of a version, a value's last use."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from mincli.errors import ModelError, first_line, printable
from mincli.graphs.nodes import graphs_of
from mincli.models.values import Value


def initializers(graph: onnx.GraphProto) -> dict[str, Value]:
    """Return the values of a graph's initializers by name; sparse ones are made dense.

    Raises:
        ModelError: onnx cannot read one, such as a part of a tensor (a segment).
    """
    values = {tensor.name: _checked(tensor.name, numpy_helper.to_array, tensor) for tensor in graph.initializer}
    sparse = {tensor.values.name: _checked(tensor.values.name, _dense, tensor) for tensor in graph.sparse_initializer}
    return values | sparse


def _checked(name: str, read: Callable[[Any], Value], tensor: Any) -> Value:
    try:
        return read(tensor)
    except Exception as error:  # whatever onnx and NumPy raise
        raise ModelError(f"the initializer {printable(name)} cannot be read: {printable(first_line(error))}") from error


def _dense(tensor: onnx.SparseTensorProto) -> Value:
    values, indices = numpy_helper.to_array(tensor.values), numpy_helper.to_array(tensor.indices)
    dense = np.zeros(tuple(tensor.dims), values.dtype)
    if indices.ndim == 1:  # positions in the flat array
        dense.reshape(-1)[indices] = values
    else:
        dense[tuple(indices.T)] = values
    return dense


def last_uses(nodes: Sequence[onnx.NodeProto]) -> dict[int, list[str]]:
    """Return, for each node by number, the values that no later node uses, in a subgraph of it either."""
    last = {}
    for number, node in enumerate(nodes):
        for name in (*_names_in(node), *node.output):
            last[name] = number
    uses: dict[int, list[str]] = {}
    for name, number in last.items():
        uses.setdefault(number, []).append(name)
    return uses


def _names_in(node: onnx.NodeProto) -> Iterable[str]:
    yield from node.input
    yield from captured(node)


def captured(node: onnx.NodeProto) -> Iterable[str]:
    """Yield the names that the subgraphs of a node use: of values around it, and of their own."""
    for graph in graphs_of(node):
        for inner in graph.node:
            yield from _names_in(inner)
        yield from (output.name for output in graph.output)


def as_in_version(node: onnx.NodeProto, domain: str, opset: int) -> onnx.NodeProto:
    """Return a node of the domain "" with the defaults of its version, and without what only told of memory."""
    given = {attribute.name for attribute in node.attribute}
    defaults = [default for default in _own_defaults(domain, node.op_type, opset) if default.name not in given]
    if node.domain == domain and not defaults and "consumed_inputs" not in given:
        return node
    changed = onnx.NodeProto()
    changed.CopyFrom(node)
    changed.domain = domain
    changed.attribute.extend(defaults)
    for place, attribute in reversed(list(enumerate(changed.attribute))):
        if attribute.name == "consumed_inputs":  # until opset 5, and without effect on values
            del changed.attribute[place]
    return changed


@cache
def _own_defaults(domain: str, name: str, opset: int) -> tuple[onnx.AttributeProto, ...]:
    """Return the defaults that the newest version of an operator does not have: onnx's classes know that one's."""
    if not onnx.defs.has(name, opset, domain):
        return ()
    own, newest = onnx.defs.get_schema(name, opset, domain), onnx.defs.get_schema(name, domain)
    return tuple(
        attribute.default_value
        for attribute in own.attributes.values()
        if attribute.default_value.type
        and attribute.name in newest.attributes
        and newest.attributes[attribute.name].default_value != attribute.default_value
        and attribute.default_value.s != b"foward"  # a slip in GRU-1
    )
