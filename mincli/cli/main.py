"""The `mincli` command group, and the only place that exits."""

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import click

from mincli import __version__
from mincli.cli import min_, reduce_min, render
from mincli.errors import ExitCode, MincliError

EXIT_CODES = "\b\nExit codes:\n" + "\n".join(f"  {code.value:>3}  {code.meaning}" for code in ExitCode)


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
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
    """The minimum operators of ONNX and oneDNN Graph, exactly as their standards define them.

    \b
    Example:
      mincli min a.npy b.npy -o out.npy
    """


group.add_command(min_.command)
group.add_command(reduce_min.command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Args:
        arguments: without the program's name; None takes those of the process.
    """
    if "_MINCLI_COMPLETE" in os.environ:
        group.main(prog_name="mincli")
    signal.signal(signal.SIGTERM, _interrupt)
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    """End on SIGTERM as on Ctrl-C: cleaned up."""
    raise KeyboardInterrupt


def run(arguments: Sequence[str]) -> ExitCode:
    """Run the command line: every outcome becomes an exit code, and every error a message on stderr."""
    try:
        code = _invoke(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader has all that it wanted; nothing may be left to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except KeyboardInterrupt:
        render.to_stderr("interrupted")
        return ExitCode.INTERRUPTED
    except MincliError as problem:
        render.error(problem.message, problem.details, problem.hint)
        return problem.exit_code
    except MemoryError:
        render.error("there is not enough memory for the result", hint="-o PATH streams it to a file")
        return ExitCode.OUTPUT
    except Exception:
        traceback.print_exc()
        render.error("this is a fault of mincli", hint="please report it with the command and the traceback above")
        return ExitCode.BUG


def _invoke(arguments: Sequence[str]) -> ExitCode:
    """Parse and run; turn click's outcomes into ours, and show the traceback of an error if that was asked for."""
    try:
        with group.make_context("mincli", list(arguments)) as context:
            try:
                group.invoke(context)
            except MincliError:
                if context.params["show_traceback"]:
                    traceback.print_exc()
                raise
    except click.exceptions.Exit:
        pass
    except click.exceptions.NoArgsIsHelpError as problem:
        render.to_stderr(problem.format_message())
        return ExitCode.USAGE
    except click.ClickException as problem:
        command = problem.ctx.command_path if isinstance(problem, click.UsageError) and problem.ctx else "mincli"
        render.error(problem.format_message(), hint=f"see {command} --help")
        return ExitCode.USAGE
    return ExitCode.DONE
