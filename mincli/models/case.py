"""A case that any ONNX backend can replay: a model, and inputs and outputs in ONNX's test-data layout."""

import os
from collections.abc import Mapping, Sequence

import onnx

from mincli.errors import OutputError, printable
from mincli.models.load import Model
from mincli.models.saving import serialized
from mincli.models.values import Value
from mincli.tensors.atomic import blaming
from mincli.tensors.folders import filling
from mincli.tensors.protobuf import MAX_BYTES

DATA = "test_data_set_0"
"""The folder of the inputs and outputs."""


def save_case(folder: str, model: Model, inputs: Mapping[str, Value], outputs: Mapping[str, Value]) -> list[str]:
    """Write `model.onnx` and `test_data_set_0/input_N.pb, output_N.pb`, N counting the graph's inputs and outputs.

    All of it appears at once; where that cannot be, the model comes last.

    Args:
        folder: a new one, or an empty one.
        model: with its external data, which become part of the file.
        inputs: the value of every input, also of those with a default: N leaves none out.
        outputs: the value of every output.

    Returns:
        The files, in the order in which they were written.

    Raises:
        OutputError: something cannot be written; the model is too large for one file.
    """
    size = model.proto.ByteSize()
    if size > MAX_BYTES:
        raise OutputError(
            f"{printable(folder)} cannot be written: with its tensors {model.name} has {size} bytes",
            details=[f"a protocol buffer has at most {MAX_BYTES}"],
        )
    graph = model.proto.graph
    files = {
        **_messages(folder, "input", graph.input, inputs),
        **_messages(folder, "output", graph.output, outputs),
        "model.onnx": model.proto.SerializeToString(),
    }
    paths = {name: os.path.join(folder, name) for name in files}
    with filling(folder) as made:
        with blaming(printable(folder)):
            os.mkdir(os.path.join(made, DATA))
        for name, content in files.items():
            with blaming(printable(paths[name])), open(os.path.join(made, name), "xb") as file:
                file.write(content)
    return list(paths.values())


def _messages(
    folder: str, role: str, declared: Sequence[onnx.ValueInfoProto], values: Mapping[str, Value]
) -> dict[str, bytes]:
    names = [os.path.join(DATA, f"{role}_{number}.pb") for number in range(len(declared))]
    return {
        name: serialized(os.path.join(folder, name), values[info.name], info.name, info.type)
        for name, info in zip(names, declared, strict=True)
    }
