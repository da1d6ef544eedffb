"""`mincli run-model`: run an ONNX model, compare what it gives, look into it."""

import math
import re
from typing import Any

import click

from mincli.cli.options import check_volume, quiet_option
from mincli.cli.values import Count
from mincli.errors import ExitCode

ENGINES = ("reference", "onnxruntime")
"""Those of `models.engines`, which takes too long to import for a help text."""

HELP = """Run an ONNX model, compare what it gives, and look into it.

INPUT is a file, or NAME=FILE: bare files are the graph's inputs in order. A path that exists is always a file, whatever
it holds: to give the input a the file b where there is a file a=b as well, write a=./b. A file is a .npy file, a member
of an .npz or .safetensors file (file.npz:name), a TensorProto, SequenceProto, OptionalProto or MapProto (.pb), a pipe,
or - for .npy bytes on stdin. Names, element types and shapes are checked against the graph before anything runs.
Without -o the outputs are shown, small ones with their values.

The reference engine computes each operator by the rules of the opset that the model imports. onnxruntime is an extra
(pip install 'mincli[onnxruntime]'), and runs in a process of its own.

Floats are the same if abs(got - want) <= atol + rtol * abs(want); NaN equals NaN, -0 equals +0, and integers have to be
equal. A difference, or what --fail-on-nan finds, ends with exit code 1.

\b
Examples:
  mincli run-model model.onnx x.npy mask=m.npy -o outputs
  mincli run-model model.onnx --test-data .
  mincli run-model model.onnx --random --dim batch=2 --compare onnxruntime
  mincli run-model model.onnx x.npy --fail-on-nan --stats
"""


def _dims(_context: click.Context, _option: click.Parameter, words: tuple[str, ...]) -> dict[str, int]:
    """Parse `NAME=N`, split at the last `=`."""
    return {name: sizes[0] for name, sizes in _pairs(words, r"(.+)=([0-9]{1,18})", "batch=2").items()}


def _shapes(_context: click.Context, _option: click.Parameter, words: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """Parse `NAME:2,3`, split at the last `:`; nothing behind it is the shape of a scalar."""
    return _pairs(words, r"(.+):([0-9]{1,18}(?:,[0-9]{1,18})*|)", "x:2,3")


def _pairs(words: tuple[str, ...], pattern: str, example: str) -> dict[str, tuple[int, ...]]:
    pairs: dict[str, tuple[int, ...]] = {}
    for word in words:
        match = re.fullmatch(pattern, word, re.DOTALL)
        if match is None:
            raise click.BadParameter(f"{word!r} cannot be read; write it like {example}")
        if match[1] in pairs:
            raise click.BadParameter(f"{match[1]!r} is given twice")
        pairs[match[1]] = tuple(int(size) for size in match[2].split(",") if size)
    return pairs


def _tolerance(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 0 <= value < math.inf:
        raise click.BadParameter(f"{value} is no tolerance; it is a finite number from 0 on")
    return value


@click.command("run-model", help=HELP, short_help="Run an ONNX model, compare, look into it.")
@click.argument("model")
@click.argument("inputs", metavar="[INPUT]...", nargs=-1)
@click.option(
    "-o",
    "--output",
    metavar="DIR|FILE.npz",
    help="Write the outputs: each to a .npy file in DIR (.pb if it is no tensor), or all to an archive.",
)
@click.option(
    "--test-data",
    metavar="DIR",
    help="Run and compare ONNX test data: test_data_set_*/input_N.pb, output_N.pb; DIR is one set or their parent.",
)
@click.option(
    "--expect",
    metavar="NAME=FILE|DIR|FILE.npz",
    multiple=True,
    help="Compare an output with a saved one, or all with those in the folder or archive that -o wrote. Repeatable.",
)
@click.option("--rtol", type=float, metavar="F", callback=_tolerance, help="Relative tolerance (default: 1e-3).")
@click.option("--atol", type=float, metavar="F", callback=_tolerance, help="Absolute tolerance (default: 1e-7).")
@click.option("--max-ulp", type=Count(0), metavar="N", help="Compare floats by units in the last place instead.")
@click.option(
    "--engine", type=click.Choice(ENGINES), default=ENGINES[0], show_default=True, help="What runs the model."
)
@click.option(
    "--compare",
    "other",
    type=click.Choice(ENGINES),
    help="Run this engine too and compare every output; with --save-intermediates every tensor, so that the first that "
    "differs is named.",
)
@click.option("--random", is_flag=True, help="Make the inputs that are not given.")
@click.option("--seed", type=Count(0), metavar="N", help="Of the random inputs (default: 0).")
@click.option(
    "--dim",
    "dims",
    metavar="NAME=N",
    multiple=True,
    callback=_dims,
    help="The size of a symbolic dimension of random inputs. Repeatable.",
)
@click.option(
    "--input-shape",
    "shapes",
    metavar="NAME:2,3",
    multiple=True,
    callback=_shapes,
    help="The shape of a random input. Repeatable.",
)
@click.option(
    "--save-intermediates",
    "intermediates",
    metavar="DIR",
    help="Write every tensor that a node of the main graph makes.",
)
@click.option(
    "--stats",
    is_flag=True,
    help="A row per tensor of the main graph: type, shape, min, max and mean of what is finite, NaN, Inf.",
)
@click.option(
    "--fail-on-nan",
    is_flag=True,
    help="Exit 1 if a node of the main graph makes NaN or infinity out of finite inputs; name the first. Element-wise "
    "operators are judged element by element, reductions by the elements along their axes, all others by all of their "
    "inputs.",
)
@click.option("--profile", is_flag=True, help="The time per operator and per node of the reference engine.")
@click.option(
    "--save-case",
    "case",
    metavar="DIR",
    help="Write model.onnx and test_data_set_0 to a new folder: a case that any ONNX backend can replay.",
)
@click.option("--json", "as_json", is_flag=True, help="All of it as one JSON document on stdout.")
@quiet_option("No summary and no progress; all else is shown.")
@click.option("-v", "--verbose", is_flag=True, help="Always a summary: versions, inputs, time.")
def command(
    rtol: float | None,
    atol: float | None,
    max_ulp: int | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    **options: Any,
) -> ExitCode:
    """Run the command: see HELP."""
    compares = bool(options["test_data"] is not None or options["expect"] or options["other"])
    tolerances: dict[str, Any] = {"rtol": rtol, "atol": atol, "max_ulp": max_ulp}
    given = {name: value for name, value in tolerances.items() if value is not None}
    option = f"--{next(iter(given), '').replace('_', '-')}"
    check_volume(quiet=quiet, verbose=verbose)
    if max_ulp is not None and len(given) > 1:
        raise click.UsageError(f"{option} and --max-ulp exclude each other")
    if given and not compares:
        raise click.UsageError(f"{option} is of comparisons: add --expect, --test-data or --compare")
    if seed is not None and not options["random"]:
        raise click.UsageError("--seed is of random inputs: add --random")

    from mincli.cli import run_report
    from mincli.cli.progress import progress
    from mincli.models.compare import Tolerance
    from mincli.models.request import Request
    from mincli.models.run import run_model

    shown = None if quiet else progress()
    report = run_model(Request(tolerance=Tolerance(**given), seed=seed or 0, progress=shown, **options))
    run_report.show(report, as_json=as_json, quiet=quiet, verbose=verbose)
    if report.failure is not None:
        raise report.failure
    return ExitCode.FOUND if report.found else ExitCode.DONE
