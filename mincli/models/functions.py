"""Calls of functions: those of the model, and those that operators are defined by.

A body is made ready once for each set of attributes that it is called with: references to the function's attributes
are replaced by their values before any node is looked at, so that no operator has to know of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
import onnx
from onnx.reference.ops import load_op

from mincli.graphs.functions import bind_attributes, by_key, key_of
from mincli.models.values import Value


class Body(Protocol):
    """What runs a function's nodes."""

    input_names: Sequence[str]

    def run(self, output_names: Sequence[str] | None, feed_inputs: Mapping[str, Value]) -> list[Value]:
        """Return the outputs for inputs by name."""


class Call:
    """A node that calls a function.

    Args:
        node: the node.
        parameters: what onnx hands to operators; not used.
        body: of the function.
    """

    def __init__(self, node: onnx.NodeProto, parameters: Mapping[str, Any], body: Body) -> None:
        self.onnx_node = node
        self.input, self.output = node.input, node.output
        self._body = body

    def need_context(self) -> bool:
        """Return that it sees nothing of the graph around it."""
        return False

    def run(self, *inputs: Value) -> list[Value]:
        """Return the outputs; inputs that are left out at the end are absent."""
        absent = [None] * (len(self._body.input_names) - len(inputs))
        return self._body.run(None, dict(zip(self._body.input_names, (*inputs, *absent), strict=True)))


class Functions:
    """The functions of a model, by domain, name and overload, whatever their order.

    Args:
        functions: of the model.
        ready: makes a function's body ready: the function, and its name for messages.
    """

    def __init__(
        self, functions: Iterable[onnx.FunctionProto], ready: Callable[[onnx.FunctionProto, "Functions", str], Body]
    ) -> None:
        self._protos = by_key(functions)
        self._ready = ready
        self._bodies: dict[bytes, Body] = {}

    def find(self, node: onnx.NodeProto) -> Body | None:
        """Return the body of the function that a node calls; None if it calls an operator."""
        key = key_of(node)
        function = self._protos.get(key)
        return None if function is None else self.body(function, node, ":".join(part for part in key if part))

    def body(self, function: onnx.FunctionProto, node: onnx.NodeProto, name: str, defaults: Iterable[Any] = ()) -> Body:
        """Return the body of a function for the attributes of a node.

        Args:
            function: the function.
            node: that calls it.
            name: of the function, for messages.
            defaults: attributes with default values, besides those in the function.
        """
        values = {attribute.name: attribute for attribute in (*defaults, *function.attribute_proto, *node.attribute)}
        bound = bind_attributes(function, values) if values or function.attribute else function
        key = bound.SerializeToString(deterministic=True)
        if key not in self._bodies:
            self._bodies[key] = self._ready(bound, self, name)
        return self._bodies[key]


class DefinedBy(Exception):  # noqa: N818 - it is what was found, not an error
    """The function that defines an operator, for which onnx has no class."""

    def __init__(self, function: onnx.FunctionProto) -> None:
        super().__init__()
        self.function = function


def defined_by(function: onnx.FunctionProto) -> None:
    """Stand in for the evaluator that `load_op` would make of a function."""
    raise DefinedBy(function)


@cache
def load_operator(name: str, opset: int) -> Callable[..., Any]:
    """Return onnx's class for an operator of its own domain.

    Raises:
        DefinedBy: it has none, and the operator is defined by this function.
        RuntimeContextError: it is defined by a function that depends on the types of the inputs.
    """
    loaded: Callable[..., Any] = load_op("", name, opset, evaluator_cls=defined_by)
    return loaded


class Deferred:
    """A node whose operator is defined by a function that depends on the types of its inputs.

    Args:
        node: the node.
        parameters: what onnx hands to operators; not used.
        ready: makes the function's body ready: the node, and the types of its inputs.
    """

    def __init__(
        self,
        node: onnx.NodeProto,
        parameters: Mapping[str, Any],
        ready: Callable[[onnx.NodeProto, Sequence[onnx.TypeProto]], Body],
    ) -> None:
        self.onnx_node = node
        self.input, self.output = node.input, node.output
        self._ready = ready

    def need_context(self) -> bool:
        """Return that it sees nothing of the graph around it."""
        return False

    def run(self, *inputs: Value) -> list[Value]:
        """Return the outputs."""
        body = self._ready(self.onnx_node, [_type_proto(value) for value in inputs])
        return Call(self.onnx_node, {}, body).run(*inputs)


def _type_proto(value: Value) -> onnx.TypeProto:
    if value is None:
        return onnx.TypeProto()
    if isinstance(value, list):
        return onnx.helper.make_sequence_type_proto(_type_proto(value[0] if value else np.zeros(0, np.float32)))
    return onnx.helper.make_tensor_type_proto(onnx.helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
