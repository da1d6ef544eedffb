"""`mincli schema`: the reference page of an operator, or what changed between two of its versions."""

import re
from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from mincli import __version__
from mincli.cli import options, render
from mincli.cli.values import Count
from mincli.errors import printable
from mincli.spec.operators import OPERATOR_VERSIONS, Standard

if TYPE_CHECKING:
    from mincli.schemas.difference import Difference
    from mincli.schemas.page import Page
    from mincli.schemas.text import Section

LANGUAGES = ("en", "zh-TW")
"""Those of `schemas.language`, which a help text need not import."""

HELP = """Show the reference page of an operator, or what changed between two of its versions.

OP is an operator of ONNX, such as Min, ReduceMin or Relu; of another domain DOMAIN:OP, such as ai.onnx.ml:Scaler; with
--spec onednn Minimum or ReduceMin. Names, types, attributes and texts are those of the onnx that is installed.

The pages of Min, ReduceMin and Minimum also say what mincli does where the standard leaves it open, and have examples
that are true for the version. A change is breaking if something that is valid before is not valid after it; it changes
the meaning if something that is valid before and after may give other values, as far as that is known.

\b
Examples:
  mincli schema ReduceMin --opset 13
  mincli schema ReduceMin --opset 18 --diff 13
  mincli schema Min --lang zh-TW
  mincli schema Minimum --spec onednn --json
"""


def _complete(_context: click.Context, _argument: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the minimum operators that a word may become; the others are known to onnx, which takes long to load."""
    names = dict.fromkeys(row.name for row in OPERATOR_VERSIONS)
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command("schema", help=HELP, short_help="The reference page of an operator; what changed.")
@click.argument("name", metavar="OP", shell_complete=_complete)
@click.option("--opset", type=Count(1), metavar="N", help="Opset of the operator's domain (default: the newest).")
@click.option("--diff", type=Count(1), metavar="M", help="Show what changed from opset M, older or newer, to opset N.")
@options.SPEC
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=LANGUAGES[0],
    show_default=True,
    help="Language of the page; zh-TW is there for ONNX Min and ReduceMin.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def command(name: str, opset: int | None, diff: int | None, spec: str, lang: str, as_json: bool) -> None:
    """Run the command: see HELP."""
    standard = options.standard_of(spec, opset)
    if diff is not None and standard is Standard.ONEDNN:
        raise click.UsageError("--diff goes with --spec onnx: oneDNN has one version of each operator")

    from mincli.schemas import difference, difference_text, page_of, text
    from mincli.schemas.language import Language

    page = page_of(name, opset, standard, Language(lang))
    if diff is None:
        _show(text.sections(page), page, as_json=as_json)
    else:
        found = difference.between(page_of(name, diff, standard, Language(lang)), page)
        _show(difference_text.sections(found), found, as_json=as_json)


def _show(parts: "list[Section]", record: "Page | Difference", *, as_json: bool) -> None:
    """Show a page or a difference, as text or as JSON."""
    from mincli.schemas.text import lines_of

    if as_json:
        render.document(_json(record))
        return
    headings = {part.heading for part in parts}
    lines = (printable(line) if line else "" for part in lines_of(parts) for line in _broken(part))
    shown = (click.style(line, bold=True) if line in headings else render.wrapped(line) for line in lines)
    render.document("\n".join(shown))


def _broken(line: str) -> Iterator[str]:
    """Yield the lines of one with `<br>` in it, as texts of ONNX have them, each as far in."""
    indent = line[: len(line) - len(line.lstrip())]
    yield from (f"{indent}{part}" if part else "" for part in re.split(r" *<br */?> *", line.strip()))


def _json(record: "Page | Difference") -> str:
    """Return the document, in ASCII; NaN and infinities are strings."""
    import json
    from dataclasses import asdict

    from mincli.schemas.difference import Difference

    facts = {"mincli": __version__, **asdict(record)}
    if isinstance(record, Difference):
        facts |= {"old": _version(record.old), "new": _version(record.new), "breaking": record.breaking}
        facts["changes_meaning"] = record.changes_meaning
    return json.dumps(_finite(facts), indent=2, allow_nan=False)


def _version(page: "Page") -> dict[str, Any]:
    names = ("language", "standard", "domain", "name", "since_version", "last_opset", "deprecated")
    return {name: getattr(page, name) for name in names}


def _finite(value: Any) -> Any:
    """Return a value with NaN and infinities as strings."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value
