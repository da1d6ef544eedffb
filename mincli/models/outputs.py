"""Where values are written: a folder with a file for each, or an .npz archive; their names become safe file names."""

import os
from collections.abc import Iterable, Mapping

import onnx

from mincli.errors import OutputError, UsageError, printable
from mincli.models.saving import check_writable, npz_members, write_npz, write_value
from mincli.models.values import Value
from mincli.tensors.destination import check_output

MAX_NAME = 200
"""Bytes of a file name without its suffix; file systems take 255."""


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a file name without suffix for each name: letters, digits, `_`, `-` and inner dots stay, the rest is `_`.

    No name leaves its folder or is hidden, and no two are the same, not even where case does not count.

    >>> file_names(["/conv/out:0", "..", "y", "Y"])
    {'/conv/out:0': '_conv_out_0', '..': '_.', 'y': 'y', 'Y': 'Y-2'}
    """
    files: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        safe = "".join(character if character.isalnum() or character in "_-." else "_" for character in name)
        safe = f"_{safe[1:]}" if safe[:1] in ("", ".", "-") else safe
        safe = safe.encode()[:MAX_NAME].decode(errors="ignore")
        file, number = safe, 1
        while file.casefold() in taken:
            number += 1
            file = f"{safe}-{number}"
        taken.add(file.casefold())
        files[name] = file
    return files


def is_archive(path: str) -> bool:
    """Whether an output is an archive, by its name."""
    return path.lower().endswith(".npz")


def check_folder(path: str, *, new: bool = False) -> None:
    """Check that files can be written into a folder, which is made if it is missing.

    Args:
        path: of the folder.
        new: refuse one that holds anything.

    Raises:
        OutputError: it is no folder, or cannot be made or written into; it holds something.
    """
    name = printable(path)
    if os.path.isdir(path):
        if not os.access(path, os.W_OK | os.X_OK):
            raise OutputError(f"the folder {name} is write-protected")
        if new and os.listdir(path):
            raise OutputError(f"the folder {name} is not empty", hint="name a new folder")
    elif os.path.lexists(path):
        raise OutputError(f"{name} is no folder", hint="name a folder, or an archive that ends in .npz")
    else:
        check_output(path.rstrip("/") or path)


def make_folder(path: str) -> None:
    """Make a folder, unless it is there.

    Raises:
        OutputError: it cannot be made.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise OutputError(f"the folder {printable(path)} cannot be made: {error.strerror}") from error


def check_destination(path: str, declared: Mapping[str, onnx.TypeProto]) -> None:
    """Check that values can be written to a folder or an archive, before they are known.

    Args:
        path: of the folder, or of an archive that ends in `.npz`.
        declared: the values' types, by name; what is not declared to be a sequence or a map is taken for a tensor.

    Raises:
        UsageError: standard output.
        OutputError: it cannot be written, or a file in the folder cannot be replaced.
    """
    if path == "-":
        raise UsageError("several outputs cannot go to standard output", hint="name a folder or an .npz file")
    if is_archive(path):
        check_output(path)
        return
    check_folder(path)
    for name, file in file_names(declared).items() if os.path.isdir(path) else ():
        other = declared[name].WhichOneof("value") in ("sequence_type", "map_type")
        check_output(os.path.join(path, f"{file}.pb" if other else f"{file}.npy"))


def check_values(path: str, values: Mapping[str, Value]) -> None:
    """Check that `write_values` can write all of the values, as far as that can be seen beforehand.

    Raises:
        OutputError: something cannot be written, or has no form in an archive.
    """
    files = file_names(values)
    if is_archive(path):
        check_output(path)
        npz_members(path, {files[name]: value for name, value in values.items()})
    elif os.path.isdir(path):
        for name, value in values.items():
            check_writable(os.path.join(path, files[name]), value, name)


def write_values(path: str, values: Mapping[str, Value]) -> dict[str, str]:
    """Write values to a folder (`.npy`, and `.pb` for what is no tensor) or to an archive.

    Args:
        path: the folder, which is made if it is missing, or an archive that ends in `.npz`.
        values: by name.

    Returns:
        Where each value is: the path of a file, or `archive.npz:member`.

    Raises:
        OutputError: something cannot be written, or has no form in an archive.
    """
    files = file_names(values)
    if is_archive(path):
        members = write_npz(path, {files[name]: value for name, value in values.items()})
        return {name: ", ".join(f"{path}:{member}" for member in members[file]) for name, file in files.items()}
    make_folder(path)
    return {name: write_value(os.path.join(path, files[name]), value, name) for name, value in values.items()}
