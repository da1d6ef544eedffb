"""Whether two results are the same: `python -m bench.compare GOT.npy WANT.npy` prints how they differ."""

import sys
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 22


def difference(got: NDArray[Any], want: NDArray[Any]) -> str:
    """Return how `got` differs from `want`, or "": values are compared, NaN equals NaN, and -0 equals +0."""
    if (got.dtype, got.shape) != (want.dtype, want.shape):
        return f"{got.dtype} {got.shape} instead of {want.dtype} {want.shape}"
    got, want = got.reshape(-1), want.reshape(-1)
    blocks = range(0, got.size, _BLOCK)
    count = sum(_unequal(got[start : start + _BLOCK], want[start : start + _BLOCK]) for start in blocks)
    return f"{count} of {got.size} elements" if count else ""


def _unequal(got: NDArray[Any], want: NDArray[Any]) -> int:
    bits = f"u{got.itemsize}"
    if np.array_equal(got.view(bits), want.view(bits)):
        return 0
    same = got == want
    if got.dtype.kind in "fV":  # V: bfloat16
        same |= np.isnan(got) & np.isnan(want)
    return int(np.count_nonzero(~same))


def _load(path: str) -> NDArray[Any]:
    array: NDArray[Any] = np.load(path, mmap_mode="r")
    return array.view(ml_dtypes.bfloat16) if array.dtype.str[1:] == "V2" else array


if __name__ == "__main__":
    print(difference(_load(sys.argv[1]), _load(sys.argv[2])))
