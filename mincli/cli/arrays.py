"""A result as text: for people and shell variables, or as JSON values."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.spec.dtypes import ElementType

MOST_SHOWN = 1000
"""Larger arrays are shortened."""


def as_text(array: NDArray[Any], element: ElementType) -> str:
    """Return an array of storage type as text.

    One element is the bare number; more are NumPy's form, shortened past 1000. Floats are in the shortest form that
    reads back to the same value, integers exact.
    """
    values = _values(array, element)
    if values.size == 1:
        return _scalar(values.reshape(-1)[0], element)
    # bfloat16 has no form of NumPy's own
    formatter: Any = {"int": _bfloat16} if element.name == "bfloat16" else None
    return np.array2string(values, threshold=MOST_SHOWN, floatmode="unique", formatter=formatter)


def as_json(array: NDArray[Any], element: ElementType) -> Any:
    """Return an array of storage type as nested lists of JSON values, with NaN and the infinities as strings."""
    return _nested(_values(array, element), element)


def _nested(values: NDArray[Any], element: ElementType) -> Any:
    if values.ndim:
        return [_nested(row, element) for row in values]
    text = _scalar(values[()], element)
    if text.lstrip("-") in ("nan", "inf"):
        return text
    return values.item() if not element.is_float else float(text)


def _values(array: NDArray[Any], element: ElementType) -> NDArray[Any]:
    """Return storage as the NumPy type it stands for; bfloat16, which NumPy lacks, stays bit patterns."""
    return array if element.name == "bfloat16" else array.view(element.numpy)


def _scalar(value: Any, element: ElementType) -> str:
    return _bfloat16(value) if element.name == "bfloat16" else str(value)


def _bfloat16(pattern: Any) -> str:
    """Return the shortest decimal form that reads back to the same bfloat16."""
    (value,) = (np.array([pattern], "u4") << 16).view("f4")
    for digits in range(1, 6):
        shorter = np.float32(f"{value:.{digits}g}")
        if _round_to_bfloat16(shorter) == pattern:
            return str(shorter)
    return str(value)


def _round_to_bfloat16(value: np.float32) -> int:
    """Return the pattern of the nearest bfloat16, ties to even."""
    (bits,) = np.array([value], "f4").view("u4").astype("u8")
    return int((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)
