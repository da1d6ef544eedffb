"""A result as text: for people and shell variables, or as JSON values."""

from math import isfinite, prod
from textwrap import indent
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.spec.dtypes import ElementType

MAX_SHOWN = 1000
"""Larger arrays are shortened to fewer elements than that."""


def as_text(array: NDArray[Any], element: ElementType) -> str:
    """Return an array of storage type as text.

    One element is the bare number; more are NumPy's form, shortened past 1000. Floats are in the shortest form that
    reads back to the same value, integers exact.
    """
    values = _values(array, element)
    if values.size == 1:
        return _scalar(values.reshape(-1)[0], element)
    return _array(values, element)


def _array(values: NDArray[Any], element: ElementType) -> str:
    """Return NumPy's form; of more than 1000 elements the first and the last 3 along each axis, or as many as fit.

    NumPy bounds them per axis, which is no bound on the whole at high rank. Where not even one at each end fits, the
    rest of the outermost axis is left out.
    """
    for edge in (3, 2, 1):
        if values.size <= MAX_SHOWN or prod(min(size, 2 * edge + 1) for size in values.shape) <= MAX_SHOWN:
            # bfloat16 has no form of NumPy's own
            formatter: Any = {"int": _bfloat16} if element.name == "bfloat16" else None
            return np.array2string(values, threshold=MAX_SHOWN, edgeitems=edge, floatmode="unique", formatter=formatter)
    first = indent(_array(values[0], element), " ").strip()
    gap = "\n" * (values.ndim - 1) + " "
    return f"[{first}{f'{gap}...' if len(values) > 1 else ''}]"


def as_json(array: NDArray[Any], element: ElementType) -> Any:
    """Return an array of storage type as nested lists of JSON values, with NaN and the infinities as strings."""
    return _nested(_values(array, element), element)


def _nested(values: NDArray[Any], element: ElementType) -> Any:
    if values.ndim:
        return [_nested(row, element) for row in values]
    text = _scalar(values[()], element)
    if text.lstrip("-") in ("nan", "inf"):
        return text
    return float(text) if element.is_float else values.item()


def _values(array: NDArray[Any], element: ElementType) -> NDArray[Any]:
    """Return storage as the NumPy type it stands for; bfloat16, which NumPy lacks, stays bit patterns."""
    return array if element.name == "bfloat16" else array.view(element.numpy)


def _scalar(value: Any, element: ElementType) -> str:
    if element.name == "bfloat16":
        return _bfloat16(value)
    if element.is_float:
        # Python's notation, which is the same for all types and all versions of NumPy
        return repr(float(np.format_float_scientific(value)))
    return str(value)


def _bfloat16(pattern: Any) -> str:
    """Return the shortest decimal form that reads back to the same bfloat16."""
    (value,) = (np.array([pattern], "u4") << 16).view("f4").tolist()
    if not isfinite(value):
        return repr(value)
    for digits in range(5):
        nearest = f"{value:.{digits}e}"
        mantissa, exponent = nearest.split("e")
        beside = (f"{float(mantissa) + step:.{digits}f}e{exponent}" for step in (-(10.0**-digits), 10.0**-digits))
        for text in (nearest, *beside):
            if _to_bfloat16(float(text)) == pattern:
                return repr(float(text))
    raise AssertionError("five digits tell all bfloat16 apart")


def _to_bfloat16(value: float) -> int:
    """Return the pattern of the nearest bfloat16, ties to even."""
    with np.errstate(over="ignore"):
        (bits,) = np.array([value], "f4").view("u4").tolist()
    return int((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)
