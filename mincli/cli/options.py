"""Options that several commands share, each defined once."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from mincli.cli.values import Count, parse_axes, parse_dtype, parse_size
from mincli.spec.dtypes import ElementType
from mincli.spec.operators import NEWEST_OPSET, OperatorVersion, Standard, resolve

if TYPE_CHECKING:
    from mincli.jobs import Request

INPUTS = """INPUT is a .npy file, a member of an .npz or .safetensors file (file.npz:name), a TensorProto (.pb), a pipe,
or - for .npy bytes on stdin."""
NAN_AND_ZEROS = "Any NaN gives NaN, whatever its place; -0 is less than +0."

Command = Callable[..., None]

OPSET = click.option(
    "--opset", type=Count(1, NEWEST_OPSET), metavar="N",
    help=f"ONNX opset of the operator (default: the newest, {NEWEST_OPSET}).",
)  # fmt: skip
SPEC = click.option(
    "--spec", type=click.Choice([s.value for s in Standard]), default=Standard.ONNX.value, show_default=True,
    help="Which standard defines the operator.",
)  # fmt: skip
DTYPE = click.option(
    "--dtype", metavar="TYPE", callback=parse_dtype,
    help="Read raw (V) elements as this ONNX type (V2 without it: bfloat16).",
)  # fmt: skip
AXES = click.option(
    "--axes", metavar="LIST", callback=parse_axes,
    help='Axes to reduce, such as 0,-1; "" means given but empty; @axes.npy reads an int64 vector.',
)  # fmt: skip
KEEPDIMS = click.option(
    "--keepdims/--no-keepdims", default=True, show_default=True, help="Keep reduced axes with extent 1."
)
NOOP_WITH_EMPTY_AXES = click.option(
    "--noop-with-empty-axes", is_flag=True, help="Absent or empty axes reduce nothing (opset 18 and newer)."
)
AUTO_BROADCAST = click.option(
    "--auto-broadcast", type=click.Choice(["numpy", "none"]), help="oneDNN's attribute: none needs equal shapes."
)


def quiet_option(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option `-q`, with what it leaves out and what is shown all the same."""
    return click.option("-q", "--quiet", is_flag=True, help=what)


_COMMON = (
    click.option(
        "-o", "--output", metavar="PATH",
        help="Write exactly there: a TensorProto to a path that ends in .pb, else .npy; - writes .npy bytes to stdout.",
    ),
    OPSET,
    SPEC,
    DTYPE,
    click.option(
        "-j", "--threads", type=Count(1), metavar="N", help="Threads (default: the CPUs this process may use)."
    ),
    click.option(
        "--max-memory", metavar="SIZE", callback=parse_size,
        help="Bound on all buffers together, such as 256MiB or 1GB (default: some 24MiB).",
    ),
    click.option("-n", "--no-clobber", is_flag=True, help="Refuse an output that exists."),
    click.option(
        "--dry-run", is_flag=True, help="Check everything and show the plan; compute and write nothing."
    ),
    click.option("--json", "as_json", is_flag=True, help="One JSON document about the run on stdout."),
    quiet_option("No summary, notes or progress; a result without -o is shown."),
    click.option(
        "-v", "--verbose", is_flag=True,
        help="Always a summary; min counts the elements from each input (of equals, the first), and NaNs.",
    ),
)  # fmt: skip


def common(command: Command) -> Command:
    """Add the options that `min` and `reduce-min` share.

    Args:
        command: the function to decorate.
    """
    for option in reversed(_COMMON):
        command = option(command)
    return command


def check_volume(*, quiet: bool, verbose: bool) -> None:
    """Refuse `--quiet` together with `--verbose`.

    Raises:
        click.UsageError: both are given.
    """
    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose exclude each other")


def standard_of(spec: str, opset: int | None) -> Standard:
    """Return the standard that `--spec` means.

    Args:
        spec: as given.
        opset: `--opset` as given, or None.

    Raises:
        click.UsageError: an opset together with oneDNN.
    """
    standard = Standard(spec)
    if opset is not None and standard is Standard.ONEDNN:
        raise click.UsageError("--opset goes with --spec onnx: oneDNN has no opsets")
    return standard


def version_of(names: dict[Standard, str], opset: int | None, spec: str) -> OperatorVersion:
    """Return the operator version that `--spec` and `--opset` mean.

    Args:
        names: the operator's name in each standard.
        opset: as given, or None.
        spec: as given.

    Raises:
        click.UsageError: an opset together with oneDNN.
    """
    standard = standard_of(spec, opset)
    return resolve(names[standard], opset, standard)


def request(
    version: OperatorVersion,
    *,
    output: str | None,
    dtype: ElementType | None,
    threads: int | None,
    max_memory: int,
    no_clobber: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> "Request":
    """Turn the common options into a request.

    Args:
        version: the operator version (see `version_of`).
        output: `--output` as given, or None.
        dtype: `--dtype` parsed, or None.
        threads: `--threads`, or None.
        max_memory: `--max-memory` in bytes; 0 if absent.
        no_clobber: whether `--no-clobber` is given; so are the flags that follow.
        dry_run: whether to stop after the plan.
        as_json: whether the JSON document goes to standard output.
        quiet: whether there is no summary.
        verbose: whether there always is one, and elements are counted.

    Raises:
        click.UsageError: a combination that makes no sense.
    """
    from mincli.cli.progress import progress
    from mincli.cli.stdout import is_stdout
    from mincli.jobs import Request
    from mincli.streaming.plan import Limits

    check_volume(quiet=quiet, verbose=verbose)
    if as_json and output is not None and is_stdout(output):
        raise click.UsageError(f"--json and -o {output} would both write to stdout")
    return Request(
        version,
        output=output,
        raw=dtype,
        limits=Limits(threads or 0, max_memory),
        clobber=not no_clobber,
        dry_run=dry_run,
        count_origins=verbose,
        progress=None if quiet else progress(),
    )
