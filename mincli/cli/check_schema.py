"""`mincli check-schema`: every fault of models; or whether arrays may go into an operator."""

import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mincli.cli import min_, options, reduce_min
from mincli.cli.codes import choose, complete_codes, parse_codes
from mincli.cli.render import document, is_terminal, shows_summary, to_stderr
from mincli.cli.values import Count
from mincli.errors import ExitCode
from mincli.findings import Severity
from mincli.findings.table import RULES
from mincli.spec.dtypes import ElementType
from mincli.spec.operators import NEWEST_OPSET, Standard

if TYPE_CHECKING:
    from mincli.lint.files import Checked, Engine

ENGINES = ("onnxruntime",)
FORMATS = ("text", "json", "sarif", "github")

OPERATORS = {"Min": min_.NAMES, "Minimum": min_.NAMES, "ReduceMin": reduce_min.NAMES}
OF_ARRAYS = ("opset", "spec", "dtype", "axes", "keepdims", "noop_with_empty_axes", "auto_broadcast")
OF_MODELS = ("select", "ignore", "strict", "target_opset", "engine")

HELP = """Tell every fault of ONNX models against the operator schemas.

All faults of each FILE in one run, also in subgraphs and functions, each with a code, a severity, its place, what is
expected, and the opset where the rule changed. A FILE is a model, binary or in one of onnx's text forms; one that
cannot be read does not stop the others; external data are only looked at. Errors, and with --strict warnings, end with
exit code 1, a file that is no model with 3.

With --op each FILE is an array, as `mincli min` takes it: may they go into this operator at --opset, and into which
other versions? If they may not, the exit code is 1.

\b
Examples:
  mincli check-schema model.onnx
  mincli check-schema *.onnx --ignore MC212 --strict
  mincli check-schema model.onnx --output-format sarif > model.sarif
  mincli check-schema model.onnx --target-opset 18
  mincli check-schema --explain MC201
  mincli check-schema --op ReduceMin --opset 12 --axes -1 x.npy
"""


def _json(_context: click.Context, _option: click.Parameter, given: bool) -> None:
    if given:
        raise click.UsageError("No such option '--json': it is --output-format json here")


_codes = partial(click.option, callback=parse_codes, shell_complete=complete_codes)


@click.command("check-schema", help=HELP, short_help="Tell every fault of ONNX models.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option(
    "--output-format",
    "form",
    type=click.Choice(FORMATS),
    default=FORMATS[0],
    show_default=True,
    help="For people, for scripts, for code scanning (SARIF 2.1.0), or as annotations of GitHub Actions.",
)
@click.option("--json", is_flag=True, hidden=True, expose_value=False, callback=_json)  # what other commands have
@_codes("--select", metavar="CODES", help="Only these findings, such as MC201 or MC2,MC301.")
@_codes("--ignore", metavar="CODES", help="Not these findings, whatever --select says.")
@click.option("--strict", is_flag=True, help="Warnings fail, too.")
@click.option(
    "--target-opset",
    type=Count(1, NEWEST_OPSET),
    metavar="N",
    help="Tell also what would break, change or need rewriting at this opset of ONNX's own domain.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    help="Tell also what is valid and this engine does not run; it is asked about models without errors.",
)
@_codes("--explain", metavar="CODE", help="What a finding means, with an example; needs no FILE.")
@click.option("--op", type=click.Choice(list(OPERATORS)), help="The files are arrays: may they go into this operator?")
@options.OPSET
@options.SPEC
@options.DTYPE
@options.AXES
@options.KEEPDIMS
@options.NOOP_WITH_EMPTY_AXES
@options.AUTO_BROADCAST
@options.quiet_option("No summary; findings are shown.")
@click.option("-v", "--verbose", is_flag=True, help="Always a summary: a line for each file.")
@click.pass_context
def command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    form: str,
    select: list[str] | None,
    ignore: list[str] | None,
    strict: bool,
    target_opset: int | None,
    engine: str | None,
    explain: list[str] | None,
    quiet: bool,
    verbose: bool,
    op: str | None,
    **of_arrays: Any,
) -> ExitCode:
    """Run the command: see HELP."""
    options.check_volume(quiet=quiet, verbose=verbose)
    if explain is not None:
        if files:
            raise click.UsageError("--explain needs no FILE")
        return _explain(explain)
    for name in OF_MODELS if op else OF_ARRAYS:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = name.replace("_", "-")
            raise click.UsageError(f"--{option} {'is of models, not of arrays' if op else 'goes with --op'}")
    if not files:
        raise click.UsageError("Missing argument 'FILE...'.")
    if op is not None:
        return _arrays(files, op, form, **of_arrays)

    from mincli.lint.files import check_file

    asked = _engine() if engine else None
    fails = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    results = (choose(check_file(path, target_opset, asked), select, ignore) for path in files)
    shown = _show(results, form, fails, summary=shows_summary(quiet=quiet, verbose=verbose))
    failure = next((checked.failure for checked in shown if checked.failure), None)
    if failure is not None:
        raise failure
    if not all(checked.readable for checked in shown):
        return ExitCode.INPUT
    return ExitCode.FOUND if any(_fails(checked, fails) for checked in shown) else ExitCode.DONE


def _engine() -> "Engine":
    from mincli.models.engines import support  # and with it all of run-model

    return support.check


def _explain(codes: list[str]) -> ExitCode:
    from mincli.cli.findings import text

    document("\n\n".join(text.explanation(RULES[code]) for code in codes))
    return ExitCode.DONE


def _arrays(
    files: tuple[str, ...],
    op: str,
    form: str,
    *,
    opset: int | None,
    spec: str,
    dtype: ElementType | None,
    axes: list[int] | str | None,
    keepdims: bool,
    noop_with_empty_axes: bool,
    auto_broadcast: str | None,
) -> ExitCode:
    """Say whether arrays may go into an operator."""
    version = options.version_of(OPERATORS[op], opset, spec)
    if form not in ("text", "json"):
        raise click.UsageError(f"--output-format {form} is of models, not of arrays")
    if op == "Minimum" and version.standard is not Standard.ONEDNN:
        raise click.UsageError("--op Minimum goes with --spec onednn: in ONNX it is Min")
    if auto_broadcast and version.name != "Minimum":
        raise click.UsageError("--auto-broadcast goes with --spec onednn --op Minimum")
    if version.name != "ReduceMin" and (axes is not None or not keepdims or noop_with_empty_axes):
        raise click.UsageError("--axes, --no-keepdims and --noop-with-empty-axes go with --op ReduceMin")

    from mincli.cli import verdicts as shown
    from mincli.verdicts import verdicts

    found = verdicts(
        files,
        version,
        raw=dtype,
        broadcast=auto_broadcast != "none",
        axes=axes,
        keepdims=keepdims,
        noop_with_empty_axes=noop_with_empty_axes,
    )
    document(shown.document(found, files) if form == "json" else shown.text(found))
    return ExitCode.FOUND if found.asked.error else ExitCode.DONE


def _fails(checked: "Checked", severities: set[Severity]) -> bool:
    return any(finding.rule.severity in severities for finding in checked.findings)


def _show(results: Iterator["Checked"], form: str, fails: set[Severity], *, summary: bool) -> list["Checked"]:
    """Show findings, those of a file as soon as it is checked where the form allows that; return all."""
    from mincli.cli.findings import github, json_, sarif, text

    lines = {"text": text.grouped if is_terminal(sys.stdout) else text.lines, "github": github.lines}.get(form)
    shown = []
    for checked in results:
        shown.append(checked)
        if lines is not None and checked.findings:
            document(lines(checked))
        if summary:
            to_stderr(text.summary(checked))
    if form == "json":
        document(json_.text(shown, found=any(_fails(checked, fails) for checked in shown)))
    elif form == "sarif":
        document(sarif.text(shown))
    return shown
