"""ONNX's test-data layout: folders `test_data_set_*` with `input_N.pb` and `output_N.pb`, N counting a graph's inputs."""

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

import onnx

from mincli.errors import FileError, FormatError, printable
from mincli.models.feeds import Inputs
from mincli.models.values import Value, read_value

_SET = re.compile(r"test_data_set_(\d+)")
_FILE = re.compile(r"(input|output)_(\d+)\.pb")


class DataSet(NamedTuple):
    """A set of inputs, and of the outputs that they should give.

    Attributes:
        name: of its folder.
        inputs: values by the input's name.
        outputs: values by the output's name; some may not be there.
    """

    name: str
    inputs: dict[str, Value]
    outputs: dict[str, Value]


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
    if any(_FILE.fullmatch(entry) for entry in entries):
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
    numbers: dict[str, list[int]] = {"input": [], "output": []}
    for entry in os.listdir(folder):
        if match := _FILE.fullmatch(entry):
            numbers[match[1]].append(int(match[2]))
    declared = {"input": list(inputs.declared.items()), "output": [(value.name, value.type) for value in outputs]}
    values: dict[str, dict[str, Value]] = {"input": {}, "output": {}}
    for role, found in numbers.items():
        for number in range(max(found, default=-1) + 1):
            if number not in found:
                raise FileError(f"{printable(folder)} is incomplete: it has no {role}_{number}.pb")
            if number >= len(declared[role]):
                raise FormatError(
                    f"{printable(folder)} has {role}_{number}.pb, but the model only {len(declared[role])} {role}s"
                )
            name, kind = declared[role][number]
            values[role][name] = read_value(os.path.join(folder, f"{role}_{number}.pb"), kind)
    if not values["output"]:
        raise FileError(f"{printable(folder)} is incomplete: it has no output_0.pb")
    return DataSet(os.path.basename(os.path.abspath(folder)), values["input"], values["output"])
