"""Values that a model holds itself: initializers, and what Constant nodes make."""

from collections.abc import Collection
from functools import cached_property
from math import prod
from typing import Any

import onnx
from onnx import numpy_helper

from mincli.graphs.external import is_external
from mincli.lint.scopes import Node, Scope

FLOAT, INT64 = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
Unsound = Collection[tuple[str, int | str]]
"""Nodes and initializers that a finding is about: the path of the graph, with the node's number or the value's name."""
MOST_ELEMENTS = 1024
"""Of a small tensor: shapes, axes and the like are smaller."""


def is_small(tensor: onnx.TensorProto) -> bool:
    """Whether the values of a tensor are few, and in the model."""
    size: int = prod([max(dim, 1) for dim in tensor.dims[:]])
    return size <= MOST_ELEMENTS and not is_external(tensor)


class Constants:
    """The small constants of a graph, as tensors.

    Args:
        scope: the graph.
        around: those of the graph around it, or None.
        unsound: initializers that are not to be looked at.
        defaults: whether initializers count that are inputs too, whose values a run may change.
    """

    def __init__(
        self, scope: Scope, around: "Constants | None", unsound: Unsound = (), *, defaults: bool = True
    ) -> None:
        self._scope = scope
        self._around = around
        self._unsound = unsound
        self._defaults = defaults

    def get(self, name: str) -> onnx.TensorProto | None:
        """Return the tensor that a value is; None if it is none, a large one, or none that is known beforehand."""
        if name in self._tensors:
            return self._tensors[name]
        return self._around.get(name) if self._around else None

    @cached_property
    def _tensors(self) -> dict[str, onnx.TensorProto | None]:
        graph = self._scope.graph
        tensors: dict[str, onnx.TensorProto | None] = dict.fromkeys(self._scope.inputs)
        if graph is not None:
            given = (tensor for tensor in graph.initializer if self._defaults or tensor.name not in tensors)
            tensors |= {tensor.name: self._readable(tensor) for tensor in given}
        for node in self._scope.nodes:
            own = node.signature
            if own is not None and own.name == "Constant" and not own.domain and node.outputs:
                tensors[node.outputs[0]] = _made_by(node)
            elif self._around is not None:
                tensors.update(dict.fromkeys(node.outputs))  # which hide those of the graph around
        return tensors

    def _readable(self, tensor: onnx.TensorProto) -> onnx.TensorProto | None:
        return tensor if is_small(tensor) and (self._scope.path, tensor.name) not in self._unsound else None


def give(graph: onnx.GraphProto, name: str, kind: onnx.TypeProto | None, tensor: onnx.TensorProto | None) -> None:
    """Give a graph a value from outside: an input, an initializer, or one that is both.

    Args:
        graph: the graph.
        name: of the value in it.
        kind: its type; None if it is not known.
        tensor: what it is; None if that is not known.
    """
    if kind is not None:
        graph.input.add(name=name, type=kind)
    if tensor is not None:
        graph.initializer.append(tensor)
        graph.initializer[-1].name = name


def integers(tensor: onnx.TensorProto | None) -> list[int] | None:
    """Return the elements of a tensor of int64; None if it is none, or malformed."""
    is_int64 = tensor is not None and tensor.data_type == onnx.TensorProto.INT64
    array = _array(tensor) if is_int64 else None
    return None if array is None else array.reshape(-1).tolist()


def elements(tensor: onnx.TensorProto | None) -> Any:
    """Return the elements of a tensor as nested lists, or a number; None if it is none, or malformed."""
    array = _array(tensor)
    return None if array is None else array.tolist()


def _array(tensor: onnx.TensorProto | None) -> Any:
    try:
        return None if tensor is None else numpy_helper.to_array(tensor)
    except Exception:  # whatever onnx and NumPy raise
        return None


def _made_by(node: Node) -> onnx.TensorProto | None:
    for own in node.attributes:
        match own.name:
            case "value" if is_small(own.t):
                return own.t
            case "value_int":
                return onnx.TensorProto(data_type=INT64, int64_data=[own.i])
            case "value_ints":
                return onnx.TensorProto(data_type=INT64, int64_data=own.ints, dims=[len(own.ints)])
            case "value_float":
                return onnx.TensorProto(data_type=FLOAT, float_data=[own.f])
            case "value_floats":
                return onnx.TensorProto(data_type=FLOAT, float_data=own.floats, dims=[len(own.floats)])
    return None
