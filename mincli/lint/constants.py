"""Values that a model holds itself: initializers, and what Constant nodes make."""

from functools import cached_property

import onnx
from onnx import numpy_helper

from mincli.lint.light import Unsound, is_small
from mincli.lint.scopes import Node, Scope


class Constants:
    """The small constants of a graph, as tensors.

    Args:
        scope: the graph.
        unsound: initializers that are not to be looked at.
        around: those of the graph around it, or None.
    """

    def __init__(self, scope: Scope, unsound: Unsound = (), around: "Constants | None" = None) -> None:
        self._scope = scope
        self._unsound = unsound
        self._around = around

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
            tensors |= {tensor.name: self._readable(tensor) for tensor in graph.initializer}
        for node in self._scope.nodes:
            own = node.signature
            if own is not None and own.name == "Constant" and not own.domain and node.outputs:
                tensors[node.outputs[0]] = _made_by(node)
            elif self._around is not None:
                tensors.update(dict.fromkeys(node.outputs))  # which hide those of the graph around
        return tensors

    def _readable(self, tensor: onnx.TensorProto) -> onnx.TensorProto | None:
        return tensor if is_small(tensor) and (self._scope.path, tensor.name) not in self._unsound else None


def integers(tensor: onnx.TensorProto | None) -> list[int] | None:
    """Return the elements of a tensor of int64; None if it is none, or malformed."""
    if tensor is None or tensor.data_type != onnx.TensorProto.INT64:
        return None
    try:
        return [int(element) for element in numpy_helper.to_array(tensor).reshape(-1)]
    except Exception:  # whatever onnx and NumPy raise
        return None


def _made_by(node: Node) -> onnx.TensorProto | None:
    for attribute in node.proto.attribute:
        match attribute.name:
            case "value" if is_small(attribute.t):
                return attribute.t
            case "value_int":
                return onnx.TensorProto(data_type=onnx.TensorProto.INT64, int64_data=[attribute.i])
            case "value_ints":
                values = attribute.ints
                return onnx.TensorProto(data_type=onnx.TensorProto.INT64, dims=[len(values)], int64_data=values)
    return None
