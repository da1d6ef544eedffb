"""onnxruntime, in a process of its own: when it crashes, that is a result."""

import os
import re
from collections.abc import Mapping
from typing import Any

import onnx
from google.protobuf.message import EncodeError

from mincli.errors import (
    CrashError,
    EngineError,
    KernelError,
    RefusedModelError,
    TimeLimitError,
    printable,
)
from mincli.findings import Severity
from mincli.graphs.read import read_model
from mincli.lint import findings_in
from mincli.models.engines.worker import Worker
from mincli.models.evaluate import Observer
from mincli.models.load import Model
from mincli.models.values import Value
from mincli.spec.dtypes import BY_NUMBER
from mincli.tensors.protobuf import MAX_BYTES

LIMIT = 600.0
"""Seconds that loading a model may take, and running it, unless something else is said."""
NO_KERNEL = re.compile(r"Could not find an implementation for (\w+)\((\d+)\) node with name '(.*)'")
"""What onnxruntime says of an operator, a version and the name of a node."""
_CODE = re.compile(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ")


class OnnxRuntime:
    """A model ready to run on onnxruntime's CPU kernels (see `engines.Engine`).

    Without `everything` it runs as users run it; with it, no node is fused with another or left out.

    Args:
        model: the model.
        limit: the seconds that loading it may take, and each run.

    Raises:
        EngineError: onnxruntime is not installed.
        KernelError: it has no kernel for a node.
        RefusedModelError: it takes the model for invalid or unsupported.
        CrashError: it crashed while it loaded the model.
        TimeLimitError: loading took too long.
    """

    def __init__(self, model: Model, limit: float = LIMIT) -> None:
        self._model = model
        self._worker = Worker(limit)
        self._outputs = [value.name for value in model.proto.graph.output]
        self._values = dict.fromkeys(name for node in model.proto.graph.node for name in node.output if name)
        self._load(everything=False)

    def run(
        self, feeds: Mapping[str, Value], *, everything: bool = False, observer: Observer | None = None
    ) -> dict[str, Value]:
        """Run the model (see `engines.Engine`); what happens within is not to be observed.

        Raises:
            EngineError: a kernel failed.
            CrashError: onnxruntime crashed.
            TimeLimitError: it took too long.
        """
        if self._everything is not everything or not self._worker.alive:
            self._load(everything=everything)
        names = list(dict.fromkeys([*self._outputs, *(self._values if everything else ())]))
        values = self._ask("ran", "run", dict(feeds), names)
        return dict(zip(names, values, strict=True))

    def _load(self, *, everything: bool) -> None:
        data, folder = serialized(self._model)
        if everything:  # messages that follow each other are merged (protobuf's encoding): outputs are appended
            added = [onnx.ValueInfoProto(name=name) for name in self._values if name not in self._outputs]
            data += onnx.ModelProto(graph=onnx.GraphProto(output=added)).SerializeToString()
        self._ask("loaded", "load", data, folder, not everything)
        self._everything = everything

    def _ask(self, doing: str, *request: Any) -> Any:
        name = self._model.name
        try:
            done, *answer = self._worker.ask(request)
        except (CrashError, TimeLimitError) as error:
            raise type(error)(
                f"onnxruntime {error.message} while it {doing} {name}", details=error.details, hint=error.hint
            ) from None
        if done:
            return answer[0]
        raise _failure(self._model, doing, *answer)


def serialized(model: Model) -> tuple[bytes, str]:
    """Return the model, and the folder of its external data if it is too large with them inside.

    Raises:
        EngineError: it is too large, and no file.
    """
    try:
        data = model.proto.SerializeToString()
    except (EncodeError, ValueError):  # over 2 GiB
        data = b""
    if data and len(data) <= MAX_BYTES:
        return data, ""
    if not model.path:
        raise EngineError(
            f"{model.name} is too large to be handed to onnxruntime",
            details=[f"a protocol buffer has at most {MAX_BYTES} bytes"],
            hint="save it with external data, and run the file",
        )
    return read_model(model.path).SerializeToString(), os.path.dirname(model.path)


def unavailable(kind: str, text: str) -> EngineError | None:
    """Return the error if an exception of the process says that there is no onnxruntime."""
    if kind == "ModuleNotFoundError" and "'onnxruntime'" in text:
        return EngineError("onnxruntime is not installed", hint="pip install 'mincli[onnxruntime]'")
    if kind == "ImportError":
        return EngineError("onnxruntime cannot be imported", details=[reason_in(text)])
    return None


def reason_in(text: str) -> str:
    """Return what an exception of onnxruntime says, in a line."""
    return printable(" ".join(_CODE.sub("", text).split()))[:500]


def _failure(model: Model, doing: str, kind: str, text: str) -> EngineError:
    name, reason = model.name, reason_in(text)
    if missing := unavailable(kind, text):
        return missing
    if found := NO_KERNEL.search(text):
        operator, version, node = found.groups()
        where = _which(model.proto.graph, operator, node)
        return KernelError(f"{name}: onnxruntime has no kernel for {operator}-{version}{where}", details=[reason])
    if doing == "loaded":
        return RefusedModelError(f"onnxruntime refuses {name}", details=[reason], hint=_what_is_wrong_with(model))
    return EngineError(f"onnxruntime failed to run {name}", details=[reason])


def _what_is_wrong_with(model: Model) -> str:
    """Return a hint at what tells the faults of a model; "" if it has none: then the engine alone is against it."""
    if not any(finding.rule.severity is Severity.ERROR for finding in findings_in(model.proto)):
        return ""
    return f"{f'mincli check-schema {model.name}' if model.path else 'mincli.check_model'} tells what breaks the rules"


def _which(graph: onnx.GraphProto, operator: str, name: str) -> str:
    """Say which node of the main graph an operator and a name mean, and the types that its inputs are declared with."""
    found = [(n, node) for n, node in enumerate(graph.node) if (node.op_type, node.name) == (operator, name)]
    if len(found) != 1:
        return f" (node {printable(name)})" if name else ""
    types = {info.name: info.type.tensor_type.elem_type for info in (*graph.input, *graph.value_info)}
    types |= {tensor.name: tensor.data_type for tensor in graph.initializer}
    number, node = found[0]
    elements = dict.fromkeys(BY_NUMBER[types[i]].name for i in node.input if types.get(i) in BY_NUMBER)
    on = f" on {', '.join(elements)}" if elements else ""
    called = f" {printable(name)}" if name else ""
    return f"{on} (node {number}{called})"
