"""Whether a file can appear under a path, as far as that can be seen before the work."""

import os
import stat

from mincli.errors import MincliError, OutputError, printable

STDOUT = "-"
MOUNTS = "/proc/self/mountinfo"
"""Linux's table of mount points (proc(5)); elsewhere only the rename at the end tells."""
_DESCRIPTORS = "/dev/fd"
"""A folder of this process's open files, by number; on Linux a link to /proc/self/fd."""
_MAX_LINKS = 40
"""Linux follows no more symbolic links (path_resolution(7))."""


def check_output(path: str, *, clobber: bool = True) -> int | None:
    """Check that a file can appear under `path`, as far as that can be seen beforehand.

    Returns:
        The mode of what is there now (`os.stat`), or None if there is nothing.

    Raises:
        OutputError: the target exists, is a folder, write-protected, or cannot be replaced; or its folder is missing or
            write-protected.
    """
    if path == STDOUT:
        return None
    name = printable(path)
    try:
        file = descriptor(path)
        if file is not None:
            return os.fstat(file).st_mode
        return _check(path, name, clobber=clobber)
    except MincliError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise OutputError(f"{name} cannot be written: {getattr(error, 'strerror', error)}") from error


def descriptor(path: str) -> int | None:
    """Return the open file of this process that a path names (/dev/stdout, /dev/fd/5), or None.

    What it is open on may have a name of its own, but whoever opened it writes on there: it cannot be replaced.
    """
    for _ in range(_MAX_LINKS):
        folder, name = os.path.split(path)
        if name.isdecimal() and os.path.realpath(folder) == os.path.realpath(_DESCRIPTORS):
            return int(name)
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


def mounted(name: str) -> OutputError:
    """Return the error for an output that another file or disk is mounted on."""
    return OutputError(
        f"{name} is a mount point, which cannot be replaced",
        hint="write another file, and copy it there, or mount the folder instead",
    )


def _check(path: str, name: str, *, clobber: bool) -> int | None:
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if not path or path.endswith("/") or (mode is not None and stat.S_ISDIR(mode)):
        raise OutputError(
            f"{name} is a folder" if path else "the output's path is empty", hint="name the file to write"
        )
    target = _target(path, name)
    if mode is None:
        _check_folder(target, name)
        _check_folder(path, name)  # of `missing/../out`, which realpath makes `out`, and the kernel refuses
        _check_writable(target, name)
        return None
    if stat.S_ISREG(mode) and not clobber:
        raise OutputError(f"{name} exists", hint="without --no-clobber it is replaced")
    if not os.access(path, os.W_OK):
        raise OutputError(f"{name} is write-protected")
    if stat.S_ISREG(mode):
        _check_writable(target, name)
        _check_replaceable(target, name)
    return mode


def _target(path: str, name: str) -> str:
    try:
        return os.path.realpath(path)
    except FileNotFoundError:
        raise OutputError(
            f"{name} cannot be written: the current folder was deleted", hint="cd to a folder that exists"
        ) from None


def _check_folder(path: str, name: str) -> None:
    folder = os.path.dirname(path) or os.curdir
    if not os.path.isdir(folder):
        raise OutputError(
            f"{name} cannot be written: there is no folder {printable(folder)}",
            hint=f"make it first: mkdir -p {printable(folder)}",
        )


def _check_writable(target: str, name: str) -> None:
    folder = os.path.dirname(target)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(f"{name} cannot be written: the folder {printable(folder)} is write-protected")


def _check_replaceable(target: str, name: str) -> None:
    """Refuse a file that a rename could not replace."""
    if _is_mount_point(target):
        raise mounted(name)
    folder, file = os.stat(os.path.dirname(target)), os.stat(target)
    if folder.st_mode & stat.S_ISVTX and os.geteuid() not in (0, file.st_uid, folder.st_uid):
        raise OutputError(
            f"{name} belongs to another user, and only its owner may replace it in a sticky folder",
            hint="write another file",
        )


def _is_mount_point(target: str) -> bool:
    place = os.fsencode(target)
    for special in b"\\ \t\n":
        place = place.replace(bytes([special]), b"\\%03o" % special)
    try:
        with open(MOUNTS, "rb") as table:
            return any(line.split(b" ", 5)[4] == place for line in table)
    except OSError:
        return False
