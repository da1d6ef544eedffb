"""The page of tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from bench.record import Record, Results
from bench.report.bars import BARS, counted
from bench.report.tables import comparison, number, peaks, peers_of, table
from bench.stats import mean_speed, share, speed

INTRODUCTIONS = {
    "files": "Whole processes, from .npy files in the page cache to a .npy file. Under a peer stands mincli's time as a"
    " share of the peer's, so that below 1 mincli is faster; in parentheses its quartiles, and then the peer's own"
    " time. `cat` reads the inputs to /dev/null and writes as many bytes as the result has: the limit.",
    "kernels": "In memory, 64 MiB an operand, the output given. Under a peer stands how many times as fast as the peer"
    " mincli is, so that above 1 mincli is faster; in parentheses its quartiles, and then the peer's own time. NumPy"
    " has one thread, whatever the others have. Unusual values (ReLU: all negative numbers made 0; NaN: one in a"
    " hundred) have tables of their own and do not count for the bars.",
    "start": "Commands that have nearly nothing to do, against bare imports, `python -c` with the program that is the"
    " column's head. Shares and times as under Files.",
    "growth": "More bytes, and more inputs; sizes are those of all inputs together. Shares and times as under Files.",
    "lint": "Models in memory, all their faults found by `check_model`, beside onnx's checker with all its checks,"
    " which stops at the first. They have none. Shares and times as under Files.",
}

_WITHOUT_PEAKS = ("start", "lint")
"""Families of which the memory is not told."""

_MOST_ROWS = 40
"""Of the cases where a peer is faster."""


def page(results: Results, plots: Mapping[str, str]) -> str:
    """Return the page in Markdown.

    Args:
        results: of a run, whole or in part.
        plots: by family, the path of its plot from the page.
    """
    run = results.about["run"]
    parts = [
        "# Benchmarks",
        f"Measured by `python -m bench{' --quick' * run['quick']}` on {run['date']}, in {run['minutes']} minutes."
        " mincli and its peers ran in turns, after a run of each to warm up; a ratio is the median of the ratios of the"
        " rounds. Their results were compared: values, where NaN equals NaN and -0 equals +0.",
        table(["machine", ""], results.about["machine"].items()),
        table(["version of", ""], results.about["versions"].items()),
        "## What has to be reached",
        table(["what", "bar", "measured", "on", "", "floor"], _bars(results)),
        "The floor is what the number would be if mincli only started Python with NumPy and copied the bytes as `cat`"
        " does: no program on NumPy can be below it.",
    ]
    for family, introduction in INTRODUCTIONS.items():
        if records := results.of(family):
            parts += [f"## {family.capitalize()}", introduction]
            parts.append(
                f"![{family}]({plots[family]})" if family in plots else "No plot: matplotlib is not installed."
            )
            parts += _kernels(records) if family == "kernels" else _processes(records)
    return "\n\n".join([*parts, *_exceptions(results.records)]) + "\n"


def _bars(results: Results) -> Iterator[Sequence[str]]:
    for bar in BARS:
        limit = f"at {'least' if bar.least else 'most'} {bar.limit}"
        measured = bar.measure(results)
        if measured is None:
            yield bar.what, limit, "", "", "not measured", ""
        else:
            verdict = "met" if bar.met(measured.value) else "**not met**"
            floor = "" if measured.floor is None else number(measured.floor)
            yield bar.what, limit, number(measured.value), measured.on, verdict, floor


def _processes(records: Sequence[Record]) -> Iterator[str]:
    for group, members in _groups(records):
        yield f"### {group}"
        yield comparison(members, share)
        if members[0].family not in _WITHOUT_PEAKS:
            yield "Peak of resident memory in MiB:"
            yield peaks(members)


def _kernels(records: Sequence[Record]) -> Iterator[str]:
    summary: list[Sequence[str]] = []
    slower: list[tuple[float, str, str]] = []
    for threads, members in _groups(counted(records), _threads):
        for peer in peers_of(members):
            found = [r for r in members if peer in r.peers]
            ranked = sorted((speed(r, peer).median, f"{r.group}: {r.name}", peer) for r in found)
            behind = [entry for entry in ranked if entry[0] < 1]
            mean = number(mean_speed(found, peer))
            summary.append((peer, threads, str(len(found)), mean, number(ranked[0][0]), str(len(behind))))
            slower += behind
    yield table(["peer", "threads", "cases", "times as fast, mean", "worst", "cases where the peer is faster"], summary)
    if slower:
        yield "Where a peer is faster, worst first:"
        rows = [(name, peer, number(value)) for value, name, peer in sorted(slower)]
        more = [(f"and {len(rows) - _MOST_ROWS} more", "", "")] if len(rows) > _MOST_ROWS else []
        yield table(["case", "peer", "mincli is times as fast"], [*rows[:_MOST_ROWS], *more])
    for group, members in _groups(records):
        yield f"### {group}"
        yield comparison(members, speed)


def _exceptions(records: Sequence[Record]) -> Iterator[str]:
    """Name who was left out, and whose results differed."""
    for title, facts in (
        ("Left out", [(r, r.outcome.left_out) for r in records]),
        ("Other results than mincli's", [(r, r.outcome.differs) for r in records]),
    ):
        cases: dict[tuple[str, str], list[str]] = {}
        for record, whys in facts:
            for peer, why in whys.items():
                cases.setdefault((peer, why), []).append(f"{record.group}: {record.name}")
        if cases:
            yield f"## {title}"
            rows = [(peer, why, _some(names)) for (peer, why), names in cases.items()]
            yield table(["who", "why", "where"], rows)


def _some(names: Sequence[str]) -> str:
    return "; ".join(names[:3]) + (f"; and {len(names) - 3} more" if len(names) > 3 else "")


def _threads(record: Record) -> str:
    return record.group.rpartition(", ")[2]


def _groups(
    records: Sequence[Record], key: Callable[[Record], str] = lambda record: record.group
) -> list[tuple[str, list[Record]]]:
    return [(name, list(members)) for name, members in groupby(sorted(records, key=key), key)]
