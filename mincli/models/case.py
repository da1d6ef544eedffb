"""A case that any ONNX backend can replay: a model, and inputs and outputs in ONNX's test-data layout."""

import os
from collections.abc import Mapping, Sequence

import onnx

from mincli.errors import OutputError, printable
from mincli.models.load import Model
from mincli.models.outputs import make_folder
from mincli.models.saving import serialized
from mincli.models.values import Value
from mincli.tensors.atomic import replacing
from mincli.tensors.protobuf import MAX_BYTES
from mincli.tensors.runs import write_exactly


def save_case(folder: str, model: Model, inputs: Mapping[str, Value], outputs: Mapping[str, Value]) -> list[str]:
    """Write `model.onnx` and `test_data_set_0/input_N.pb, output_N.pb`, N counting the graph's inputs and outputs.

    The model comes last: where it is, all is.

    Args:
        folder: is made if it is missing.
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
    data = os.path.join(folder, "test_data_set_0")
    files = {
        **_messages(data, "input", graph.input, inputs),
        **_messages(data, "output", graph.output, outputs),
        os.path.join(folder, "model.onnx"): model.proto.SerializeToString(),
    }
    make_folder(data)
    for path, content in files.items():
        with replacing(path, len(content)) as file:
            write_exactly(file, memoryview(content), 0)
    return list(files)


def _messages(
    folder: str, role: str, declared: Sequence[onnx.ValueInfoProto], values: Mapping[str, Value]
) -> dict[str, bytes]:
    paths = [os.path.join(folder, f"{role}_{number}.pb") for number in range(len(declared))]
    return {
        path: serialized(path, values[info.name], info.name, info.type)
        for path, info in zip(paths, declared, strict=True)
    }
