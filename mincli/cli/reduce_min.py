"""`mincli reduce-min`: minimum of an array in a file along axes."""

from typing import Any

import click

from mincli.cli import options, report, stdout
from mincli.spec.operators import Standard

NAMES = {Standard.ONNX: "ReduceMin", Standard.ONEDNN: "ReduceMin"}

HELP = f"""Minimum of an array along axes: ONNX ReduceMin, or oneDNN Graph ReduceMin.

{options.INPUTS} Without -o the result is shown on stdout: one element as the bare number, more than 1000
shortened.

{options.NAN_AND_ZEROS} The minimum of no elements is +inf, the greatest integer
or True. Without --axes ONNX reduces all axes and oneDNN none.

\b
Examples:
  lowest=$(mincli reduce-min x.npy)
  mincli reduce-min x.npy --axes 0,-1 --no-keepdims -o out.npy
  mincli reduce-min x.npy --axes "" --noop-with-empty-axes -o copy.npy
"""


@click.command("reduce-min", help=HELP, short_help="Minimum of an array along axes.")
@click.argument("input_", metavar="INPUT")
@options.common
@options.AXES
@options.KEEPDIMS
@options.NOOP_WITH_EMPTY_AXES
def command(
    input_: str,
    opset: int | None,
    spec: str,
    axes: list[int] | str | None,
    keepdims: bool,
    noop_with_empty_axes: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    **common: Any,
) -> None:
    """Run the command: see HELP."""
    from mincli import jobs

    version = options.version_of(NAMES, opset, spec)
    request = options.request(version, as_json=as_json, quiet=quiet, verbose=verbose, **common)
    with stdout.written(request.output):
        done = jobs.reduce_min_of_file(
            input_, request, axes=axes, keepdims=keepdims, noop_with_empty_axes=noop_with_empty_axes
        )
    report.show(done, [input_], as_json=as_json, quiet=quiet, verbose=verbose)
