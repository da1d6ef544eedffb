"""What `run-model` did, for people: outputs, differences, statistics, times; plain lines that can be searched."""

from collections.abc import Iterator, Sequence

import click

from mincli.cli import model_values, reproduce
from mincli.cli.render import columns, document, shows_summary, to_stderr, warning
from mincli.errors import EngineError, printable
from mincli.models.compare import EDGES, Comparison, Extreme
from mincli.models.inspection import Timing, by_node, by_operator
from mincli.models.run import Report, Run
from mincli.spec.shapes import in_words


def show(report: Report, *, as_json: bool, quiet: bool, verbose: bool) -> None:
    """Show what was done on stdout, and a summary on stderr.

    Args:
        report: what was done.
        as_json: the JSON document instead of text.
        quiet: no summary.
        verbose: a summary even where stderr is no terminal.

    Raises:
        OutputError: standard output is closed or cannot be written.
    """
    if as_json:
        from mincli.cli import run_json

        document(run_json.text(report))
    else:
        lines = list(_lines(report))
        if lines:
            document("\n".join(lines))
    for run in report.runs:
        for note in run.notes:
            warning(f"{_place(run)}{note}")
    if shows_summary(quiet=quiet, verbose=verbose):
        to_stderr("\n".join(_summary(report)))


def _lines(report: Report) -> Iterator[str]:
    request = report.request
    for run in report.runs:
        if request.test_data is None or report.files:
            yield from _outputs(report, run)
        yield from _differences(report, run)
        if run.failure is not None:
            yield f"{_place(run)}{_not_compared(report, run.failure)}"
        if request.stats:
            yield from _statistics(run)
        if request.fail_on_nan:
            yield from _non_finite(run)
    if request.profile:
        timings = [timing for run in report.runs for timing in run.inspector.timings]
        yield from _profile("operator", by_operator(timings))
        yield from _profile("node", by_node(timings))
    if report.intermediates:
        yield from columns([("->", printable(name), printable(file)) for name, file in report.intermediates.items()])
    yield from (f"case: {printable(file)}" for file in report.case)
    if len(report.runs) > 1:
        same = sum(not run.differs and run.failure is None for run in report.runs)
        yield f"{same} of {len(report.runs)} sets are the same"


def _outputs(report: Report, run: Run) -> list[str]:
    rows = []
    for name, value in run.outputs.items():
        file = report.files.get(name)
        last = f"-> {printable(file)}" if file else model_values.as_line(value)
        rows.append((printable(name), *model_values.type_and_shape(value), last))
    return columns(rows)


def _place(run: Run) -> str:
    return f"{printable(run.data.name)}: " if run.data.name else ""


def _differences(report: Report, run: Run) -> Iterator[str]:
    place = _place(run)
    for compared in run.compared:
        for comparison in compared.comparisons:
            yield from _difference(place, compared.against, comparison)
        if compared.first is not None and report.request.intermediates is not None:
            yield f"{place}the first that differs is {printable(compared.first.name)}, of {compared.first.node}"
    if run.differs:
        yield f"{place}reproduce with: {reproduce.command(report.request, run)}"


def _not_compared(report: "Report", failure: EngineError) -> str:
    """Say that the other engine failed; why is told of each of several sets here, and of the only run on stderr."""
    why = f": {printable(failure.message)}" if len(report.runs) > 1 else ""
    return f"{click.style(f'not compared with {report.request.other}', fg='red')}{why}"


def _difference(place: str, against: str, comparison: Comparison) -> Iterator[str]:
    name = f"{place}{printable(comparison.name)}"
    if comparison.same:
        verdict, style = f"is the same as {against}", "green"
        facts = comparison.got if comparison.absolute is None else f"{comparison.got}, {_nearly(comparison)}"
    else:
        verdict, style = f"differs from {against}", "red"
        facts = f"{comparison.mismatches} of {comparison.count} elements"
        if comparison.got != comparison.want:
            facts = f"it is {comparison.got}, and should be {comparison.want}"
    yield f"{name} {click.style(verdict, fg=style)}: {facts}"
    if comparison.same or not comparison.count:
        return
    for label, extreme in (
        ("absolute", comparison.absolute), ("relative", comparison.relative), ("ULP", comparison.ulp),
    ):  # fmt: skip
        if extreme is not None:
            yield f"  {label:<9} {_number(extreme.value)} at {_index(extreme)}"
    if comparison.nan_mismatches:
        yield f"  NaN       {comparison.nan_mismatches} on one side only"
    if comparison.inf_mismatches:
        yield f"  infinite  {comparison.inf_mismatches} on one side only, or of another sign"
    buckets = [f"{count} {_bucket(place)}" for place, count in enumerate(comparison.histogram) if count]
    if buckets:
        yield f"  finite    {', '.join(buckets)}"


def _nearly(comparison: Comparison) -> str:
    """Say how far values that count as the same are apart."""
    parts = []
    for label, extreme in (("", comparison.absolute), ("relative ", comparison.relative), ("ULP ", comparison.ulp)):
        if extreme is not None:
            parts.append(f"{label}{_number(extreme.value)} at {_index(extreme)}")
    return f"greatest difference {', '.join(parts)}"


def _bucket(place: int) -> str:
    if place == 0:
        return "equal"
    return f"differ by up to {EDGES[place]:g}" if place < len(EDGES) else f"by more than {EDGES[-1]:g}"


def _index(extreme: Extreme) -> str:
    return f"[{', '.join(map(str, extreme.index))}]"


def _statistics(run: Run) -> list[str]:
    table: list[Sequence[str]] = [("tensor", "type", "shape", "min", "max", "mean", "NaN", "Inf", "made by")]
    for row in run.inspector.statistics:
        name, numbers = f"{_place(run)}{printable(row.name)}", map(_number, (row.minimum, row.maximum, row.mean))
        table.append((name, row.element, in_words(row.shape), *numbers, str(row.nan), str(row.inf), row.maker))
    return columns(table)


def _non_finite(run: Run) -> Iterator[str]:
    found = run.inspector.non_finite
    place = _place(run)
    if found is None:
        yield f"{place}no node makes NaN or infinity out of finite inputs"
    else:
        counts = [f"{count} {what}" for count, what in ((found.nan, "NaN"), (found.inf, "infinite")) if count]
        yield (
            f"{place}{click.style(found.node, fg='red')} makes {' and '.join(counts)} out of finite inputs: "
            f"{printable(found.name)}, the first at [{', '.join(map(str, found.place))}]"
        )


def _profile(what: str, timings: Sequence[Timing]) -> list[str]:
    total = sum(timing.seconds for timing in timings) or 1.0
    rows = [(what, "calls", "ms", "share")]
    rows += [
        (printable(name), str(calls), f"{1000 * seconds:.3f}", f"{seconds / total:.1%}")
        for name, calls, seconds in timings
    ]
    return columns(rows)


def _summary(report: Report) -> list[str]:
    proto, request = report.model.proto, report.request
    opsets = ", ".join(f"{printable(domain or 'opset')} {opset}" for domain, opset in report.model.opsets.items())
    engines = request.engine if request.other is None else f"{request.engine} and {request.other}"
    seconds = sum(run.seconds for run in report.runs)
    lines = [f"{report.model.name}: IR version {proto.ir_version}, {opsets}, {len(proto.graph.node)} nodes"]
    for run in report.runs:
        lines += columns(
            [
                ("", printable(name), *model_values.type_and_shape(value), _origin(report, run, name))
                for name, value in run.data.inputs.items()
            ]
        )
    return [*lines, f"{engines}, {seconds:.3f} s"]


def _origin(report: Report, run: Run, name: str) -> str:
    file = run.data.files.get(name)
    return printable(file) if file else f"random, seed {report.request.seed}"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
