"""Options that several commands share, each defined once, with the parsing of their values."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from mincli.spec.dtypes import BY_NAME, ElementType
from mincli.spec.operators import NEWEST_OPSET, OperatorVersion, Standard, resolve

if TYPE_CHECKING:
    from mincli.jobs import Request

Command = Callable[..., None]

_UNITS = {"": 1, "B": 1}
for _power, _letter in enumerate("KMGT", 1):
    _UNITS |= {_letter: 1024**_power, f"{_letter}IB": 1024**_power, f"{_letter}B": 1000**_power}


class Size(click.ParamType):
    """A number of bytes with a unit: `256MiB`, `1GB` (powers of 1000), `64K` (1024)."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", value.strip())
        if not match or match[2].upper() not in _UNITS:
            self.fail(f"{value!r} is no size; write it like 256MiB or 1GB", param, ctx)
        size = int(float(match[1]) * _UNITS[match[2].upper()])
        if not size:
            self.fail("the size must be more than 0", param, ctx)
        return size


class Axes(click.ParamType):
    """Axes as a list `0,-1`, "" for given but empty, or `@FILE` for an array that holds them."""

    name = "list"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        if value.startswith("@") and len(value) > 1:
            return value[1:]
        if not value.strip():
            return []
        try:
            return [int(part) for part in value.split(",")]
        except ValueError:
            self.fail(f"{value!r} is no list of axes; write it like 0,-1 or @axes.npy", param, ctx)


class Dtype(click.ParamType):
    """An element type by its ONNX name; `float32` and `float64` are taken for float and double."""

    name = "type"
    _aliases = {"float32": "float", "float64": "double"}  # noqa: RUF012 - constant

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ElementType:
        if isinstance(value, ElementType):
            return value
        element = BY_NAME.get(self._aliases.get(value, value))
        if element is None:
            self.fail(f"{value!r} is no ONNX type; the types are {', '.join(BY_NAME)}", param, ctx)
        return element


_COMMON = (
    click.option(
        "-o", "--output", metavar="PATH",
        help="Write exactly there: a TensorProto to a path that ends in .pb, else .npy; - writes .npy bytes to stdout.",
    ),
    click.option(
        "--opset", type=click.IntRange(1, NEWEST_OPSET), metavar="N",
        help=f"ONNX opset of the operator, 1 to {NEWEST_OPSET} (default: {NEWEST_OPSET}).",
    ),
    click.option(
        "--spec", type=click.Choice([s.value for s in Standard]), default=Standard.ONNX.value, show_default=True,
        help="Which standard defines the operator.",
    ),
    click.option("--dtype", type=Dtype(), help="Read raw (V) elements as this ONNX type."),
    click.option(
        "-j", "--threads", type=click.IntRange(1), metavar="N", help="Threads (default: the CPUs this process may use)."
    ),
    click.option("--max-memory", type=Size(), metavar="SIZE", help="Bound on all buffers together, such as 256MiB."),
    click.option("-n", "--no-clobber", is_flag=True, help="Refuse an output that exists."),
    click.option(
        "--dry-run", is_flag=True, help="Check everything and show the plan; compute and write nothing."
    ),
    click.option("--json", "as_json", is_flag=True, help="One JSON document about the run on stdout."),
    click.option("-q", "--quiet", is_flag=True, help="No summary."),
    click.option("-v", "--verbose", is_flag=True, help="Always a summary, with counts of where the elements came from."),
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
    max_memory: int | None,
    no_clobber: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> "Request":
    """Turn the common options into a request; refuse combinations that make no sense."""
    from mincli.cli import render
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
        limits=Limits(threads or 0, max_memory or 0),
        clobber=not no_clobber,
        dry_run=dry_run,
        progress=None if quiet else render.progress(),
    )
