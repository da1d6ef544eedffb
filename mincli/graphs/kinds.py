"""The types of values as onnx.proto has them: in words, and as operator schemas spell them."""

from typing import Any

import onnx

from mincli.errors import printable
from mincli.spec.dtypes import BY_NUMBER


def type_in_words(kind: onnx.TypeProto) -> str:
    """Return a declared type in words: `float[batch, 3]`, `sequence of float`, ..."""
    match kind.WhichOneof("value"):
        case "tensor_type":
            element = BY_NUMBER.get(kind.tensor_type.elem_type)
            shape = (
                f"[{', '.join(printable(str(dim)) for dim in dims_of(kind))}]"
                if kind.tensor_type.HasField("shape")
                else ""
            )
            return f"{element.name if element else 'tensor of any type'}{shape}"
        case "sparse_tensor_type":
            return f"sparse {_element(kind.sparse_tensor_type.elem_type)}"
        case "sequence_type":
            return f"sequence of {type_in_words(kind.sequence_type.elem_type)}"
        case "optional_type":
            return f"optional {type_in_words(kind.optional_type.elem_type)}"
        case "map_type":
            return f"map to {type_in_words(kind.map_type.value_type)}"
        case _:
            return "any type"


def dims_of(kind: onnx.TypeProto) -> list[int | str]:
    """Return the dimensions of a tensor type: sizes, names of symbolic ones, "?" for unknown ones.

    A size below 0, which exporters write for one that they do not know, is unknown.
    """
    return [dim.dim_value if _is_known(dim) else dim.dim_param or "?" for dim in kind.tensor_type.shape.dim]


def _is_known(dim: onnx.TensorShapeProto.Dimension) -> bool:
    return bool(dim.HasField("dim_value")) and dim.dim_value >= 0


def known(kind: onnx.TypeProto | None) -> bool:
    """Whether a type says what its values are; a tensor of any type does not."""
    if kind is None:
        return False
    case = kind.WhichOneof("value")
    return case is not None and (case != "tensor_type" or kind.tensor_type.elem_type in BY_NUMBER)


def spelling(kind: onnx.TypeProto) -> str:
    """Return a type as operator schemas spell it, without shapes: `tensor(float)`, `seq(tensor(int64))`, ..."""
    match kind.WhichOneof("value"):
        case "tensor_type":
            return f"tensor({_element(kind.tensor_type.elem_type)})"
        case "sparse_tensor_type":
            return f"sparse_tensor({_element(kind.sparse_tensor_type.elem_type)})"
        case "sequence_type":
            return f"seq({spelling(kind.sequence_type.elem_type)})"
        case "optional_type":
            return f"optional({spelling(kind.optional_type.elem_type)})"
        case "map_type":
            return f"map({_element(kind.map_type.key_type)},{spelling(kind.map_type.value_type)})"
        case "opaque_type":
            names = (kind.opaque_type.domain, kind.opaque_type.name)
            return f"opaque({','.join(name for name in names if name)})"
        case _:
            return ""


def short(spelled: str) -> str:
    """Return a type as schemas spell it, a tensor by its elements alone: `float`, `seq(tensor(float))`."""
    return spelled[7:-1] if spelled.startswith("tensor(") else spelled


def _element(number: int) -> str:
    element = BY_NUMBER.get(number)
    return element.name if element else f"type {number}"


def of_tensor(tensor: onnx.TensorProto) -> onnx.TypeProto:
    """Return the type of a tensor, with its shape."""
    kind = onnx.TypeProto()
    kind.tensor_type.elem_type = tensor.data_type
    kind.tensor_type.shape.dim.extend(onnx.TensorShapeProto.Dimension(dim_value=size) for size in tensor.dims)
    return kind


def contradicts(one: onnx.TypeProto, other: onnx.TypeProto) -> str:
    """Return in what two types cannot be of one value: "type" or "shape"; "" if they can."""
    cases = one.WhichOneof("value"), other.WhichOneof("value")
    match cases:
        case (None, _) | (_, None):
            return ""
        case ("tensor_type", "tensor_type"):
            return _tensors_contradict(one.tensor_type, other.tensor_type)
        case ("sparse_tensor_type", "sparse_tensor_type"):
            return _tensors_contradict(one.sparse_tensor_type, other.sparse_tensor_type)
        case ("sequence_type", "sequence_type"):
            return contradicts(one.sequence_type.elem_type, other.sequence_type.elem_type)
        case ("optional_type", "optional_type"):
            return contradicts(one.optional_type.elem_type, other.optional_type.elem_type)
    return "" if spelling(one) == spelling(other) else "type"


def _tensors_contradict(one: Any, other: Any) -> str:
    if one.elem_type != other.elem_type and one.elem_type in BY_NUMBER and other.elem_type in BY_NUMBER:
        return "type"
    if not one.HasField("shape") or not other.HasField("shape"):
        return ""
    dims = one.shape.dim, other.shape.dim
    if len(dims[0]) != len(dims[1]):
        return "shape"
    pairs = zip(*dims, strict=True)
    known = [(a.dim_value, b.dim_value) for a, b in pairs if _is_known(a) and _is_known(b)]
    return "shape" if any(a != b for a, b in known) else ""


def sizes_of(kind: onnx.TypeProto | None) -> tuple[int | None, ...] | None:
    """Return the sizes of a tensor type, None where one is not known; None if it is no tensor, or of unknown rank."""
    if kind is None or not kind.HasField("tensor_type") or not kind.tensor_type.HasField("shape"):
        return None
    dims = kind.tensor_type.shape.dim
    return tuple([size if (size := dim.dim_value) > 0 or (not size and _is_known(dim)) else None for dim in dims])
