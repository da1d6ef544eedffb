"""Min and ReduceMin: mincli's own kernels, by the rules of the version that the opset means."""

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx.reference.op_run import OpRun

from mincli import api
from mincli.errors import AxesError, OperatorAttributeError, ShapeError
from mincli.spec import rules
from mincli.spec.operators import OperatorVersion, resolve


class _Exact(OpRun):  # type: ignore[misc]
    """An operator whose node is held against its version before anything runs."""

    def __init__(self, node: onnx.NodeProto, parameters: dict[str, Any]) -> None:
        self.opset: int = parameters["opsets"][""]
        self.version: OperatorVersion = resolve(node.op_type, self.opset)
        rules.check_count(self.version, len(node.input))
        if len(node.output) != 1:
            raise ShapeError(f"{self.version.label} has exactly 1 output, not {len(node.output)}")
        for attribute in node.attribute:
            rules.check_attribute(self.version, attribute.name)
            _check_type(self.version, attribute)
        super().__init__(node, parameters, onnx.defs.get_schema(node.op_type, self.opset))


def _check_type(version: OperatorVersion, attribute: onnx.AttributeProto) -> None:
    """Raise OperatorAttributeError unless an attribute has the type that the version gives it."""
    (expected,) = (own.type for own in version.attributes if own.name == attribute.name)
    found = onnx.AttributeProto.AttributeType.Name(attribute.type)
    if attribute.type and found != expected:  # until IR version 2 a model need not say its type
        raise OperatorAttributeError(f"{version.label}: the attribute {attribute.name} is {found}, not {expected}")


class Min(_Exact):
    """ONNX Min 1, 6, 8, 12 and 13."""

    def __init__(self, node: onnx.NodeProto, parameters: dict[str, Any]) -> None:
        super().__init__(node, parameters)
        if "" in node.input:
            raise ShapeError(f"{self.version.label} has no optional inputs, but one is left out")

    def _run(self, *operands: NDArray[Any], **_: Any) -> tuple[NDArray[Any]]:
        return (api.minimum(*operands, opset=self.opset),)


class ReduceMin(_Exact):
    """ONNX ReduceMin 1, 11, 12, 13, 18 and 20."""

    def _run(
        self,
        data: NDArray[Any],
        axes: NDArray[Any] | list[int] | None = None,
        keepdims: int = 1,
        noop_with_empty_axes: int = 0,
    ) -> tuple[NDArray[Any]]:
        if isinstance(axes, np.ndarray) and (axes.dtype != np.int64 or axes.ndim != 1):
            raise AxesError(
                f"{self.version.label}: axes are {axes.dtype} of rank {axes.ndim}",
                details=["axes must be an int64 vector"],
            )
        result = api.reduce_min(data, axes, bool(keepdims), bool(noop_with_empty_axes), self.opset)
        return (result,)
