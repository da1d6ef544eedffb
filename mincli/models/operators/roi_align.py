"""RoiAlign 10: regions are not shifted by half a pixel; `coordinate_transformation_mode` comes with 16."""

from typing import Any

from numpy.typing import NDArray
from onnx.reference.ops.op_roi_align import RoiAlign


class RoiAlign10(RoiAlign):  # type: ignore[misc]
    """ONNX RoiAlign 10."""

    def _run(
        self, x: NDArray[Any], rois: NDArray[Any], batch_indices: NDArray[Any], **attributes: Any
    ) -> tuple[NDArray[Any]]:
        attributes["coordinate_transformation_mode"] = "output_half_pixel"
        result: tuple[NDArray[Any]] = super()._run(x, rois, batch_indices, **attributes)
        return result
