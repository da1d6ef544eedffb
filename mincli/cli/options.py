"""Options that several commands share, each defined once, with the parsing of their values."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from mincli.spec.dtypes import BY_NAME, ElementType
from mincli.spec.operators import NEWEST_OPSET, OperatorVersion, Standard, resolve

if TYPE_CHECKING:
    from mincli.jobs import Request

Command = Callable[..., None]

_UNITS = {"": 1, "B": 1}
for _power, _letter in enumerate("KMGT", 1):
    _UNITS |= {_letter: 1024**_power, f"{_letter}IB": 1024**_power, f"{_letter}B": 1000**_power}


def parse_size(_context: click.Context, _option: click.Parameter, text: str | None) -> int:
    """Parse a number of bytes with a unit: `256MiB`, `1GB` (powers of 1000), `64K` (1024); 0 if absent."""
    if text is None:
        return 0
    match = re.fullmatch(r"([0-9]{1,18})(?:\.([0-9]{1,18}))?\s*([A-Za-z]*)", text.strip())
    size = 0
    if match:
        whole, fraction, unit = match[1], match[2] or "", _UNITS.get(match[3].upper(), 0)
        size = int(whole + fraction) * unit // 10 ** len(fraction)
    if not size:
        raise click.BadParameter(f"{text!r} is no size; write it like 256MiB or 1GB")
    return size


def parse_axes(_context: click.Context, _option: click.Parameter, text: str | None) -> list[int] | str | None:
    """Parse a list of axes `0,-1`, "" for given but empty, or `@FILE`, which returns the file's path."""
    if text is None or not text.strip():
        return None if text is None else []
    if text.startswith("@") and len(text) > 1:
        return text[1:]
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*(,\s*[+-]?[0-9]{1,18}\s*)*", text):
        raise click.BadParameter(f"{text!r} is no list of axes; write it like 0,-1 or @axes.npy")
    return [int(part) for part in text.split(",")]


def parse_dtype(_context: click.Context, _option: click.Parameter, name: str | None) -> ElementType | None:
    """Parse an element type's ONNX name; `float32` and `float64` are taken for float and double."""
    if name is None:
        return None
    element = BY_NAME.get({"float32": "float", "float64": "double"}.get(name.lower(), name.lower()))
    if element is None:
        raise click.BadParameter(f"{name!r} is no ONNX type; the types are {', '.join(BY_NAME)}")
    return element


_COMMON = (
    click.option(
        "-o", "--output", metavar="PATH",
        help="Write exactly there: a TensorProto to a path that ends in .pb, else .npy; - writes .npy bytes to stdout.",
    ),
    click.option(
        "--opset", type=click.IntRange(1, NEWEST_OPSET), metavar="N",
        help=f"ONNX opset of the operator (default: the newest, {NEWEST_OPSET}).",
    ),
    click.option(
        "--spec", type=click.Choice([s.value for s in Standard]), default=Standard.ONNX.value, show_default=True,
        help="Which standard defines the operator.",
    ),
    click.option(
        "--dtype", metavar="TYPE", callback=parse_dtype,
        help="Read raw (V) elements as this ONNX type (V2 without it: bfloat16).",
    ),
    click.option(
        "-j", "--threads", type=click.IntRange(1), metavar="N", help="Threads (default: the CPUs this process may use)."
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
    click.option("-q", "--quiet", is_flag=True, help="No summary."),
    click.option(
        "-v", "--verbose", is_flag=True,
        help="Always a summary; min counts the elements from each input (of equals, the first), and NaNs.",
    ),
)  # fmt: skip


def common(command: Command) -> Command:
    """Add the options that `min` and `reduce-min` share."""
    for option in reversed(_COMMON):
        command = option(command)
    return command


def version_of(names: dict[Standard, str], opset: int | None, spec: str) -> OperatorVersion:
    """Return the operator version that `--spec` and `--opset` mean.

    Args:
        names: the operator's name in each standard.
        opset: as given, or None.
        spec: as given.
    """
    standard = Standard(spec)
    if opset is not None and standard is Standard.ONEDNN:
        raise click.UsageError("--opset goes with --spec onnx: oneDNN has no opsets")
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
    """Turn the common options into a request; refuse combinations that make no sense."""
    from mincli.cli.progress import progress
    from mincli.jobs import Request
    from mincli.streaming.plan import Limits

    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose exclude each other")
    if as_json and output == "-":
        raise click.UsageError("--json and -o - would both write to stdout")
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
