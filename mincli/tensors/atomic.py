"""Files that appear under their name only when they are complete."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from mincli.errors import MincliError, OutputError, printable

STDOUT = "-"


@contextmanager
def replacing(path: str, size: int, *, clobber: bool = True) -> Iterator[int]:
    """Open a file to write; when the block ends without an error, it takes the place of `path`.

    The file is written beside its target and renamed over it, so that a reader sees the old file or the whole
    new one. What cannot be renamed over (standard output "-", a device, a pipe) gets a copy at the end.

    Args:
        path: where the file is to appear; a symbolic link is followed.
        size: bytes that will be written; they are reserved at once.
        clobber: False refuses a target that exists.

    Yields:
        A descriptor of an empty file that can be written at any position.

    Raises:
        OutputError: the target exists, is a folder, or cannot be written; there is no room for it.
    """
    mode = check_output(path, clobber=clobber)
    name = printable(path) if path != STDOUT else "standard output"
    try:
        stream = path == STDOUT or (mode is not None and not stat.S_ISREG(mode))
        with _before_stream(path, size) if stream else _beside(path, size, mode, clobber=clobber) as file:
            yield file
    except (MincliError, BrokenPipeError):
        raise
    except OSError as error:
        raise OutputError(f"{name} cannot be written: {error.strerror or error}") from error


def check_output(path: str, *, clobber: bool = True) -> int | None:
    """Check that a file can appear under `path`, as far as that can be seen beforehand.

    Returns:
        The mode of what is there now (`os.stat`), or None if there is nothing.

    Raises:
        OutputError: the target exists, is a folder or write-protected; or its folder is missing or write-protected.
    """
    if path == STDOUT:
        return None
    name, folder = printable(path), os.path.dirname(os.path.realpath(path))
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    except (OSError, ValueError) as error:
        raise OutputError(f"{name} cannot be written: {getattr(error, 'strerror', error)}") from error
    if not path or path.endswith("/") or (mode is not None and stat.S_ISDIR(mode)):
        raise OutputError(
            f"{name} is a folder" if path else "the output's path is empty", hint="name the file to write"
        )
    if mode is None and not os.path.isdir(folder):
        raise OutputError(
            f"{name} cannot be written: there is no folder {printable(folder)}",
            hint=f"make it first: mkdir -p {printable(folder)}",
        )
    if mode is not None and stat.S_ISREG(mode) and not clobber:
        raise OutputError(f"{name} exists", hint="without --no-clobber it is replaced")
    if mode is not None and not os.access(path, os.W_OK):
        raise OutputError(f"{name} is write-protected")
    if (mode is None or stat.S_ISREG(mode)) and not os.access(folder, os.W_OK):
        raise OutputError(f"{name} cannot be written: the folder {printable(folder)} is write-protected")
    return mode


def write_exactly(file: int, memory: memoryview, start: int) -> None:
    """Write `memory` to a file from byte `start` on."""
    while memory:
        count = os.pwrite(file, memory, start)
        memory, start = memory[count:], start + count


@contextmanager
def _beside(path: str, size: int, mode: int | None, *, clobber: bool) -> Iterator[int]:
    target = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(target), f".mincli-{os.urandom(6).hex()}.tmp")
    file = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        try:
            if mode is not None:
                os.fchmod(file, stat.S_IMODE(mode))
            _reserve(file, size)
            yield file
        finally:
            os.close(file)
        if clobber:
            os.replace(temporary, target)
        else:
            os.link(temporary, target)  # unlike a rename, this fails if the target has appeared meanwhile
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


@contextmanager
def _before_stream(path: str, size: int) -> Iterator[int]:
    import shutil  # together 10 ms, which a plain file need not pay
    import tempfile

    with tempfile.TemporaryFile() as file:
        _reserve(file.fileno(), size)
        yield file.fileno()
        file.seek(0)
        if path == STDOUT:
            if sys.stdout is None:
                raise OutputError("standard output is closed")
            sys.stdout.flush()
            shutil.copyfileobj(file, sys.stdout.buffer, 1 << 20)
            sys.stdout.buffer.flush()
        else:
            with open(path, "wb") as stream:
                shutil.copyfileobj(file, stream, 1 << 20)


def _reserve(file: int, size: int) -> None:
    """Give the file its size and its room on the disk, where the file system can, so that a full disk shows now."""
    if size and hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
    else:
        os.ftruncate(file, size)
