"""Ctrl-C, SIGTERM and SIGHUP: the first one ends the process with 130, quietly and cleaned up, whenever it comes.

The handler itself ends the process. It raises nothing: an exception could strike in the middle of an import, which some
extension modules do not survive, in a `finally` that cleans up, or where Python swallows it. So it has to know what
there is to clean up: the terminal, if a progress bar is shown, and what `tensors.atomic` calls unfinished.
What is still buffered is not to be written.

Nothing that takes time is imported here, not even `typing`, so that `listen` can come first of all.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

EXIT_CODE = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_over = False
_terminal_reset = b""


def listen() -> None:
    """Let the signals end this process from now on; those that its parent had ignored (nohup, `&`) stay so."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def ignore() -> None:
    """Let the signals do nothing any more, to the end of the process.

    They are blocked: where `SIG_IGN` meets a signal that has just come, Python complains of a race on stderr.
    """
    global _over
    _over = True
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)


def reset_terminal_with(sequence: bytes) -> None:
    """Have a control sequence written to stderr before the process ends.

    Args:
        sequence: what makes the terminal as it was; b"" if it is.
    """
    global _terminal_reset
    _terminal_reset = sequence


def _end(_signal: int, _frame: FrameType | None) -> None:
    global _over
    if _over:
        return
    _over = True
    try:
        atomic = sys.modules.get("mincli.tensors.atomic")  # without it no file was made
        for path in list(getattr(atomic, "unfinished", ())):
            try:
                if atomic and os.path.isdir(path):
                    atomic.remove_folder(path)
                else:
                    os.unlink(path)
            except OSError:  # it has its final name, or was never made
                continue
        if sys.__stderr__ is not None:
            os.write(2, _terminal_reset + b"interrupted\n")
    finally:
        os._exit(EXIT_CODE)
