"""Symbolic dimensions against the sizes that they turn out to have."""

from collections.abc import Iterator

import onnx

from mincli.errors import printable
from mincli.findings import Finding
from mincli.findings.shapes import SYMBOL
from mincli.lint.inference.inferred import Inferred
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
    for value in (*(graph.input if scope.outer else ()), *graph.value_info, *graph.output):
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            symbol = dim.dim_param
            size = _size(inferred.as_inferred(scope, value.name), axis) if symbol else None
            if size is None:
                continue
            first, where = found.setdefault(symbol, (size, value.name))
            if size != first and symbol not in said:
                said.add(symbol)
                yield SYMBOL.at(
                    scope.place(value=value.name),
                    f"{printable(symbol)} is {first} in {printable(where)}, and {size} in {printable(value.name)}",
                    "a name of a dimension stands for one size in all of a graph",
                    "give the dimensions two names, or their sizes",
                )


def _size(kind: onnx.TypeProto | None, axis: int) -> int | None:
    """Return the size of an axis of a type; None if it is not known."""
    dims = kind.tensor_type.shape.dim if kind is not None else ()
    return dims[axis].dim_value if axis < len(dims) and dims[axis].HasField("dim_value") else None
