"""Are two values the same, and if not, how far apart? Integers never wrap, and no float is rounded on the way."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mincli.models.values import Value, element_of, type_of

BLOCK = 1 << 20
"""Elements that are compared at once."""
EDGES = (0.0, *(10.0**power for power in range(-12, 4)))
"""The histogram's buckets: no difference, differences of up to 1e-12, 1e-11, ..., 1000, and greater ones."""


class Tolerance(NamedTuple):
    """What counts as the same: `abs(got - want) <= atol + rtol * abs(want)`, or so many units in the last place.

    NaN is the same as NaN and -0 as +0; integers, bool and strings have to be equal.

    Attributes:
        rtol: relative.
        atol: absolute.
        max_ulp: units in the last place of the type; None compares by rtol and atol.
    """

    rtol: float = 1e-3
    atol: float = 1e-7
    max_ulp: int | None = None


class Extreme(NamedTuple):
    """The greatest difference of a kind, and the index where it is."""

    value: float | int
    index: tuple[int, ...]


class Comparison(NamedTuple):
    """How a value compares with what it should be.

    Attributes:
        name: of the value; elements of a sequence have their index behind it.
        got: its type and shape, in words.
        want: those that it should have.
        same: whether it is the same within the tolerance.
        count: how many elements there are.
        mismatches: how many of them are not the same.
        nan_mismatches: how many of these are NaN on one side only.
        inf_mismatches: how many of these are infinite on one side only, or with another sign.
        absolute, relative, ulp: the greatest differences of finite elements that differ at all; None if none does.
        histogram: how many finite elements have a difference in each bucket (see `EDGES`).
    """

    name: str
    got: str
    want: str
    same: bool
    count: int = 0
    mismatches: int = 0
    nan_mismatches: int = 0
    inf_mismatches: int = 0
    absolute: Extreme | None = None
    relative: Extreme | None = None
    ulp: Extreme | None = None
    histogram: tuple[int, ...] = ()


def compare(name: str, got: Value, want: Value, tolerance: Tolerance) -> Iterator[Comparison]:
    """Compare a value with what it should be; a sequence element by element.

    Args:
        name: of the value.
        got: the value.
        want: what it should be.
        tolerance: what counts as the same.

    Yields:
        One comparison for a tensor; one for each tensor of a sequence or map of the same length.
    """
    if isinstance(got, list) and isinstance(want, list) and len(got) == len(want):
        for index, pair in enumerate(zip(got, want, strict=True)):
            yield from compare(f"{name}[{index}]", *pair, tolerance)
        if not got:
            yield Comparison(name, type_of(got), type_of(want), same=True)
    elif isinstance(got, dict) and isinstance(want, dict) and got.keys() == want.keys():
        for key in got:
            yield from compare(f"{name}[{key!r}]", np.asarray(got[key]), np.asarray(want[key]), tolerance)
    elif isinstance(got, np.ndarray) and isinstance(want, np.ndarray) and type_of(got) == type_of(want):
        yield _compare_arrays(name, got, want, tolerance)
    else:
        yield Comparison(name, type_of(got), type_of(want), same=got is None and want is None)


def _compare_arrays(name: str, got: NDArray[Any], want: NDArray[Any], tolerance: Tolerance) -> Comparison:
    """Compare arrays of one type and shape, block by block."""
    total = _Total(got.shape)
    for start in range(0, got.size, BLOCK):
        block = slice(start, start + BLOCK)
        total.add(start, got.reshape(-1)[block], want.reshape(-1)[block], tolerance)
    return Comparison(
        name, type_of(got), type_of(want), not total.mismatches, got.size, total.mismatches, total.nan_mismatches,
        total.inf_mismatches, total.absolute, total.relative, total.ulp, tuple(int(n) for n in total.histogram),
    )  # fmt: skip


class _Total:
    """What was found in the blocks so far."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.mismatches = self.nan_mismatches = self.inf_mismatches = 0
        self.absolute: Extreme | None = None
        self.relative: Extreme | None = None
        self.ulp: Extreme | None = None
        self.histogram = np.zeros(len(EDGES) + 1, np.int64)

    def add(self, start: int, got: NDArray[Any], want: NDArray[Any], tolerance: Tolerance) -> None:
        if got.dtype.kind in "OSUb":  # strings and bool
            self.mismatches += int(np.count_nonzero(got != want))
        elif got.dtype.kind in "iu" or element_of(got).name in _SMALL_INTEGERS:
            differences = _integer_differences(got, want)
            self.mismatches += int(np.count_nonzero(differences))
            self._measure(start, differences, np.abs(want.astype("f8")), differences)
        else:
            self._add_floats(start, got, want, tolerance)

    def _add_floats(self, start: int, got: NDArray[Any], want: NDArray[Any], tolerance: Tolerance) -> None:
        exact = "c16" if got.dtype.kind == "c" else "f8"
        a, b = got.astype(exact), want.astype(exact)
        with np.errstate(all="ignore"):
            finite = np.isfinite(a) & np.isfinite(b)
            differences = np.where(finite, np.abs(a - b), 0.0)
            equal = (a == b) | (np.isnan(a) & np.isnan(b))
            ulps = None if exact == "c16" else np.where(finite, _ulps(got, want), 0)
            if tolerance.max_ulp is None or ulps is None:
                close = finite & (differences <= tolerance.atol + tolerance.rtol * np.abs(b))
            else:
                close = finite & (ulps <= tolerance.max_ulp)
        wrong = ~(equal | close)
        self.mismatches += int(np.count_nonzero(wrong))
        self.nan_mismatches += int(np.count_nonzero(np.isnan(a) != np.isnan(b)))
        self.inf_mismatches += int(np.count_nonzero((np.isinf(a) | np.isinf(b)) & ~equal & ~np.isnan(a) & ~np.isnan(b)))
        self._measure(start, differences, np.abs(b), ulps, finite)

    def _measure(
        self,
        start: int,
        differences: NDArray[Any],
        magnitudes: NDArray[Any],
        ulps: NDArray[Any] | None,
        finite: NDArray[np.bool_] | None = None,
    ) -> None:
        counted = differences if finite is None else differences[finite]
        self.histogram += np.bincount(np.searchsorted(EDGES, counted), minlength=len(EDGES) + 1)
        if not differences.any():
            return
        with np.errstate(all="ignore"):
            relative = np.where(differences > 0, differences / magnitudes, 0.0)
        self.absolute = self._greater(self.absolute, start, differences)
        self.relative = self._greater(self.relative, start, relative)
        if ulps is not None:
            self.ulp = self._greater(self.ulp, start, ulps)

    def _greater(self, so_far: Extreme | None, start: int, values: NDArray[Any]) -> Extreme | None:
        place = int(values.argmax())
        value = values[place].item()
        if so_far is not None and so_far.value >= value:
            return so_far
        index = np.unravel_index(start + place, self.shape)
        return Extreme(value, tuple(int(i) for i in index))


_SMALL_INTEGERS = ("int2", "uint2", "int4", "uint4")


def _integer_differences(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.uint64]:
    """Return |a - b| exactly: 64-bit differences fit 64 bits without a sign."""
    if a.dtype.kind not in "iu":  # ml_dtypes' small integers
        a, b = a.astype("i8"), b.astype("i8")
    wide = "u8" if a.dtype.kind == "u" else "i8"
    a, b = a.astype(wide), b.astype(wide)
    greater, lesser = np.maximum(a, b), np.minimum(a, b)
    return greater.view("u8") - lesser.view("u8")


def _ulps(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.uint64]:
    """Return how many floats of the type lie between a and b, by the order of their bit patterns; -0 is +0."""
    return _integer_differences(_ordinals(a), _ordinals(b))


def _ordinals(floats: NDArray[Any]) -> NDArray[np.int64]:
    """Number the floats of a type: 0 is zero, those above it count up, those below it down."""
    bits = 8 * floats.dtype.itemsize
    patterns = floats.view(f"u{floats.dtype.itemsize}").astype("u8")
    magnitude = (patterns & np.uint64((1 << (bits - 1)) - 1)).astype("i8")
    return np.where(patterns >> np.uint64(bits - 1), -magnitude, magnitude)
