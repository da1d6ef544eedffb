"""A progress bar on the terminal, for work that lasts."""

import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from mincli.cli.interrupts import reset_terminal_with
from mincli.cli.render import is_terminal, use_color

if TYPE_CHECKING:
    from mincli.streaming.execute import Progress

AFTER_SECONDS = 1.0
REFRESH_SECONDS = 0.1

_CLEAR_LINE_AND_SHOW_CURSOR = b"\r\x1b[2K\x1b[?25h"


def progress() -> "Progress | None":
    """Return a progress bar that shows itself on a terminal when the work lasts over a second; else None."""
    return _bar() if is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb" else None


def _bar() -> Callable[[int, int], None]:
    started = time.monotonic()
    show: Callable[[int, int], None] | None = None

    def update(done: int, total: int) -> None:
        nonlocal show
        if show is None and time.monotonic() - started > AFTER_SECONDS:
            show = _rich_bar()
        if show is not None:
            show(done, total)

    return update


def _rich_bar() -> Callable[[int, int], None]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

    console = Console(stderr=True, no_color=not use_color(sys.stderr))
    columns = BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    # A thread that refreshes it could draw it once more after an interrupt has cleared it.
    bar = Progress(*columns, console=console, transient=True, auto_refresh=False)
    task = bar.add_task("", total=None)

    def stop() -> None:
        bar.stop()
        reset_terminal_with(b"")

    reset_terminal_with(_CLEAR_LINE_AND_SHOW_CURSOR)
    bar.start()
    click.get_current_context().call_on_close(stop)  # after an error, too

    shown_at = time.monotonic()

    def update(done: int, total: int) -> None:
        nonlocal shown_at
        bar.update(task, completed=done, total=total)
        if time.monotonic() - shown_at > REFRESH_SECONDS:
            shown_at = time.monotonic()
            bar.refresh()
        if done == total:
            stop()

    return update
