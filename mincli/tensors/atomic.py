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
    name = "standard output" if path == STDOUT else printable(path)
    target = os.path.realpath(path)
    try:
        mode = None if path == STDOUT else _mode(path)
        if path.endswith("/") or (mode is not None and stat.S_ISDIR(mode)):
            raise OutputError(f"{name} is a folder", hint="name the file to write")
        if path == STDOUT or (mode is not None and not stat.S_ISREG(mode)):
            opened = _before_stream(path, size)
        else:
            _check_target(target, name, mode, clobber=clobber)
            opened = _beside(target, size, mode, clobber=clobber)
        with opened as file:
            yield file
    except (MincliError, BrokenPipeError):
        raise
    except OSError as error:
        raise OutputError(f"{name} cannot be written: {error.strerror or error}") from error


def write_exactly(file: int, memory: memoryview, start: int) -> None:
    """Write `memory` to a file from byte `start` on."""
    while memory:
        count = os.pwrite(file, memory, start)
        memory, start = memory[count:], start + count


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _check_target(target: str, name: str, mode: int | None, *, clobber: bool) -> None:
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise OutputError(f"{name} cannot be written: there is no folder {printable(folder)}")
    if mode is not None and not clobber:
        raise OutputError(f"{name} exists", hint="without --no-clobber it is replaced")
    if mode is not None and not os.access(target, os.W_OK):
        raise OutputError(f"{name} is write-protected")


@contextmanager
def _beside(target: str, size: int, mode: int | None, *, clobber: bool) -> Iterator[int]:
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
