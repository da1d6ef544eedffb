"""The types and constants of a scope's values, as far as onnx's shape inference and the model itself tell them."""

from typing import Any

import onnx

from mincli.lint.scopes import Scope


def with_types(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model with the types that onnx infers; the model itself where it infers none."""
    try:
        return onnx.shape_inference.infer_shapes(model)
    except Exception:  # whatever its C++ raises: then only what is declared is known
        return model


def types_in(scope: Scope) -> dict[str, onnx.TypeProto]:
    """Return the types of values that a scope sees, by name, as far as they are known."""
    types = {} if scope.outer is None else types_in(scope.outer)
    if scope.graph is None:
        return types | {info.name: info.type for info in scope.proto.value_info}
    for tensor in scope.graph.initializer:
        types[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
    declared = (*scope.graph.input, *scope.graph.value_info, *scope.graph.output)
    return types | {info.name: info.type for info in declared if info.HasField("type")}


def type_string(kind: onnx.TypeProto) -> str:
    """Return a type as schemas have it: `tensor(float)`, `seq(tensor(int64))`; "" if it is not known."""
    match kind.WhichOneof("value"):
        case "tensor_type":
            element = kind.tensor_type.elem_type
            known = element and element in onnx.TensorProto.DataType.values()
            return f"tensor({onnx.TensorProto.DataType.Name(element).lower()})" if known else ""
        case "sequence_type":
            inner = type_string(kind.sequence_type.elem_type)
            return f"seq({inner})" if inner else ""
        case "optional_type":
            inner = type_string(kind.optional_type.elem_type)
            return f"optional({inner})" if inner else ""
        case _:
            return ""


def constant(scope: Scope, name: str) -> Any:
    """Return the elements of a value that no run can change: of an initializer or a Constant, as nested lists.

    None if it is no constant, or one whose elements lie in another file.
    """
    own: Scope | None = scope
    while own is not None:
        if own.graph is not None:
            for tensor in own.graph.initializer:
                if tensor.name == name:
                    return None if name in own.inputs else _elements(tensor)
        for node in own.nodes:
            if name in node.outputs:
                return _constant_node(node.proto) if node.proto.op_type == "Constant" and not node.domain else None
        if name in own.inputs:
            return None
        own = own.outer
    return None


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
