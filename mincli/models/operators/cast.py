"""Cast 1, where the type is a name, and Cast 21 and 23 into 4-bit types.

Those texts leave open what becomes of floats out of a 4-bit integer's range, and of NaN in float4e2m1. ONNX's tests of
versions 21 and 23 have the nearest value of the type, for NaN the greatest; those from 24 on the lowest bits, and -0.
"""

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx.reference.ops.op_cast import Cast_1, Cast_19

from mincli.errors import ElementTypeError, printable

_INTEGERS = {onnx.TensorProto.INT4: (-8, 7), onnx.TensorProto.UINT4: (0, 15)}


class Cast1(Cast_1):  # type: ignore[misc]
    """ONNX Cast 1: `to` is the name of a type in TensorProto's enum, such as FLOAT."""

    op_schema = onnx.defs.get_schema("Cast", 1)

    def _run(self, x: NDArray[Any], to: str) -> tuple[NDArray[Any]]:
        if to not in onnx.TensorProto.DataType.keys() or to == "UNDEFINED":  # noqa: SIM118 - it is no mapping
            raise ElementTypeError(
                f"to is {printable(to)}, which names no type", details=["a name is such as FLOAT or INT64"]
            )
        result: tuple[NDArray[Any]] = super()._run(x, onnx.TensorProto.DataType.Value(to))
        return result


class Cast21(Cast_19):  # type: ignore[misc]
    """ONNX Cast 21 and 23."""

    op_schema = onnx.defs.get_schema("Cast", 21)

    def _run(self, x: NDArray[Any], to: int, saturate: int = 1) -> tuple[NDArray[Any]]:
        is_float = x.dtype.kind in "fV" and x.dtype.name not in ("int4", "uint4")
        if to in _INTEGERS and is_float:
            x = np.clip(x.astype(np.float32), *_INTEGERS[to])
        elif to == onnx.TensorProto.FLOAT4E2M1 and is_float:
            # 6 is float4e2m1's greatest
            x = np.where(np.isnan(x), np.float32(6), x.astype(np.float32))
        result: tuple[NDArray[Any]] = super()._run(x, to, saturate)
        return result
