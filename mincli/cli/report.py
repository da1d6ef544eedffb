"""What a job did: its result, its summary, its JSON document."""

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import click

from mincli import __version__
from mincli.cli.render import columns, document, shows_summary, to_stderr
from mincli.errors import counted, printable
from mincli.spec.operators import Standard
from mincli.spec.shapes import in_words

if TYPE_CHECKING:
    from mincli.jobs import Report


def show(job: "Report", inputs: Sequence[str], *, as_json: bool, quiet: bool, verbose: bool) -> None:
    """Show what a job did: its result, or the JSON document, or the plan; and its summary.

    Args:
        job: what it did.
        inputs: its inputs, as they were given.
        as_json: the JSON document instead of the result or the plan.
        quiet: no notes and no summary.
        verbose: a summary even where stderr is no terminal.

    Raises:
        OutputError: standard output is closed or cannot be written.
    """
    from mincli.cli import arrays

    summary = "\n".join(_summary(job))
    if not quiet:
        for note in _notes(job, as_json=as_json):
            to_stderr(click.style("note:", fg="cyan") + f" {note}")
    if as_json:
        import json

        document(json.dumps(_facts(job, inputs), indent=2))
    elif job.request.dry_run:
        document(summary)
    elif job.result is not None:
        document(arrays.as_text(job.result, job.element))
    if not job.request.dry_run and shows_summary(quiet=quiet, verbose=verbose):
        to_stderr(summary)


def _notes(job: "Report", *, as_json: bool) -> list[str]:
    """Return what a user would otherwise not notice."""
    from mincli.cli import arrays

    notes = []
    if job.request.raw and not any(tensor.note for tensor in job.inputs):
        notes.append(f"--dtype {job.request.raw} has no effect: no input has raw elements")
    if job.result is not None and not as_json and job.result.size > arrays.MAX_SHOWN:
        notes.append(f"the result is shortened: it has {job.result.size} elements; -o PATH writes them all")
    return notes


def _summary(job: "Report") -> list[str]:
    version, output = job.request.version, job.request.output
    opset = f" ({version.opsets})" if version.opsets else ""
    attributes = "".join(f", {name} {_plain(value)}" for name, value in job.attributes.items())
    rows = [
        (
            "",
            tensor.name,
            tensor.element.name,
            in_words(tensor.shape),
            _traits(tensor, job.shape, job.attributes),
        )
        for tensor in job.inputs
    ]
    shown = "result" if output is None else "standard output" if output == "-" else printable(output)
    rows.append(("->", shown, job.element.name, in_words(job.shape), f"{job.nbytes} bytes"))
    lines = [click.style(version.label, bold=True) + opset + attributes, *columns(rows, right=-2)]
    if job.request.dry_run:
        lines.append(f"dry run: {_size(job.bytes_moved)} to read and write, {_resources(job)}; nothing was written")
    else:
        rate = f" ({job.bytes_moved / job.seconds / 1e9:.2f} GB/s)" if job.bytes_moved > 1 << 20 else ""
        lines.append(f"{_size(job.bytes_moved)} read and written in {job.seconds:.3f} s{rate}, {_resources(job)}")
    if job.origins:
        total = max(sum(job.origins.from_input) + job.origins.nan, 1)
        for tensor, count in zip(job.inputs, job.origins.from_input, strict=False):  # a reduction counts NaNs alone
            lines.append(f"{count} elements from {tensor.name} ({count / total:.1%})")
        lines.append(f"{job.origins.nan} elements of the result are NaN")
    return lines


def _traits(tensor: Any, shape: tuple[int, ...], attributes: dict[str, object]) -> str:
    traits = [tensor.layout]
    if tensor.note:
        traits.append(tensor.note)
    if "axes" not in attributes and (axes := _broadcast_axes(tensor.shape, shape)):
        traits.append(f"broadcast along {'axis' if len(axes) == 1 else 'axes'} {', '.join(map(str, axes))}")
    return ", ".join(traits)


def _broadcast_axes(own: tuple[int, ...], shape: tuple[int, ...]) -> list[int]:
    """Return the axes of the result along which an input is repeated."""
    padded = (1,) * (len(shape) - len(own)) + own
    return [axis for axis, (size, full) in enumerate(zip(padded, shape, strict=True)) if size != full]


def _facts(job: "Report", inputs: Sequence[str]) -> dict[str, Any]:
    """Return what `--json` shows; its names are data, as they were given: JSON has escapes of its own."""
    from mincli.cli import arrays

    version = job.request.version
    facts: dict[str, Any] = {
        "mincli": __version__,
        "standard": str(version.standard),
        "operator": version.name,
        "since_version": version.since_version if version.standard is Standard.ONNX else None,
        "attributes": job.attributes,
        "inputs": [
            {
                "name": tensor.name if given == "-" else given,
                "type": tensor.element.name,
                "shape": tensor.shape,
                "layout": tensor.layout,
                "note": tensor.note or None,
                "bytes": tensor.nbytes,
            }
            for given, tensor in zip(inputs, job.inputs, strict=True)
        ],
        "output": {
            "path": job.request.output,
            "type": job.element.name,
            "shape": job.shape,
            "bytes": job.nbytes,
        },
        "dry_run": job.request.dry_run,
        "threads": job.plan.threads,
        "memory": job.plan.memory,
        "seconds": round(job.seconds, 6),
    }
    if job.result is not None:
        values = prod(max(size, 1) for size in job.shape)  # an empty row is shown, too, and there may be many
        facts["result"] = arrays.as_json(job.result, job.element) if values <= arrays.MAX_SHOWN else None
    if job.origins:
        facts["from_input"] = job.origins.from_input
        facts["nan"] = job.origins.nan
    return facts


def _plain(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value)) or "none"
    return str(value).lower()


def _resources(job: "Report") -> str:
    return f"{counted(job.plan.threads, 'thread')}, {_size(job.plan.memory)} of buffers"


def _size(count: int) -> str:
    """Return a number of bytes in words.

    >>> _size(3 << 20)
    '3.0 MiB'
    """
    if count < 1024:
        return f"{count} bytes"
    size = float(count)
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        size /= 1024
        if size < 1024 or unit == "TiB":
            break
    return f"{size:.1f} {unit}"
