"""The inputs and outputs of a graph, and other values that it declares: whether they say their types, and sizes."""

from collections.abc import Iterator

import onnx

from mincli.errors import printable
from mincli.findings import Finding
from mincli.findings import graph as rules
from mincli.lint.scopes import Scope
from mincli.spec.dtypes import BY_NUMBER

_FIELDS = {
    "tensor_type": ("elem_type",),
    "sparse_tensor_type": ("elem_type",),
    "sequence_type": ("elem_type",),
    "optional_type": ("elem_type",),
    "map_type": ("key_type", "value_type"),
    "opaque_type": ("name",),
}
"""What each kind of type has to say."""


def check(scope: Scope, kind: str, value: onnx.ValueInfoProto) -> Iterator[Finding]:
    """Yield what the declared type of an input or output lacks; in a subgraph it may be left out, but not be wrong.

    Args:
        scope: the graph.
        kind: "input" or "output".
        value: which.
    """
    where = scope.place(value=value.name)
    what = f"the {kind} {printable(value.name)}"
    form = value.type.WhichOneof("value")
    if form in ("tensor_type", "sparse_tensor_type"):
        element = getattr(value.type, form).elem_type
        if element and element not in BY_NUMBER:
            expected = "a number of TensorProto.DataType"
            yield rules.UNTYPED.at(where, f"{what} has the element type {element}, which is none", expected)
    if scope.outer is not None and not (form == "tensor_type" and not value.type.tensor_type.elem_type):
        return
    if form is None:
        yield rules.UNTYPED.at(where, f"{what} has no type")
        return
    own = getattr(value.type, form)
    missing = [field for field in _FIELDS[form] if not own.HasField(field) or not getattr(own, field)]
    if missing:
        yield rules.UNTYPED.at(where, f"{what} has a {form} without {' and '.join(missing)}")
    if scope.outer is None and form in ("tensor_type", "sparse_tensor_type") and not own.HasField("shape"):
        yield rules.UNSHAPED.at(where, f"{what} has no shape", hint="a shape of named or unknown dimensions is enough")


def check_sizes(scope: Scope) -> Iterator[Finding]:
    """Yield the values that a graph or function declares with a size below 0."""
    ends = (*scope.graph.input, *scope.graph.output) if scope.graph is not None else ()
    for value in (*ends, *scope.proto.value_info):
        sizes = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        if min(sizes, default=0) < 0:
            axis = next(axis for axis, size in enumerate(sizes) if size < 0)
            yield rules.NEGATIVE_SIZE.at(
                scope.place(value=value.name),
                f"{printable(value.name)} is declared with the size {sizes[axis]} in dimension {axis}",
                "sizes from 0 on",
                "leave the size out, or give the dimension a name",
            )
