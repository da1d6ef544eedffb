"""Plots, in SVG. Without matplotlib there are none."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.case import MIB
from bench.peers import PEERS
from bench.record import Record, Results
from bench.report.tables import peers_of
from bench.stats import Spread, peak, seconds, share, speed

_COLORS = dict(zip(PEERS, ("black", "tab:gray", "tab:blue", "tab:red", "tab:green", "tab:purple"), strict=True))


def draw(results: Results, folder: Path) -> dict[str, Path]:
    """Draw the families that are in `results`; return the paths of the plots by family."""
    if not find_spec("matplotlib"):
        return {}
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams |= {
        "svg.fonttype": "none",
        "svg.hashsalt": "mincli",
        "font.size": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    paths = {}
    for family, figure_of in _FIGURES.items():
        if records := results.of(family):
            paths[family] = folder / f"{family}.svg"
            figure_of(records).savefig(paths[family], bbox_inches="tight", metadata={"Date": None})
    return paths


def _files(records: Sequence[Record]) -> Any:
    figure, (axes,) = _figure(1, height=0.16 * len(records) + 1)
    _dots(axes, records, share, [f"{r.group.partition(' of')[0]}: {r.name}" for r in records])
    axes.set_xlabel("mincli's time as a share of the peer's; left of the line mincli is faster")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=6, frameon=False)
    return figure


def _kernels(records: Sequence[Record]) -> Any:
    settings = sorted({record.group.rpartition(", ")[2] for record in records})
    panels = [[r for r in records if r.group.endswith(f", {threads}")] for threads in settings]
    figure, all_axes = _figure(len(panels), height=0.16 * len(panels[0]) + 1)
    for axes, members, threads in zip(all_axes, panels, settings, strict=True):
        _dots(axes, members, speed, [f"{r.group.partition(',')[0]}: {r.name}" for r in members])
        axes.set_title(threads)
    figure.supxlabel("times as fast as the peer; right of the line mincli is faster")
    figure.legend(*all_axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    return figure


def _start(records: Sequence[Record]) -> Any:
    times = {f'python -c "{peer}"': seconds(records[0], peer) for peer in records[0].peers}
    times |= {record.name: seconds(record, "mincli") for record in records if record.peers}
    figure, (axes,) = _figure(1, height=0.25 * len(times) + 0.6)
    colors = ["black" if name.startswith("mincli") else "tab:gray" for name in times]
    axes.barh(range(len(times)), [1000 * value for value in times.values()], color=colors)
    axes.set_yticks(range(len(times)), list(times))
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds")
    return figure


def _growth(records: Sequence[Record]) -> Any:
    figure, (times, memory) = _figure(2, height=3.5, shared=False)
    for group, style in (("min by size", "-"), ("reduce-min by size", ":")):
        members = [record for record in records if record.group == group]
        for name in ("mincli", *peers_of(members)):
            measured = [record for record in members if name in record.outcome.samples]
            options = {
                "color": _COLORS[name],
                "linestyle": style,
                "marker": ".",
                "label": f"{group.split()[0]}, {name}",
            }
            times.plot([r.read for r in measured], [seconds(r, name) for r in measured], **options)
            if PEERS[name].computes:
                memory.plot([r.read for r in measured], [peak(r, name) / MIB for r in measured], **options)
    for axes, label in ((times, "seconds"), (memory, "peak of resident memory, MiB")):
        sizes = {record.read: record.name for record in records if record.group.endswith("by size")}
        _logarithmic(axes.yaxis)
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(sizes), list(sizes.values()), rotation=30)
        axes.set_ylabel(label)
    memory.set_ylim(bottom=10)
    figure.legend(*times.get_legend_handles_labels(), loc="outside upper center", ncols=6, frameon=False)
    return figure


def _lint(records: Sequence[Record]) -> Any:
    figure, (axes,) = _figure(1, height=3.5)
    groups = list(dict.fromkeys(record.group for record in records))
    for group, style in zip(groups, ("-", ":"), strict=True):
        members = [record for record in records if record.group == group and record.peers]
        for name, color in (("mincli", "black"), *((peer, "tab:blue") for peer in peers_of(members))):
            nodes = [int(record.name.split()[0]) for record in members]
            times = [1000 * seconds(record, name) for record in members]
            axes.plot(nodes, times, color=color, linestyle=style, marker=".", label=f"{group}, {name}")
    for axis in (axes.xaxis, axes.yaxis):
        _logarithmic(axis)
    axes.set_xlabel("nodes")
    axes.set_ylabel("milliseconds")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    return figure


_FIGURES: dict[str, Callable[[Sequence[Record]], Any]] = {
    "files": _files,
    "kernels": _kernels,
    "start": _start,
    "growth": _growth,
    "lint": _lint,
}


def _figure(panels: int, height: float, *, shared: bool = True) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, height), layout="constrained")
    return figure, figure.subplots(1, panels, squeeze=False, sharey=shared)[0]


def _dots(axes: Any, records: Sequence[Record], ratio: Callable[[Record, str], Spread], labels: Sequence[str]) -> None:
    """Draw a row for each record and in it a dot for the ratio to each peer, with its quartiles."""
    for peer in peers_of(records):
        rows = [row for row, record in enumerate(records) if peer in record.peers]
        spreads = [ratio(records[row], peer) for row in rows]
        axes.hlines(rows, [s.low for s in spreads], [s.high for s in spreads], color=_COLORS[peer], linewidth=1)
        axes.plot([s.median for s in spreads], rows, ".", color=_COLORS[peer], label=peer)
    axes.axvline(1, color="black", linewidth=0.5)
    _logarithmic(axes.xaxis)
    axes.set_yticks(range(len(records)), labels)
    axes.set_ylim(len(records) - 0.5, -0.5)
    axes.grid(axis="y", linewidth=0.2)


def _logarithmic(axis: Any) -> None:
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("")
