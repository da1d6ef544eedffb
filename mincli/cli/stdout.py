"""Standard output: its errors told from others', and whether an output is it."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mincli.errors import OutputError, printable


class _File(io.FileIO):
    """The file beneath standard output."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(f"standard output cannot be written: {error.strerror}") from error


def reopen() -> None:
    """Put a stream in place of `sys.stdout` that raises OutputError, or BrokenPipeError if its reader has gone.

    It is always buffered: unbuffered, as PYTHONUNBUFFERED asks, a write to a disk that fills up is cut short without
    an error. Characters that its encoding lacks are escaped.
    """
    if sys.stdout is not None:
        buffer = io.BufferedWriter(_File(sys.stdout.fileno(), "w", closefd=False))
        sys.stdout = io.TextIOWrapper(buffer, sys.stdout.encoding, "backslashreplace")


def is_stdout(output: str) -> bool:
    """Whether writing to an output (a path or "-") writes to standard output; /dev/null does not count."""
    if output == "-":
        return True
    try:
        return output != os.devnull and os.path.samestat(os.stat(output), os.fstat(1))
    except (OSError, ValueError):
        return False


@contextmanager
def written(output: str | None) -> Iterator[None]:
    """Make it an error that the reader of an output goes away, unless that is standard output.

    Args:
        output: a path, "-", or None for text.

    Raises:
        OutputError: the reader of a pipe at a path has gone.
    """
    try:
        yield
    except BrokenPipeError as error:
        if output is None or is_stdout(output):
            raise
        raise OutputError(f"{printable(output)} cannot be written: {error.strerror}") from error
