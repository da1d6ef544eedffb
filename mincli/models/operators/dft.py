"""DFT 17 and 20, in double: NumPy transforms float32 in float32, whose error is greater than what ONNX's tests allow."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx.reference.ops.op_dft import DFT_17, DFT_20


class DFT17(DFT_17):  # type: ignore[misc]
    """ONNX DFT 17."""

    def _run(self, x: NDArray[Any], *others: Any, **attributes: Any) -> tuple[NDArray[Any]]:
        return (super()._run(x.astype(np.float64), *others, **attributes)[0].astype(x.dtype),)


class DFT20(DFT_20):  # type: ignore[misc]
    """ONNX DFT 20."""

    def _run(self, x: NDArray[Any], *others: Any, **attributes: Any) -> tuple[NDArray[Any]]:
        return (super()._run(x.astype(np.float64), *others, **attributes)[0].astype(x.dtype),)
