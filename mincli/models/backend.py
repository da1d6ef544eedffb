"""ONNX's Backend interface (`onnx.backend.base`) over the reference engine."""

import itertools
import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx.backend.base import Backend as OnnxBackend
from onnx.backend.base import BackendRep, Device, DeviceType, namedtupledict

from mincli.errors import MincliError, ModelError, UsageError, counted, printable
from mincli.graphs.nodes import own_domain
from mincli.graphs.signatures import newest_opset
from mincli.models.call import Ready, as_value, listed, model_of
from mincli.models.engines import REFERENCE
from mincli.models.load import Model
from mincli.models.nodes import captured
from mincli.models.values import Value

MAX_OPSET = (1 << 63) - 1
"""OperatorSetIdProto's version is an int64 (onnx.proto)."""


class Prepared(BackendRep):  # type: ignore[misc]
    """A model that is ready to run."""

    def __init__(self, model: Model) -> None:
        self._outputs = [output.name for output in model.proto.graph.output]
        self._ready = Ready(model, REFERENCE)

    def run(self, inputs: Sequence[Value] | Mapping[str, Value] | Value, **options: Any) -> tuple[Value, ...]:
        """Run the model.

        Args:
            inputs: values by name; or in the order of the graph's inputs, either all or those that have no default;
                or the only one (see `call.run_model`).
            options: of other backends; there are none here.

        Returns:
            The outputs in the order of the graph: arrays, lists (sequences), dicts (maps), None (absent optionals).

        Raises:
            InputError: an input that is missing, or a name that is no input.
            ModelError: an input too many; values that a node may not have.
            ElementTypeError, ShapeError: an input that is not as declared.
            EngineError: an operator failed.
        """
        results = self._ready(inputs)
        return tuple(results[name] for name in self._outputs)


class Backend(OnnxBackend):  # type: ignore[misc]
    """mincli's reference engine, as ONNX's test runner and others' tools drive backends."""

    @classmethod
    def is_compatible(
        cls, model: onnx.ModelProto | str | os.PathLike[str], device: str = "CPU", **options: Any
    ) -> bool:
        """Whether the model can be made ready to run: its versions and its operators are known here."""
        try:
            cls.prepare(model, device)
        except MincliError:
            return False
        return True

    @classmethod
    def prepare(cls, model: onnx.ModelProto | str | os.PathLike[str], device: str = "CPU", **options: Any) -> Prepared:
        """Make a model ready to run.

        Args:
            model: with its external data inside; or the path of one.
            device: "CPU".
            options: of other backends; there are none here.

        Raises:
            UsageError: another device, or what is no model.
            FileError, FormatError: the path is not that of a model.
            ModelError: it breaks the rules of ONNX.
            EngineError: an operator that does not exist or is not implemented, or a version that is not known.
        """
        if not cls.supports_device(device):
            raise UsageError(f"there is no device {device}", hint="use CPU")
        return Prepared(model_of(model))

    @classmethod
    def run_model(
        cls,
        model: onnx.ModelProto | str | os.PathLike[str],
        inputs: Sequence[Value] | Value,
        device: str = "CPU",
        **options: Any,
    ) -> tuple[Value, ...]:
        """Prepare a model and run it (see `Prepared.run`)."""
        return cls.prepare(model, device, **options).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Sequence[Value] | Value,
        device: str = "CPU",
        outputs_info: Sequence[tuple[Any, tuple[int, ...]]] | None = None,
        **options: Any,
    ) -> tuple[Value, ...]:
        """Run one node, at the opset `opset_version` or else the newest.

        Args:
            node: the node.
            inputs: a value for each of its inputs, or for each that has a name; or the only one. Two that have one name
                have a value each. Numbers of Python are what NumPy makes of them: double and int64.
            device: "CPU".
            outputs_info: the outputs' types and shapes, which are not needed here.
            options: `opset_version`, of the node's domain; without it, or None, the newest.

        Returns:
            The outputs, also by name (`outputs.y`).

        Raises:
            UsageError: there is no such opset.
            ModelError: fewer or more values than inputs; or the node breaks the rules of ONNX.
            EngineError: the operator does not exist, is not implemented, or failed.
        """
        opset = _opset(options.get("opset_version"), node.domain)
        values = listed(inputs)
        node = _with_names_apart(node)
        names = [name for name in node.input if name or len(values) == len(node.input)]
        if len(names) != len(values):
            raise ModelError(f"the node has {counted(len(names), 'input')}, not {len(values)}")
        feeds = {
            name: as_value(value, f"the input {printable(name)}", onnx.TypeProto())
            for name, value in zip(names, values, strict=True)
            if name
        }
        graph = onnx.GraphProto(name=node.op_type, node=[node])
        graph.input.extend(onnx.ValueInfoProto(name=name, type=_type_of(value)) for name, value in feeds.items())
        outputs = [name for name in node.output if name]
        graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
        model = onnx.ModelProto(ir_version=onnx.IR_VERSION, graph=graph)
        model.opset_import.add(domain=node.domain, version=opset)
        results = cls.prepare(model, device).run(feeds)
        named: tuple[Value, ...] = namedtupledict("Outputs", outputs)(*results)
        return named

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether a device is the CPU; `CPU:0` is one way to say it (`onnx.backend.base.Device`)."""
        try:
            return bool(Device(device).type == DeviceType.CPU)
        except (AttributeError, ValueError):
            return False


def _type_of(value: Value) -> onnx.TypeProto:
    """Return as much as a value says of its type."""
    if isinstance(value, np.ndarray):
        return onnx.helper.make_tensor_type_proto(onnx.helper.np_dtype_to_tensor_dtype(value.dtype), None)
    if isinstance(value, list) and value:
        return onnx.helper.make_sequence_type_proto(_type_of(value[0]))
    return onnx.TypeProto()


def _with_names_apart(node: onnx.NodeProto) -> onnx.NodeProto:
    """Return a node with a name of its own for each input: of two with one name each has a value here."""
    apart = onnx.NodeProto()
    apart.CopyFrom(node)
    taken = {*node.input, *node.output, *captured(node)}
    for number, name in enumerate(node.input):
        if name and name in node.input[:number]:
            own = next(own for count in itertools.count(2) if (own := f"{name}-{count}") not in taken)
            taken.add(own)
            apart.input[number] = own
    return apart


def _opset(version: Any, domain: str) -> int:
    """Return an opset of a domain that a caller gave; of None the newest, or 1 of a domain that onnx does not know.

    Raises:
        UsageError: it is no integer, or no opset that is known.
    """
    newest = newest_opset(own_domain(domain))
    if version is None:
        return newest or 1
    known = range(1, (newest or MAX_OPSET) + 1)
    try:
        number = operator.index(version)
    except TypeError:
        raise UsageError(f"opset_version is an integer, not {type(version).__name__}") from None
    if number not in known:
        raise UsageError(
            f"there is no opset {number} of {printable(own_domain(domain) or 'ONNX')}",
            hint=f"opsets 1 to {known[-1]} are known" if newest else f"opsets are 1 to {MAX_OPSET}",
        )
    return number
