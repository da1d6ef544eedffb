"""ONNX's test-data layout: folders `test_data_set_*` of `input_N.pb` and `output_N.pb`, N counting a graph's inputs."""

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

import ml_dtypes
import numpy as np
import onnx

from mincli.errors import FileError, FormatError, printable
from mincli.models.feeds import Inputs
from mincli.models.reading import read_value
from mincli.models.values import Value
from mincli.spec.dtypes import BY_NUMBER

_SET = re.compile(r"test_data_set_(\d+)")
_FILE = re.compile(r"(input|output)_(\d+)\.pb")


class DataSet(NamedTuple):
    """A set of inputs, and of the outputs that they should give.

    Attributes:
        name: of its folder; "" if it is none.
        inputs: values by the input's name.
        outputs: values by the output's name; some may not be there.
        files: where the inputs came from.
    """

    name: str
    inputs: dict[str, Value]
    outputs: dict[str, Value]
    files: dict[str, str]


def find_sets(folder: str) -> list[str]:
    """Return the folders of the sets: `folder` itself, or those in it, in the order of their numbers.

    Raises:
        FileError: no such folder, or no set in it.
    """
    name = printable(folder)
    try:
        entries = os.listdir(folder)
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror}", hint="name a folder with test data") from error
    if any(_FILE.fullmatch(entry) for entry in entries) or (not entries and _SET.fullmatch(_base(folder))):
        return [folder]
    sets = sorted((int(match[1]), entry) for entry in entries if (match := _SET.fullmatch(entry)))
    if not sets:
        raise FileError(
            f"{name} holds no test data",
            details=["sets are folders test_data_set_0, test_data_set_1, ... of input_0.pb, ..., output_0.pb, ..."],
        )
    return [os.path.join(folder, entry) for _, entry in sets]


def read_set(folder: str, inputs: Inputs, outputs: Sequence[onnx.ValueInfoProto]) -> DataSet:
    """Read a set.

    Raises:
        FileError: a file is missing or unreadable.
        FormatError: more files than the model has inputs or outputs, or one that does not hold such a value.
    """
    shown = printable(folder)
    files = _files(folder, "input", list(inputs.declared))
    missing = [name for name in inputs.required if name not in files]
    if missing:
        number = list(inputs.declared).index(missing[0])
        raise FileError(
            f"{shown} is incomplete: it has no input_{number}.pb",
            details=[f"that is the input {printable(missing[0])}, which has no default"],
        )
    wanted = _files(folder, "output", [value.name for value in outputs])
    if outputs and not wanted:
        raise FileError(
            f"{shown} is incomplete: it has no output_0.pb", hint="--save-case makes test data with outputs"
        )
    kinds = {value.name: value.type for value in outputs}
    return DataSet(
        _base(folder),
        {
            name: as_declared(read_value(path, inputs.declared[name]), inputs.declared[name])
            for name, path in files.items()
        },
        {name: as_declared(read_value(path, kinds[name]), kinds[name]) for name, path in wanted.items()},
        files,
    )


def as_declared(value: Value, kind: onnx.TypeProto) -> Value:
    """Return a value of test data as the type that the model declares: onnx 1.8 to 1.18 wrote bfloat16 as uint16."""
    declared = BY_NUMBER.get(kind.tensor_type.elem_type)
    if declared and declared.name == "bfloat16" and isinstance(value, np.ndarray) and value.dtype == np.uint16:
        return value.view(ml_dtypes.bfloat16)
    return value


def _base(folder: str) -> str:
    return os.path.basename(os.path.abspath(folder))


def _files(folder: str, role: str, names: Sequence[str]) -> dict[str, str]:
    """Return the file of each input or output that a set has, by name: numbered without a gap."""
    shown = printable(folder)
    try:
        entries = os.listdir(folder)
    except OSError as error:
        raise FileError(f"{shown} cannot be read: {error.strerror}") from error
    found = {int(match[2]) for entry in entries if (match := _FILE.fullmatch(entry)) and match[1] == role}
    for number in range(max(found, default=-1) + 1):
        if number not in found:
            raise FileError(f"{shown} is incomplete: it has no {role}_{number}.pb")
        if number >= len(names):
            raise FormatError(
                f"{shown} has {role}_{number}.pb",
                details=[f"the model's {role}s: {', '.join(map(printable, names)) or 'none'}"],
            )
    return {names[number]: os.path.join(folder, f"{role}_{number}.pb") for number in sorted(found)}
