"""What the operators in this package are made of."""

from typing import Any

import onnx
from onnx.reference.op_run import OpRun


class Exact(OpRun):  # type: ignore[misc]
    """An operator whose attributes have the defaults of the version that the opset means.

    A class has `_run(*inputs, **attributes)`, or `run(*inputs)` where inputs or outputs are no arrays.

    Attributes:
        opset: the opset of the node's domain.
    """

    consumed_inputs = None
    """Required by BatchNormalization 1, but only told of memory; it is taken from the nodes."""

    def __init__(self, node: onnx.NodeProto, parameters: dict[str, Any]) -> None:
        self.opset: int = parameters["opsets"][node.domain]
        known = onnx.defs.has(node.op_type, self.opset, node.domain)
        schema = onnx.defs.get_schema(node.op_type, self.opset, node.domain) if known else None
        super().__init__(node, parameters, schema)

    def _run(self, *inputs: Any, **attributes: Any) -> Any:
        return self.run(*inputs)  # which classes without a `_run` of their own have; onnx wants both
