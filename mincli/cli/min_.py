"""`mincli min`: element-wise minimum of arrays in files."""

from typing import Any

import click

from mincli.cli import options, report, stdout
from mincli.spec.operators import Standard

NAMES = {Standard.ONNX: "Min", Standard.ONEDNN: "Minimum"}

HELP = f"""Element-wise minimum of arrays: ONNX Min, or oneDNN Graph Minimum.

{options.INPUTS} Without -o the result is shown on stdout, shortened past 1000 elements.

{options.NAN_AND_ZEROS}

\b
Examples:
  mincli min a.npy b.npy -o out.npy
  mincli min a.npy row.npy --opset 8 --dry-run
  mincli min a.npy b.npy -o - | mincli reduce-min -
"""


@click.command("min", help=HELP, short_help="Element-wise minimum of arrays.")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@options.common
@options.AUTO_BROADCAST
def command(
    inputs: tuple[str, ...],
    opset: int | None,
    spec: str,
    auto_broadcast: str | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    **common: Any,
) -> None:
    """Run the command: see HELP."""
    from mincli import jobs

    version = options.version_of(NAMES, opset, spec)
    if auto_broadcast and version.standard is not Standard.ONEDNN:
        raise click.UsageError("--auto-broadcast goes with --spec onednn")
    request = options.request(version, as_json=as_json, quiet=quiet, verbose=verbose, **common)
    with stdout.written(request.output):
        done = jobs.minimum_of_files(inputs, request, broadcast=auto_broadcast != "none")
    report.show(done, inputs, as_json=as_json, quiet=quiet, verbose=verbose)
