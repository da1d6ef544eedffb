"""The types and constants of a scope's values, as far as onnx's shape inference and the model itself tell them."""

from collections import ChainMap
from collections.abc import Iterator
from typing import Any

import onnx

from mincli.lint.scopes import Scope


def with_types(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model with the types that onnx infers; the model itself where it infers none."""
    try:
        return onnx.shape_inference.infer_shapes(model)
    except Exception:  # whatever its C++ raises: then only what is declared is known
        return model


Source = Any
"""What a constant is of: a TensorProto, or the NodeProto of a Constant; None for what is none."""


class Known:
    """The types and the constants that a scope sees, its own and those of the graphs around it.

    Args:
        scope: the graph or function.
        around: of the graph around it, or None.

    Attributes:
        types: of values by name, as far as they are known.
    """

    def __init__(self, scope: Scope, around: "Known | None" = None) -> None:
        types = {} if scope.graph is None else _types(scope.graph)
        types |= {info.name: info.type for info in scope.proto.value_info if info.HasField("type")}
        self.types: ChainMap[str, onnx.TypeProto] = ChainMap(types, *(around.types.maps if around else ()))
        sources: dict[str, Source] = {}
        if scope.graph is not None:
            sources |= {tensor.name: tensor for tensor in scope.graph.initializer}
        sources |= dict.fromkeys(scope.inputs)  # which a run may change, with an initializer or without
        for node in scope.nodes:
            is_constant = node.proto.op_type == "Constant" and not node.domain
            sources |= dict.fromkeys(node.outputs, node.proto if is_constant else None)
        self._sources: ChainMap[str, Source] = ChainMap(sources, *(around._sources.maps if around else ()))

    def constant(self, name: str) -> Any:
        """Return the elements of a value that no run can change: of an initializer or a Constant, as nested lists.

        None if it is no constant, or one whose elements lie in another file.
        """
        source = self._sources.get(name)
        return _elements(source) if isinstance(source, onnx.TensorProto) else source and _constant_node(source)


def each_known(root: Scope) -> Iterator[tuple[Scope, Known]]:
    """Yield a scope and all in it, from the outside in, with what each sees."""
    known: dict[int, Known] = {}
    for scope in root.all():
        known[id(scope)] = Known(scope, known.get(id(scope.outer)))
        yield scope, known[id(scope)]


def _types(graph: onnx.GraphProto) -> dict[str, onnx.TypeProto]:
    types = {own.name: onnx.helper.make_tensor_type_proto(own.data_type, own.dims) for own in graph.initializer}
    return types | {info.name: info.type for info in (*graph.input, *graph.output) if info.HasField("type")}


_ELEMENTS = {number: f"tensor({name.lower()})" for name, number in onnx.TensorProto.DataType.items() if number}


def type_string(kind: onnx.TypeProto) -> str:
    """Return a type as schemas have it: `tensor(float)`, `seq(tensor(int64))`; "" if it is not known."""
    match kind.WhichOneof("value"):
        case "tensor_type":
            return _ELEMENTS.get(kind.tensor_type.elem_type, "")
        case "sequence_type":
            inner = type_string(kind.sequence_type.elem_type)
            return f"seq({inner})" if inner else ""
        case "optional_type":
            inner = type_string(kind.optional_type.elem_type)
            return f"optional({inner})" if inner else ""
        case _:
            return ""


def _constant_node(node: onnx.NodeProto) -> Any:
    for attribute in node.attribute:
        if attribute.name == "value":
            return _elements(attribute.t)
        if attribute.name in ("value_int", "value_ints", "value_float", "value_floats"):
            value = onnx.helper.get_attribute_value(attribute)
            return list(value) if attribute.name.endswith("s") else value
    return None


def _elements(tensor: onnx.TensorProto) -> Any:
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        return None
    try:
        return onnx.numpy_helper.to_array(tensor).tolist()
    except (ValueError, TypeError):  # its data do not fit its shape, which another rule says
        return None
