"""The values of models as text or as JSON values: tensors of every ONNX type, sequences, maps and absent optionals."""

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.cli import arrays
from mincli.errors import printable
from mincli.models.values import Value, element_of
from mincli.spec.dtypes import BY_NAME
from mincli.spec.shapes import in_words

MAX_INLINE = 16
"""Larger tensors are not shown in a table."""


def type_and_shape(value: Value) -> tuple[str, str]:
    """Return a value's type and shape in words, for two columns."""
    if isinstance(value, np.ndarray):
        return element_of(value).name, in_words(value.shape)
    if value is None:
        return "optional", "absent"
    return ("sequence", f"{len(value)} elements") if isinstance(value, list) else ("map", f"{len(value)} entries")


def shape_of(value: Value) -> list[int] | None:
    """Return the shape of a tensor; None of what is none."""
    return list(value.shape) if isinstance(value, np.ndarray) else None


def as_line(value: Value) -> str:
    """Return a small tensor as one line of text; "" of one with more than 16 elements, and of what is no tensor."""
    if not isinstance(value, np.ndarray) or value.size > MAX_INLINE:
        return ""
    element = element_of(value)
    if element.storage:
        return _joined(arrays.as_text(_storage(value, element.storage), element))
    if element.name == "string":
        return printable(str(value.tolist()))
    return _joined(str(_plain(value)))


def _joined(text: str) -> str:
    """Return NumPy's form of an array on one line, without the blanks that align it."""
    return " ".join(text.split()).replace("[ ", "[").replace(" ]", "]")


def as_json(value: Value) -> Any:
    """Return a value as JSON values: NaN and infinities as strings, complex numbers as text; None if it is large.

    Large is more than 1000 elements in one tensor.
    """
    if isinstance(value, list):
        return [as_json(element) for element in value]
    if isinstance(value, dict):
        return {str(key): as_json(np.asarray(element)) for key, element in value.items()}
    if value is None or value.size > arrays.MAX_SHOWN:
        return None
    element = element_of(value)
    if element.storage:
        return arrays.as_json(_storage(value, element.storage), element)
    if element.name == "string":
        return value.tolist()
    plain = _plain(value)
    if plain.dtype.kind == "c":
        return np.array([str(number) for number in plain.reshape(-1).tolist()], object).reshape(plain.shape).tolist()
    return arrays.as_json(plain, BY_NAME["float" if plain.dtype.kind == "f" else "int64"])


def number(value: float | None) -> Any:
    """Return a number as a JSON value: NaN and infinities as strings."""
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def _storage(value: NDArray[Any], storage: str) -> NDArray[Any]:
    return np.ascontiguousarray(value).reshape(value.shape).view(storage)


def _plain(value: NDArray[Any]) -> NDArray[Any]:
    """Return an array of a type that NumPy lacks as one that it has, and that holds all its values."""
    if value.dtype.kind == "c":
        return value
    return value.astype("i8" if element_of(value).is_integer else "f4")
