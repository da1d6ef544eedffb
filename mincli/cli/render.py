"""Text for people. Results go to stdout, everything else to stderr; colours to terminals that want them."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

import click

from mincli.errors import OutputError, printable

MAX_LINE = 1000
"""Longer lines of an error are cut in the middle; they quote what was given, which may be anything."""


def use_color(stream: IO[str]) -> bool:
    """Whether to colour text on a stream: as `--color` says, else on terminals that want it."""
    context = click.get_current_context(silent=True)
    mode = context.find_root().params.get("color", "auto") if context else "auto"
    if mode != "auto":
        return bool(mode == "always")
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether a stream is a terminal; a closed one is not."""
    return stream is not None and not stream.closed and stream.isatty()


def shows_summary(*, quiet: bool, verbose: bool) -> bool:
    """Whether to show a summary on stderr: with `--verbose`, else on a terminal without `--quiet`."""
    return verbose or (is_terminal(sys.stderr) and not quiet)


def error(message: str, details: Sequence[str] = (), hint: str = "") -> None:
    """Show an error on stderr.

    Args:
        message: what happened.
        details: lines that say what would be allowed.
        hint: the next step, or "".
    """
    lines = [click.style("error:", fg="red", bold=True) + f" {line(message)}"]
    lines += [f"  {line(detail)}" for detail in details]
    if hint:
        lines.append(f"  {click.style('hint:', fg='cyan')} {line(hint)}")
    to_stderr("\n".join(lines))


def warning(message: str) -> None:
    """Show on stderr what may be wrong and stops nothing."""
    to_stderr(f"{click.style('warning:', fg='yellow', bold=True)} {line(message)}")


def line(text: str) -> str:
    """Return text as one line that is safe to show: escaped, and cut in the middle if it is long."""
    shown = printable(text)
    return shown if len(shown) <= MAX_LINE else f"{shown[: MAX_LINE // 2]} ... {shown[-(MAX_LINE // 2) :]}"


def to_stderr(text: str) -> None:
    """Show text on stderr; if that is closed or full there is nobody to tell."""
    if sys.stderr is not None:
        try:
            click.echo(text, err=True, color=use_color(sys.stderr))
        except OSError:
            silence(sys.stderr)


def silence(stream: IO[str] | None) -> None:
    """Send what is left in the buffer of a stream nowhere: Python would try to write it once more at exit."""
    if stream is not None:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def document(text: str) -> None:
    """Write requested text to stdout.

    Raises:
        OutputError: standard output is closed or cannot be written.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed")
    click.echo(text, color=use_color(sys.stdout))


def columns(rows: Sequence[Sequence[str]], right: int | None = None) -> list[str]:
    """Lay out rows of cells, two spaces between columns.

    Args:
        rows: all of one length.
        right: the column that is aligned from the right, as shapes are; None if none is.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        if right is not None:
            cells[right] = row[right].rjust(widths[right])
        lines.append("  ".join(cells).rstrip())
    return lines


def wrapped(text: str) -> str:
    """Wrap the lines of a text at the width of the terminal, each below its own indentation; in a pipe they stay."""
    if not is_terminal(sys.stdout):
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join("\n".join(_wrapped(each, width)) for each in text.split("\n"))


def _wrapped(text: str, width: int) -> list[str]:
    indent = " " * (len(text) - len(text.lstrip()))
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [text]  # fmt: skip
