"""The bars that mincli has to reach, as a table, and what a run says of each."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import NamedTuple

from bench.case import GIB, MIB, SHORT_LAST_AXIS, minimum, nbytes, reduction
from bench.checks import BLOCKS, CHECKER
from bench.record import Record, Results
from bench.stats import mean_speed, peak, seconds, share, speed


class Measured(NamedTuple):
    """A number, and what it was measured on.

    Attributes:
        value: the number.
        on: the case.
        floor: what it would be if mincli did no more than start Python with NumPy and copy the bytes as `cat` does.
    """

    value: float
    on: str
    floor: float | None = None


Measure = Callable[[Results], Measured | None]


class Bar(NamedTuple):
    """A bar.

    Attributes:
        what: is measured.
        limit: of the number.
        least: whether the number has to be at least the limit, or at most.
        measure: finds the number in results; None if they do not have it.
    """

    what: str
    limit: float
    least: bool
    measure: Measure

    def met(self, value: float) -> bool:
        """Whether a number reaches the bar."""
        return value >= self.limit if self.least else value <= self.limit


def at_most(what: str, limit: float, measure: Measure) -> Bar:
    """Return a bar to stay below."""
    return Bar(what, limit, False, measure)


def at_least(what: str, limit: float, measure: Measure) -> Bar:
    """Return a bar to stay above."""
    return Bar(what, limit, True, measure)


def shares(family: str, group: str, peer: str, names: Sequence[str] = ()) -> Measure:
    """Measure mincli's time as a share of a peer's: the worst of some cases, or of all in a group."""

    def measure(results: Results) -> Measured | None:
        records = (r for r in results.of(family) if r.group == group and (not names or r.name in names))
        measured = (Measured(share(r, peer).median, r.name, _floor(results, r, peer)) for r in _with(records, peer))
        return max(measured, default=None)

    return measure


def _floor(results: Results, record: Record, peer: str) -> float | None:
    """Return the share of a peer's time that importing NumPy and copying take; None if they were not measured."""
    imports = [seconds(r, "import numpy") for r in results.of("start") if "import numpy" in r.outcome.samples]
    if not imports or "cat" not in record.outcome.samples:
        return None
    return (median(imports) + seconds(record, "cat")) / seconds(record, peer)


def counted(records: Sequence[Record]) -> list[Record]:
    """Return those kernels that count for the bars: all but the ones with unusual values."""
    return [record for record in records if not record.group.startswith("unusual values")]


def _kernels(results: Results, peer: str, one_thread: bool) -> list[Record]:
    records = counted(results.of("kernels"))
    return [r for r in _with(records, peer) if r.group.endswith(", 1 thread") == one_thread]


def mean(peer: str, *, one_thread: bool) -> Measure:
    """Measure how many times as fast as a peer the kernels are, in the geometric mean."""

    def measure(results: Results) -> Measured | None:
        records = _kernels(results, peer, one_thread)
        return Measured(mean_speed(records, peer), f"{len(records)} cases") if records else None

    return measure


def worst(peer: str, *, one_thread: bool) -> Measure:
    """Measure how many times as fast as a peer the kernels are, in the worst case."""

    def measure(results: Results) -> Measured | None:
        records = _kernels(results, peer, one_thread)
        return min((Measured(speed(r, peer).median, f"{r.group}: {r.name}") for r in records), default=None)

    return measure


def greatest_peak(results: Results) -> Measured | None:
    """Measure the peak of mincli's resident memory in MiB: the greatest of all files."""
    records = [r for r in [*results.of("files"), *results.of("growth")] if "mincli" in r.outcome.samples]
    return max((Measured(peak(r, "mincli") / MIB, f"{r.group}: {r.name}") for r in records), default=None)


def growth_of_peak(results: Results) -> Measured | None:
    """Measure how many times the peak at 64 MiB that at 4 GiB is."""
    found = []
    for group in ("min by size", "reduce-min by size"):
        small, large = (_growth(results, group, nbytes(size)) for size in (64 * MIB, 4 * GIB))
        if small and large:
            found.append(Measured(peak(large, "mincli") / peak(small, "mincli"), group))
    return max(found, default=None)


def per_byte(many: str, few: str) -> Measure:
    """Measure the time for each byte read and written with many inputs, as a multiple of that with few."""

    def measure(results: Results) -> Measured | None:
        records = [_growth(results, "min by inputs", name) for name in (many, few)]
        times = [seconds(r, "mincli") / (r.read + r.written) for r in records if r]
        return Measured(times[0] / times[1], f"{many} and {few}") if len(times) == 2 else None

    return measure


def per_node(results: Results) -> Measured | None:
    """Measure the time for each node of the largest model, as a multiple of that of the smallest: the worst group."""
    found = []
    for group in {record.group for record in results.of("lint")}:
        members = [r for r in results.of("lint") if r.group == group and "mincli" in r.outcome.samples]
        times = [seconds(r, "mincli") / int(r.name.split()[0]) for r in members]
        if len(times) > 1:
            found.append(Measured(times[-1] / times[0], f"{group}: {members[-1].name} and {members[0].name}"))
    return max(found, default=None)


def _with(records: Iterable[Record], peer: str) -> Iterable[Record]:
    return (record for record in records if peer in record.peers)


def _growth(results: Results, group: str, name: str) -> Record | None:
    found = (r for r in results.of("growth") if (r.group, r.name) == (group, name) and "mincli" in r.outcome.samples)
    return next(found, None)


_MIN, _MIN_1_GIB = ([minimum("float32", 2, size).name] for size in (256 * MIB, GIB))
_FLOAT16, _BFLOAT16 = ([minimum(element, 2, 256 * MIB).name] for element in ("float16", "bfloat16"))
_SHORT = [reduction(pattern, "float32", GIB).name for pattern in SHORT_LAST_AXIS]
_REDUCE = "reduce-min of 1 GiB"

BARS = (
    at_most("2 x 256 MiB float32 `min` against `cat`", 1.5, shares("files", "min", "cat", _MIN)),
    at_most("2 x 1 GiB float32 `min` against `cat`", 1.3, shares("files", "min", "cat", _MIN_1_GIB)),
    at_most("2 x 256 MiB float32 `min` against NumPy", 0.5, shares("files", "min", "numpy", _MIN)),
    at_most("2 x 256 MiB float16 `min` against NumPy", 0.15, shares("files", "min", "numpy", _FLOAT16)),
    at_most("2 x 256 MiB bfloat16 `min` against NumPy", 0.3, shares("files", "min", "numpy", _BFLOAT16)),
    at_most("`reduce-min` of 1 GiB against NumPy, worst pattern", 0.6, shares("files", _REDUCE, "numpy")),
    at_most("`reduce-min` of 1 GiB against NumPy, short last axis", 0.2, shares("files", _REDUCE, "numpy", _SHORT)),
    at_most("peak memory in MiB, greatest of all files", 64, greatest_peak),
    at_most("peak memory at 4 GiB against 64 MiB", 1.05, growth_of_peak),
    at_least("kernels, 1 thread: times as fast as NumPy, mean", 3, mean("numpy", one_thread=True)),
    at_least("kernels, all threads: times as fast as NumPy, mean", 3, mean("numpy", one_thread=False)),
    at_least("kernels, 1 thread: times as fast as onnxruntime, mean", 1.2, mean("onnxruntime", one_thread=True)),
    at_least("kernels, all threads: times as fast as onnxruntime, mean", 1.2, mean("onnxruntime", one_thread=False)),
    at_least("kernels, 1 thread: times as fast as torch, mean", 1, mean("torch", one_thread=True)),
    at_least("kernels, all threads: times as fast as torch, mean", 1, mean("torch", one_thread=False)),
    at_least("kernels, 1 thread: times as fast as NumPy, worst", 0.95, worst("numpy", one_thread=True)),
    at_least("kernels, all threads: times as fast as NumPy, worst", 0.95, worst("numpy", one_thread=False)),
    at_most(
        'tiny `min` against `python -c "import numpy, click"`',
        1.25,
        shares("start", "start", "import numpy, click", ["mincli min A B -o OUT"]),
    ),
    at_most("1000 inputs against 2, per byte", 1.5, per_byte("1000 x 1 MiB", "2 x 1 MiB")),
    at_most("1000 inputs against 2 of as many bytes, per byte", 1.5, per_byte("1000 x 1 MiB", "2 x 500 MiB")),
    at_most(
        "`check_model` of 10,000 nodes against onnx's checker",
        3,
        shares("lint", BLOCKS, CHECKER, ["10000 nodes"]),
    ),
    at_most("`check_model`, time per node: the largest model against the smallest", 2, per_node),
)
"""NumPy has one thread, whatever mincli has."""
