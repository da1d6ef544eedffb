"""Are two values the same, and if not, how far apart? Integers never wrap, and no float is rounded on the way."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mincli.models.values import Value, element_of, type_of

BLOCK = 1 << 15
"""Elements that are compared at once: the arrays between stay in the cache, and under malloc's threshold for mmap."""
EDGES = (0.0, *(float(f"1e{power}") for power in range(-12, 4)))
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
    """The greatest difference of a kind, and the index where it first is."""

    value: float | int
    index: tuple[int, ...]  # type: ignore[assignment]  # a tuple's own method, which nobody needs here


class Comparison(NamedTuple):
    """How a value compares with what it should be.

    Attributes:
        name: of the value; elements of a sequence or map have their index or key behind it.
        got: its type and shape, in words.
        want: those that it should have.
        same: whether it is the same within the tolerance.
        count: how many elements were compared: none if types or shapes differ.
        mismatches: how many of them are not the same.
        nan_mismatches: how many of these are NaN on one side only.
        inf_mismatches: how many of these are infinite on one side only, or with another sign.
        absolute: the greatest `abs(got - want)` of finite elements; None if none differs.
        relative: the greatest `abs(got - want) / abs(want)`; infinite where zero was wanted.
        ulp: the most units in the last place of the type, of floats.
        histogram: how many finite elements have a difference in each bucket (see `EDGES`); of numbers only.
        mismatch_at: the index of the first element that is not the same.
    """

    name: str
    got: str
    want: str
    same: bool
    count: int = 0  # type: ignore[assignment]  # as in `Extreme`
    mismatches: int = 0
    nan_mismatches: int = 0
    inf_mismatches: int = 0
    absolute: Extreme | None = None
    relative: Extreme | None = None
    ulp: Extreme | None = None
    histogram: tuple[int, ...] = ()
    mismatch_at: tuple[int, ...] | None = None


def compare(name: str, got: Value, want: Value, tolerance: Tolerance) -> Iterator[Comparison]:
    """Compare a value with what it should be.

    Args:
        name: of the value.
        got: the value.
        want: what it should be.
        tolerance: what counts as the same.

    Yields:
        One comparison for a tensor; one for each element of sequences of the same length, or of maps of the same keys;
        one that says what differs for everything else.
    """
    if isinstance(got, list) and isinstance(want, list) and len(got) == len(want) > 0:
        for index, pair in enumerate(zip(got, want, strict=True)):
            yield from compare(f"{name}[{index}]", *pair, tolerance)
    elif isinstance(got, dict) and isinstance(want, dict) and got.keys() == want.keys() and got:
        for key in got:
            yield from compare(f"{name}[{key!r}]", _of_map(got[key]), _of_map(want[key]), tolerance)
    elif _is_tensor(got) and _is_tensor(want) and type_of(got) == type_of(want):
        yield _compare_arrays(name, np.asarray(got), np.asarray(want), tolerance)
    else:
        empty = not _is_tensor(got) and not _is_tensor(want) and not got and not want
        yield Comparison(name, type_of(got), type_of(want), same=empty and type(got) is type(want))


def _is_tensor(value: Value) -> bool:
    return isinstance(value, np.ndarray | np.generic)


def _of_map(value: Value) -> Value:
    """Return a value of a map as a tensor: as Python numbers, which engines give, it has lost its width."""
    if _is_tensor(value) and value.shape:
        return value
    array = np.asarray(value)
    return array.astype({"f": "f8", "i": "i8", "U": "O"}.get(array.dtype.kind, array.dtype))


def _compare_arrays(name: str, got: NDArray[Any], want: NDArray[Any], tolerance: Tolerance) -> Comparison:
    """Compare arrays of one type and shape, block by block."""
    total = _Total(got.shape)
    flat = [array.reshape(-1) if array.flags.c_contiguous else array.flat for array in (got, want)]
    for start in range(0, got.size, BLOCK):
        got_block, want_block = (_native(elements[start : start + BLOCK]) for elements in flat)
        total.add(start, got_block, want_block, tolerance)
    return Comparison(
        name, type_of(got), type_of(want), not total.mismatches, got.size, total.mismatches, total.nan_mismatches,
        total.inf_mismatches, total.absolute, total.relative, total.ulp, tuple(total.histogram.tolist()),
        total.mismatch_at,
    )  # fmt: skip


def _native(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("="), copy=False)


class _Total:
    """What was found in the blocks so far."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.mismatches = self.nan_mismatches = self.inf_mismatches = 0
        self.absolute: Extreme | None = None
        self.relative: Extreme | None = None
        self.ulp: Extreme | None = None
        self.mismatch_at: tuple[int, ...] | None = None
        self.histogram: NDArray[np.int64] = np.zeros(0, np.int64)

    def add(self, start: int, got: NDArray[Any], want: NDArray[Any], tolerance: Tolerance) -> None:
        with np.errstate(all="ignore"):  # of NaN and infinities, and of relative differences to zero
            differ = np.asarray(got != want, bool)
            places = start + np.flatnonzero(differ)
            got_there, want_there = got[differ], want[differ]
            if got.dtype.kind in "OSUb":  # strings and bool
                wrong = np.ones(len(places), bool)
            elif element_of(got).is_integer:
                wrong = np.ones(len(places), bool)
                differences = _integer_differences(got_there, want_there)
                self._count(differences, len(got) - len(places))
                self._measure(places, differences, np.abs(want_there.astype("f8")), None)
            else:
                self._count(np.zeros(0), int(np.count_nonzero(np.isfinite(got) & ~differ)))
                wrong = self._add_floats(places, got_there, want_there, tolerance)
        self.mismatches += int(np.count_nonzero(wrong))
        if self.mismatch_at is None and wrong.any():
            self.mismatch_at = self._index(places[wrong.argmax()])

    def _add_floats(
        self, places: NDArray[np.int64], got: NDArray[Any], want: NDArray[Any], tolerance: Tolerance
    ) -> NDArray[np.bool_]:
        exact = "c16" if got.dtype.kind == "c" else "f8"
        a, b = got.astype(exact), want.astype(exact)
        a_nan, b_nan = np.isnan(a), np.isnan(b)
        finite = np.isfinite(a) & np.isfinite(b)
        differences = np.where(finite, np.abs(a - b), 0.0)
        ulps = np.where(finite, _ulps(got, want), 0)
        if tolerance.max_ulp is None:
            close = differences <= tolerance.atol + tolerance.rtol * np.abs(b)
        else:
            close = ulps <= tolerance.max_ulp
        wrong: NDArray[np.bool_] = ~(finite & close | a_nan & b_nan)
        self.nan_mismatches += int(np.count_nonzero(a_nan != b_nan))
        self.inf_mismatches += int(np.count_nonzero(wrong & ~finite & ~a_nan & ~b_nan))
        self._count(differences[finite], 0)
        self._measure(places, differences, np.abs(b), ulps)
        return wrong

    def _count(self, differences: NDArray[Any], equal: int) -> None:
        """Count finite elements in the histogram: those that differ, and so many that do not."""
        counts = np.bincount(np.searchsorted(EDGES, differences), minlength=len(EDGES) + 1)
        counts[0] += equal
        self.histogram = counts + (self.histogram if self.histogram.size else 0)

    def _measure(
        self,
        places: NDArray[np.int64],
        differences: NDArray[Any],
        magnitudes: NDArray[Any],
        ulps: NDArray[Any] | None,
    ) -> None:
        if not differences.any():
            return
        self.absolute = self._greater(self.absolute, places, differences)
        self.relative = self._greater(self.relative, places, np.where(differences > 0, differences / magnitudes, 0.0))
        if ulps is not None:
            self.ulp = self._greater(self.ulp, places, ulps)

    def _greater(self, so_far: Extreme | None, places: NDArray[np.int64], values: NDArray[Any]) -> Extreme:
        place = int(values.argmax())
        value = values[place].item()
        if so_far is not None and so_far.value >= value:
            return so_far
        return Extreme(value, self._index(places[place]))

    def _index(self, place: int) -> tuple[int, ...]:
        return tuple(int(index) for index in np.unravel_index(place, self.shape))


def _integer_differences(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.uint64]:
    """Return |a - b| exactly: differences of 64-bit integers fit 64 bits without a sign."""
    if a.dtype.itemsize < 8:
        small: NDArray[np.uint64] = np.abs(a.astype("i8") - b.astype("i8")).view("u8")
        return small
    wide = "u8" if a.dtype.kind == "u" else "i8"
    a, b = a.astype(wide), b.astype(wide)
    differences: NDArray[np.uint64] = np.maximum(a, b).view("u8") - np.minimum(a, b).view("u8")
    return differences


def _ulps(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.uint64]:
    """Return how many steps between floats of the type lie between a and b; of complex numbers, of the worse part."""
    if a.dtype.kind == "c":
        return np.maximum(_ulps(a.real, b.real), _ulps(a.imag, b.imag))
    return _integer_differences(_ordinals(a), _ordinals(b))


def _ordinals(floats: NDArray[Any]) -> NDArray[np.int64]:
    """Number the floats of a type by their bit patterns: 0 is zero, those above it count up, those below it down."""
    patterns = floats.view(f"u{floats.dtype.itemsize}").astype("i8")
    element = element_of(floats)
    if element.name == "float8e8m0":  # it has no sign
        return patterns
    sign = 1 << element.bits - 1
    magnitudes = patterns & (sign - 1)
    return np.where(patterns & -sign, -magnitudes, magnitudes)
