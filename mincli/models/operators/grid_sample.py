"""GridSample 16, whose modes have other names than from 20 on."""

from typing import Any

import onnx
from numpy.typing import NDArray
from onnx.reference.ops.op_grid_sample import GridSample

from mincli.errors import OperatorAttributeError, printable

_NEWER = {"bilinear": "linear", "nearest": "nearest", "bicubic": "cubic"}


class GridSample16(GridSample):  # type: ignore[misc]
    """ONNX GridSample 16: the modes are bilinear, nearest and bicubic."""

    op_schema = onnx.defs.get_schema("GridSample", 16)

    def _run(self, x: NDArray[Any], grid: NDArray[Any], mode: str = "bilinear", **others: Any) -> tuple[NDArray[Any]]:
        if mode not in _NEWER:
            raise OperatorAttributeError(
                f"it has no mode {printable(mode)}",
                details=["until opset 19, the modes are bilinear, nearest and bicubic"],
            )
        result: tuple[NDArray[Any]] = super()._run(x, grid, mode=_NEWER[mode], **others)
        return result
