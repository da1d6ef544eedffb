"""Files that appear under their name only when they are complete."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mincli.errors import MincliError, OutputError, printable
from mincli.tensors.destination import STDOUT, check_output, descriptor, mounted

unfinished: set[str] = set()
"""Files and folders that whoever ends this process at once has to remove first (see `remove_folder`)."""

_NOT_SUPPORTED = (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)
"""What file systems without hard links say to one: EPERM on Linux (link(2))."""


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
    mode, opened = check_output(path, clobber=clobber), descriptor(path)
    stream = path == STDOUT or opened is not None or (mode is not None and not stat.S_ISREG(mode))
    with _before_stream(path, opened, size) if stream else _beside(path, size, mode, clobber=clobber) as file:
        yield file


@contextmanager
def blaming(what: str, hint: str = "") -> Iterator[None]:
    """Turn errors of the operating system in a block into an OutputError.

    Args:
        what: could not be written then.
        hint: the next step, or "".
    """
    try:
        yield
    except (MincliError, BrokenPipeError):
        raise
    except OSError as error:
        helps = error.errno != errno.EFBIG  # a limit of the process (ulimit -f) is the same in any folder
        raise OutputError(f"{what} cannot be written: {error.strerror or error}", hint=hint if helps else "") from error


@contextmanager
def _beside(path: str, size: int, mode: int | None, *, clobber: bool) -> Iterator[int]:
    name = printable(path)
    # Nobody may read the new file who may not read the old one, not even at first; nor does it inherit setuid.
    permissions = 0o666 if mode is None else mode & 0o777
    with blaming(name):
        target = os.path.realpath(path)
        temporary = os.path.join(os.path.dirname(target), f".mincli-{os.urandom(6).hex()}.tmp")
        unfinished.add(temporary)
        file = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, permissions)
        try:
            try:
                if mode is not None:
                    os.fchmod(file, permissions)
                _reserve(file, size)
                yield file
            finally:
                os.close(file)
            _put(temporary, target, name, clobber=clobber)
        finally:
            _remove(temporary)
            unfinished.discard(temporary)


def remove_folder(path: str) -> None:
    """Remove a folder with all that is in it; one that is not there is removed already."""
    for folder, _, files in os.walk(path, topdown=False):
        for file in files:
            os.unlink(os.path.join(folder, file))
        os.rmdir(folder)


def _put(temporary: str, target: str, name: str, *, clobber: bool) -> None:
    if not clobber:
        try:
            os.link(temporary, target)  # unlike a rename, this fails if the target has appeared meanwhile
            return
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
        # Without links, an empty file keeps the place for the moment until the rename: it is what a reader could see,
        # and what would be left after a crash in between.
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        unfinished.add(target)
    try:
        os.replace(temporary, target)
    except OSError as error:
        if not clobber:
            os.unlink(target)
        if error.errno == errno.EBUSY:
            raise mounted(name) from error
        raise
    finally:
        unfinished.discard(target)


def _remove(temporary: str) -> None:
    try:
        os.unlink(temporary)
    except FileNotFoundError:
        return  # it was renamed
    except OSError as error:  # in an append-only folder, where the rename failed as well
        raise OutputError(
            f"the temporary file {printable(temporary)} cannot be removed: {error.strerror}",
            hint="remove it by hand; is its folder append-only (lsattr -d)?",
        ) from error


@contextmanager
def _before_stream(path: str, opened: int | None, size: int) -> Iterator[int]:
    import shutil  # together 10 ms, which a plain file need not pay
    import tempfile

    name = printable(path) if path != STDOUT else "standard output"
    with (
        blaming(f"the temporary file for {name}", hint="set TMPDIR to a folder that has room for it"),
        tempfile.TemporaryFile() as file,
    ):
        _reserve(file.fileno(), size)
        yield file.fileno()
        file.seek(0)
        with blaming(name):
            if path == STDOUT or opened == 1:
                if sys.stdout is None:
                    raise OutputError("standard output is closed")
                sys.stdout.flush()
                shutil.copyfileobj(file, sys.stdout.buffer, 1 << 20)
                sys.stdout.buffer.flush()
            else:
                with open(path if opened is None else os.dup(opened), "wb") as stream:
                    shutil.copyfileobj(file, stream, 1 << 20)


def _reserve(file: int, size: int) -> None:
    """Give the file its size and its room on the disk, where the file system can, so that a full disk shows now."""
    if size and hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(file, 0, size)
            return
        except OSError as error:
            if error.errno not in _NOT_SUPPORTED:
                raise
    os.ftruncate(file, size)
