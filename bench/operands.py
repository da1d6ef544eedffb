"""Random arrays to compute on."""

from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray


def dtype_of(element: str) -> np.dtype[Any]:
    """Return the NumPy type of an element type's name."""
    return np.dtype(ml_dtypes.bfloat16 if element == "bfloat16" else element)


def values(element: str, count: int, seed: int, special: str = "") -> NDArray[Any]:
    """Return `count` numbers: floats as `case.Case.values` says, or integers from the whole range."""
    generator, dtype = np.random.default_rng(seed), dtype_of(element)
    if "float" in element:
        floats = generator.standard_normal(count, np.float32)
        if special == "ReLU":
            np.maximum(floats, 0, out=floats)
        elif special == "NaN":
            floats[::100] = np.nan
        return floats.astype(dtype, copy=False)
    if dtype == np.bool_:
        return generator.integers(0, 2, count, np.uint8).view(np.bool_)
    return np.frombuffer(bytearray(generator.bytes(count * dtype.itemsize)), dtype)
