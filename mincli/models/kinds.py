"""The types of values, in words."""

from typing import Any

import onnx
from numpy.typing import NDArray

from mincli.errors import printable
from mincli.models.messages import Value
from mincli.spec.dtypes import BY_NUMBER, ElementType


def type_of(value: Value) -> str:
    """Return a value's type and shape in words.

    >>> import numpy as np
    >>> type_of(np.zeros((2, 3), "f4")), type_of([np.zeros(1, "i8")]), type_of(None)
    ('float[2, 3]', 'sequence of 1', 'absent')
    """
    if value is None:
        return "absent"
    if isinstance(value, list):
        return f"sequence of {len(value)}"
    if isinstance(value, dict):
        return f"map of {len(value)}"
    return f"{element_of(value)}[{', '.join(map(str, value.shape))}]"


def element_of(array: NDArray[Any]) -> ElementType:
    """Return the element type of an array of a model."""
    return BY_NUMBER[onnx.helper.np_dtype_to_tensor_dtype(array.dtype.newbyteorder("="))]


def type_in_words(kind: onnx.TypeProto) -> str:
    """Return a declared type in words: `float[batch, 3]`, `sequence of float`, ..."""
    match kind.WhichOneof("value"):
        case "tensor_type":
            element = BY_NUMBER.get(kind.tensor_type.elem_type)
            shape = f"[{', '.join(map(str, dims_of(kind)))}]" if kind.tensor_type.HasField("shape") else ""
            return f"{element.name if element else 'tensor of any type'}{shape}"
        case "sparse_tensor_type":
            return f"sparse {BY_NUMBER[kind.sparse_tensor_type.elem_type]}"
        case "sequence_type":
            return f"sequence of {type_in_words(kind.sequence_type.elem_type)}"
        case "optional_type":
            return f"optional {type_in_words(kind.optional_type.elem_type)}"
        case "map_type":
            return f"map to {type_in_words(kind.map_type.value_type)}"
        case _:
            return "any type"


def dims_of(kind: onnx.TypeProto) -> list[int | str]:
    """Return the dimensions of a tensor type: sizes, names of symbolic ones, "?" for unknown ones."""
    return [
        dim.dim_value if dim.HasField("dim_value") else printable(dim.dim_param) if dim.dim_param else "?"
        for dim in kind.tensor_type.shape.dim
    ]
