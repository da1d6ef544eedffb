"""The `mincli` command group, and what becomes of a run: an exit code, and a message for every error."""

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext

import click

from mincli import __version__
from mincli.cli import check_schema, min_, reduce_min, render, run_model, schema
from mincli.errors import ExitCode, MincliError, UsageError

EXIT_CODES = "\b\nExit codes:\n" + "\n".join(f"  {code.value:>3}  {code.meaning}" for code in ExitCode)

# Here and in the commands a constant, no docstring: PYTHONOPTIMIZE=2 strips those.
HELP = """The minimum operators of ONNX and oneDNN Graph, exactly as their standards define them.

\b
Example:
  mincli min a.npy b.npy -o out.npy
"""


@click.group(help=HELP, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(__version__, message="mincli %(version)s")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colours: auto is on terminals that want them (NO_COLOR and TERM=dumb do not).",
)
@click.option("--traceback", "show_traceback", is_flag=True, help="Show the Python traceback of an error.")
def group(color: str, show_traceback: bool) -> None:
    """Hold what all commands share: the options, which `render.use_color` and `_outcome` look up."""


group.add_command(min_.command)
group.add_command(reduce_min.command)
group.add_command(run_model.command)
group.add_command(check_schema.command)
group.add_command(schema.command)


def run(arguments: Sequence[str]) -> ExitCode:
    """Run the command line: every outcome becomes an exit code, and every error a message on stderr.

    Args:
        arguments: without the program's name.

    Returns:
        The exit code.
    """
    context: click.Context | None = None
    try:
        if os.environ.get("_MINCLI_COMPLETE"):  # as click's own entry point does
            group.main(prog_name="mincli")
        context = group.make_context("mincli", list(arguments))
        with context:
            found: ExitCode | None = group.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException as problem:
        with context.scope(cleanup=False) if context else nullcontext():
            return _outcome(problem, context)
    return found or ExitCode.DONE


def _outcome(problem: BaseException, context: click.Context | None) -> ExitCode:
    """Say what ended the run, and return its exit code."""
    command = "mincli" + (f" {context.invoked_subcommand}" if context and context.invoked_subcommand else "")
    match problem:
        case click.exceptions.Exit():
            return ExitCode.DONE
        case SystemExit():  # of a completion: 1 if click does not know the shell
            return ExitCode.USAGE if problem.code else ExitCode.DONE
        case BrokenPipeError():
            # The reader has all that it wanted; nothing may be left to flush at exit.
            render.silence(sys.stdout)
            return ExitCode.DONE
        case KeyboardInterrupt() | click.Abort():
            render.to_stderr("interrupted")
            return ExitCode.INTERRUPTED
        case click.exceptions.NoArgsIsHelpError():
            render.to_stderr(problem.format_message())
            return ExitCode.USAGE
        case click.ClickException():
            render.error(problem.format_message(), hint=f"see {command} --help")
            return ExitCode.USAGE
        case MincliError():
            if problem.exit_code is ExitCode.OUTPUT:
                render.silence(sys.stdout)
            if context and context.params["show_traceback"]:
                _show_traceback(problem)
            hint = problem.hint or (f"see {command} --help" if isinstance(problem, UsageError) else "")
            render.error(problem.message, problem.details, hint)
            return problem.exit_code
        case MemoryError():
            streams = command in ("mincli min", "mincli reduce-min")
            render.error(
                "there is not enough memory",
                [str(problem)] if str(problem) else [],
                "-o PATH streams the result to a .npy file; --max-memory SIZE bounds the buffers" if streams else "",
            )
            return ExitCode.ENGINE if command == "mincli run-model" else ExitCode.OUTPUT
        case _:
            _show_traceback(problem)
            render.error("this is a fault of mincli", hint="please report it with the command and the traceback above")
            return ExitCode.BUG


def _show_traceback(problem: BaseException) -> None:
    import traceback  # 5 ms, and memory that there may be none of

    if sys.stderr is not None:
        traceback.print_exception(problem)
