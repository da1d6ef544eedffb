"""ONNX models in files: parsed by what they are, with their external data, checked as far as running them needs."""

import math
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import onnx
from onnx.external_data_helper import load_external_data_for_model

from mincli.errors import EngineError, FileError, ModelError, first_line, printable
from mincli.graphs.nodes import own_domain
from mincli.graphs.read import read_model
from mincli.models.messages import BITS
from mincli.spec.dtypes import BY_NUMBER


class Model(NamedTuple):
    """A model that can be run.

    Attributes:
        name: what to call it in messages.
        proto: the model, its external data included.
        opsets: the opset of each domain that it imports; ONNX's own domain is "".
        path: of its file, absolute; "" if it was made in memory.
    """

    name: str
    proto: onnx.ModelProto
    opsets: dict[str, int]
    path: str = ""


def load_model(path: str) -> Model:
    """Load a model: binary, or in one of onnx's text forms; the content decides.

    Args:
        path: of the file; its external data lie in the same folder.

    Raises:
        FileError: missing, unreadable, or with external data that cannot be read.
        FormatError: no model.
        ModelError: an IR version or opset imports against the rules of onnx.proto, or a tensor whose data and shape
            disagree.
        EngineError: an IR version or an opset that the installed onnx does not know.
    """
    name = printable(path)
    proto = read_model(path)
    folder = os.path.dirname(os.path.abspath(path))
    for tensor in _tensors([proto.graph, *proto.functions]):
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            _check_external(tensor, folder, name)
    try:
        load_external_data_for_model(proto, folder)
    except (OSError, ValueError, onnx.checker.ValidationError) as error:
        raise FileError(f"{name}: its external data cannot be read", details=[first_line(error)]) from error
    for tensor in proto.graph.initializer:
        _check_size(tensor, name)
    return as_model(proto, name)._replace(path=os.path.abspath(path))


def as_model(proto: onnx.ModelProto, name: str) -> Model:
    """Check what a model in memory says of its versions.

    Raises:
        ModelError: an IR version or opset imports against the rules of onnx.proto.
        EngineError: an IR version or an opset that the installed onnx does not know.
    """
    if proto.ir_version > onnx.IR_VERSION:
        raise EngineError(
            f"{name} has IR version {proto.ir_version}",
            details=[f"the installed onnx {onnx.__version__} knows those up to {onnx.IR_VERSION}"],
            hint="pip install --upgrade onnx",
        )
    if proto.ir_version < 1:
        raise ModelError(f"{name} says no IR version", hint="set ModelProto.ir_version")
    if proto.ir_version >= 3 and not proto.opset_import:
        raise ModelError(
            f"{name} imports no opset",
            details=[f"a model of IR version {proto.ir_version} has to (from 3 on)"],
            hint="set ModelProto.opset_import",
        )
    if proto.ir_version < 3 and proto.opset_import:
        raise ModelError(
            f"{name} imports opsets",
            details=[f"a model of IR version {proto.ir_version} may not (from 3 on)"],
            hint="set ModelProto.ir_version to 3 or more",
        )
    return Model(name, proto, opsets_of(proto.opset_import, name) or {"": 1})


def opsets_of(imports: Iterable[onnx.OperatorSetIdProto], name: str) -> dict[str, int]:
    """Return the opset of each domain that is imported; of several for one domain the highest binds.

    Args:
        imports: of a model or a function.
        name: of that, for messages.

    Raises:
        EngineError: an opset of ONNX's own domain that the installed onnx does not know.
    """
    opsets: dict[str, int] = {}
    for entry in imports:
        domain = own_domain(entry.domain)
        opsets[domain] = max(opsets.get(domain, 0), entry.version)
    newest = onnx.defs.onnx_opset_version()
    if opsets.get("", 1) > newest:
        raise EngineError(
            f"{name} imports opset {opsets['']}",
            details=[f"the installed onnx {onnx.__version__} knows those up to {newest}"],
            hint="pip install --upgrade onnx",
        )
    return opsets


def _tensors(graphs: Iterable[onnx.GraphProto | onnx.FunctionProto]) -> Iterator[onnx.TensorProto]:
    """Yield the tensors in graphs and functions, and in what their nodes hold."""
    for graph in graphs:
        yield from getattr(graph, "initializer", ())
        for sparse in getattr(graph, "sparse_initializer", ()):
            yield from (sparse.values, sparse.indices)
        for node in graph.node:
            for attribute in node.attribute:
                yield from (attribute.t, *attribute.tensors)
                yield from _tensors([attribute.g, *attribute.graphs])


def _check_external(tensor: onnx.TensorProto, folder: str, name: str) -> None:
    """Check that the data of a tensor are in a file of their own in the model's folder, and all there."""
    said = {entry.key: entry.value for entry in tensor.external_data}
    location = said.get("location", "")
    path = os.path.join(folder, location)
    inside = os.path.realpath(os.path.dirname(path)) + os.sep
    if os.path.isabs(location) or not inside.startswith(os.path.join(os.path.realpath(folder), "")):
        fault = "outside the folder of the model"
    elif os.path.islink(path):
        fault = "a link"
    elif not os.path.isfile(path):
        fault = "no file"
    elif not all((said.get(key) or "0").isdecimal() for key in ("offset", "length")):
        fault = "given with an offset or a length that is no number"
    elif os.path.getsize(path) < int(said.get("offset") or 0) + int(said.get("length") or 0):
        fault = f"too short: it has {os.path.getsize(path)} bytes"
    else:
        return
    raise FileError(
        f"{name}: the external data of the tensor {printable(tensor.name)} cannot be read",
        details=[f"{printable(location)} is {fault}"],
        hint="external data lie in files beside the model, or in folders there",
    )


def _check_size(tensor: onnx.TensorProto, name: str) -> None:
    """Check that the raw data of a tensor are as many bytes as its shape takes."""
    if not tensor.HasField("raw_data") or tensor.data_type not in BY_NUMBER:
        return
    bits = BITS.get(onnx.TensorProto.DataType.Name(tensor.data_type))
    bits = bits or 8 * onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
    wanted = (math.prod(tensor.dims) * bits + 7) // 8
    if wanted != len(tensor.raw_data):
        kind = f"{BY_NUMBER[tensor.data_type]}[{', '.join(map(str, tensor.dims))}]"
        raise ModelError(
            f"{name}: the data of the tensor {printable(tensor.name)} do not fit its shape",
            details=[f"{kind} takes {wanted} bytes, and there are {len(tensor.raw_data)}"],
        )
