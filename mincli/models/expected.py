"""The outputs that a run should give: from files, one by name, or all of a folder or an archive."""

import os
from collections.abc import Mapping, Sequence

import onnx

from mincli.errors import FileError, FormatError, InputError, UsageError, printable
from mincli.models.feeds import listing, nearest, split_name
from mincli.models.outputs import file_names, is_archive
from mincli.models.reading import read_value
from mincli.models.values import Value

SUFFIXES = (".npy", ".pb")


def read_expected(outputs: Mapping[str, onnx.TypeProto], given: Sequence[str]) -> dict[str, Value]:
    """Read the values that outputs should have.

    Args:
        outputs: each output's type by name.
        given: `NAME=FILE`, split only where NAME is an output; or a folder or an archive (.npz) that holds each output
            under the name that `outputs.write_values` gives it.

    Returns:
        Values by the output's name.

    Raises:
        UsageError: two files for one output.
        InputError: a name that is no output.
        FileError: a file or folder is missing or unreadable.
        FormatError: a file does not hold such a value.
    """
    paths: dict[str, str] = {}
    for word in given:
        for name, path in _paths(outputs, word).items():
            if name in paths:
                raise UsageError(f"the output {printable(name)} is expected twice", hint="give each output once")
            paths[name] = path
    return {name: read_value(path, outputs[name]) for name, path in paths.items()}


def _paths(outputs: Mapping[str, onnx.TypeProto], word: str) -> dict[str, str]:
    if os.path.isdir(word):
        return {name: _in_folder(word, file, name) for name, file in file_names(outputs).items()}
    name, path = split_name(word, outputs)
    if name is not None:
        return {name: path}
    if is_archive(word) and os.path.isfile(word):
        return {name: _in_archive(word, file, name, outputs[name]) for name, file in file_names(outputs).items()}
    prefix, separator, _ = word.partition("=")
    if not separator:
        what = "is a file" if os.path.exists(word) else "does not exist"
        raise FileError(
            f"--expect: {printable(word)} {what}",
            details=["it takes NAME=FILE, or the folder or archive that -o wrote"],
            hint=f"write {printable(next(iter(outputs), 'NAME'))}={printable(word)}",
        )
    raise InputError(
        f"--expect: {printable(prefix)} is no output of the model",
        details=[listing("outputs", outputs)],
        hint=nearest(prefix, outputs),
    )


def _in_archive(archive: str, member: str, name: str, kind: onnx.TypeProto) -> str:
    if kind.WhichOneof("value") == "sequence_type":  # each of its elements is a member of its own
        raise FormatError(
            f"--expect: the output {printable(name)} is a sequence, which is not read from {printable(archive)}",
            hint="write the outputs to a folder (-o DIR), and expect that",
        )
    return f"{archive}:{member}"


def _in_folder(folder: str, file: str, name: str) -> str:
    paths = [os.path.join(folder, file + suffix) for suffix in SUFFIXES]
    for path in paths:
        if os.path.exists(path):
            return path
    raise FileError(
        f"{printable(folder)} has no file for the output {printable(name)}",
        details=[f"it should be {' or '.join(printable(path) for path in paths)}"],
        hint="to compare some of the outputs, name them: --expect NAME=FILE",
    )
