"""A node in words, the domain that it is of, and the graphs in it."""

from collections.abc import Iterator, Sequence

import onnx

from mincli.findings import Place
from mincli.spec.operators import DEFAULT_DOMAIN

MAIN = ("", DEFAULT_DOMAIN)
"""The names of ONNX's own operator domain."""
PLAIN = frozenset(onnx.AttributeProto.AttributeType.Value(name) for name in (
    "FLOAT", "INT", "STRING", "FLOATS", "INTS", "STRINGS", "TYPE_PROTO", "TYPE_PROTOS"
))  # fmt: skip
"""The types of attributes that hold neither tensors nor graphs."""


def own_domain(domain: str) -> str:
    """Return a domain by its one name: ONNX's own has two."""
    return "" if domain in MAIN else domain


def node_label(number: int, node: onnx.NodeProto) -> str:
    """Return a node in words, by its place in its graph: `node 3 (Conv /body/conv)`."""
    return Place("", number, node.op_type, node.name).words


def graphs_in(attribute: onnx.AttributeProto) -> Sequence[onnx.GraphProto]:
    """Return the graphs that an attribute holds; none if it says that it holds something else."""
    if attribute.type in PLAIN:
        return ()
    return [attribute.g] if attribute.HasField("g") else attribute.graphs


def graphs_of(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    """Yield the graphs in a node, in the order of its attributes."""
    for attribute in node.attribute:
        yield from graphs_in(attribute)
