"""Arrays to test with: of every type, full of NaNs, zeros of both signs, infinities and extremes."""

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from mincli.spec.dtypes import ELEMENT_TYPES, ElementType
from tests import oracle


def special_bits(element: ElementType) -> list[int]:
    """Return the bit patterns of a type that are likely to go wrong."""
    if element.name == "bool":
        return [0, 1]
    sign = 1 << (8 * element.itemsize - 1)
    ends = [0, 1, sign, sign - 1, sign + 1, 2 * sign - 1]
    if not element.is_float:
        return ends
    inf = oracle.least([], element)
    # zeros, subnormals, greatest finite, infinities, NaNs of both signs: signalling, quiet, all ones
    return [*ends, inf - 1, inf, inf + 1, sign + inf - 1, sign + inf, sign + inf + 1, inf | (sign - 1 - inf) // 2 + 1]


def random_array(
    seed: int, shape: Sequence[int], element: ElementType, *, nan: bool = True, special: float = 0.5
) -> NDArray[Any]:
    """Return an array of storage type: random bit patterns mixed with special ones.

    Args:
        seed: of the random numbers.
        shape: its shape.
        element: its type.
        nan: False leaves out NaNs, which would otherwise hide everything else in large reductions.
        special: the share of special patterns.
    """
    generator = np.random.default_rng(seed)
    unsigned = f"u{element.itemsize}"
    specials = np.array(special_bits(element), unsigned)
    noise = generator.integers(0, 2 if element.name == "bool" else 1 << (8 * element.itemsize), shape, unsigned)
    bits = np.where(generator.random(shape) < special, generator.choice(specials, shape), noise)
    if element.is_float and not nan:
        magnitude = (1 << (8 * element.itemsize - 1)) - 1
        bits = np.where(bits & np.array(magnitude, unsigned) > oracle.least([], element), np.array(0, unsigned), bits)
    return np.asarray(bits, unsigned).view(element.storage)


def element_id(element: ElementType) -> str:
    """Name a parameter of a test."""
    return element.name


every_type = pytest.mark.parametrize("element", ELEMENT_TYPES, ids=element_id)


def as_numpy(array: NDArray[Any], element: ElementType) -> NDArray[Any]:
    """Return an array of storage type as the type that NumPy or ml_dtypes has for its elements."""
    return array.view(ml_dtypes.bfloat16 if element.name == "bfloat16" else element.numpy)


__all__ = ["ELEMENT_TYPES", "as_numpy", "element_id", "every_type", "random_array", "special_bits"]
