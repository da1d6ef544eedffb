"""GridSample 16, whose modes have other names than from 20 on."""

from typing import Any

import onnx
from numpy.typing import NDArray
from onnx.reference.ops.op_grid_sample import GridSample

_NEWER = {"bilinear": "linear", "bicubic": "cubic"}


class GridSample16(GridSample):  # type: ignore[misc]
    """ONNX GridSample 16: the modes are bilinear, nearest and bicubic."""

    op_schema = onnx.defs.get_schema("GridSample", 16)

    def _run(self, x: NDArray[Any], grid: NDArray[Any], mode: str = "bilinear", **others: Any) -> tuple[NDArray[Any]]:
        result: tuple[NDArray[Any]] = super()._run(x, grid, mode=_NEWER.get(mode, mode), **others)
        return result
