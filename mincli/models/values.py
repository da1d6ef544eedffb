"""The values of a model, and their types.

A value is an array (tensor), a list of values (sequence), a dict (map), or None (an optional that is absent). Arrays
have the NumPy type that onnx gives them: ml_dtypes' for what NumPy cannot name, `object` for strings.
"""

from typing import Any

import onnx
from numpy.typing import NDArray

from mincli.spec.dtypes import BY_NUMBER, ElementType

Value = Any


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
