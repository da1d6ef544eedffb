"""Loop.

A scan output is stacked along a new first axis, also of scalars, and with no iteration at all it has length 0; an empty
`M` or `cond` means without that bound (versions 1, 11, 13, 16 and later). Loop-carried values may be sequences
and optionals (from 13 and 16 on).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact
from mincli.models.values import Value


class Loop(Exact):
    """ONNX Loop, every version."""

    def need_context(self) -> bool:
        """Return that the body sees the values of the graph around it."""
        return True

    def run(self, *inputs: Value, context: Mapping[str, Value]) -> list[Value]:
        """Return the last loop-carried values, then the scan outputs."""
        limit, condition, *carried = inputs
        body = self.body
        names, outputs = body.input_names, body.output_names
        scans: list[list[NDArray[Any]]] = [[] for _ in outputs[1 + len(carried) :]]
        iteration = 0
        going = condition is None or bool(np.all(condition))
        while going and (limit is None or iteration < limit):
            feeds = dict(context)
            feeds.update(zip(names, (np.array(iteration, np.int64), np.array(going), *carried), strict=True))
            going, *rest = body.run(None, feeds)
            going = bool(np.all(going))
            carried = rest[: len(carried)]
            for scan, value in zip(scans, rest[len(carried) :], strict=True):
                scan.append(value)
            iteration += 1
        types = body.output_types[1 + len(carried) :]
        return carried + [np.stack(scan) if scan else empty(kind) for scan, kind in zip(scans, types, strict=True)]


def empty(kind: onnx.TypeProto) -> NDArray[Any]:
    """Return a scan output of no iterations, whose elements would have this type."""
    dims = kind.tensor_type.shape.dim
    dtype = onnx.helper.tensor_dtype_to_np_dtype(kind.tensor_type.elem_type or onnx.TensorProto.FLOAT)
    return np.zeros((0, *(max(dim.dim_value, 0) for dim in dims)), dtype)
