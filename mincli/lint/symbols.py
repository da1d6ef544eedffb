"""Symbolic dimensions against the sizes that they turn out to have."""

from collections.abc import Iterator

import onnx

from mincli.errors import printable
from mincli.findings import Finding
from mincli.findings.shapes import SYMBOL
from mincli.lint.inference import Inferred
from mincli.lint.scopes import Scope


def check(inferred: Inferred, scope: Scope) -> Iterator[Finding]:
    """Yield the symbolic dimensions of a graph that stand for two sizes.

    Args:
        inferred: what is known of it.
        scope: the graph.
    """
    graph = scope.graph
    if graph is None:
        return
    found: dict[str, tuple[int, str]] = {}
    said = set()
    for value in (*graph.input, *graph.value_info, *graph.output):
        dims = value.type.tensor_type.shape.dim
        if not any(dim.dim_param for dim in dims):
            continue
        for symbol, size in _sizes(dims, inferred.type_of(scope, value.name)):
            first, where = found.setdefault(symbol, (size, value.name))
            if size != first and symbol not in said:
                said.add(symbol)
                yield SYMBOL.at(
                    scope.place(value=value.name),
                    f"{printable(symbol)} is {first} in {printable(where)}, and {size} in {printable(value.name)}",
                    "a name of a dimension stands for one size in all of a graph",
                    "give the dimensions two names, or their sizes",
                )


def _sizes(dims: list[onnx.TensorShapeProto.Dimension], kind: onnx.TypeProto | None) -> Iterator[tuple[str, int]]:
    """Yield the symbols among declared dimensions for which a size is known."""
    known = kind.tensor_type.shape.dim if kind is not None else ()
    if len(known) == len(dims):
        for dim, other in zip(dims, known, strict=True):
            if dim.dim_param and other.HasField("dim_value"):
                yield dim.dim_param, other.dim_value
