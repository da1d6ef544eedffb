"""Upsample, Resize-10, and a mode of Resize 11 to 18.

Upsample 1, 7 and 9 and Resize-10 take the nearest element before i / scale, or interpolate linearly there
("asymmetric"); the output's size is floor(input size * scale). Where Resize-10 makes an axis shorter, it takes the
nearest element after i / scale: so ONNX's own tests of it have it, and onnxruntime does. Resize 11 to 18 know the
coordinate transformation `tf_half_pixel_for_nn`, (i + 0.5) / scale, which 19 no longer has.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx.reference.ops.op_resize import Resize

from mincli.models.operators.exact import Exact

_ROUNDED: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "floor": np.floor,
    "ceil": np.ceil,
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
}


def _resized(
    x: NDArray[Any], sizes: Sequence[int], scales: Sequence[float], mode: str, offset: float = 0, rounding: str = ""
) -> NDArray[Any]:
    """Resize each axis: `offset` is added to an index before it is divided by the scale, and then it is rounded."""
    result = x
    for axis, (size, scale) in enumerate(zip(sizes, scales, strict=True)):
        if size == x.shape[axis] and scale == 1:
            continue
        last = x.shape[axis] - 1
        at = (np.arange(size) + offset) / np.float32(scale)
        if mode == "nearest":
            nearest_mode = rounding or ("floor" if scale >= 1 else "ceil")
            result = result.take(np.clip(_ROUNDED[nearest_mode](at), 0, last).astype(int), axis)
        else:
            at = np.clip(at, 0, last)
            low = np.floor(at).astype(int)
            weight = (at - low).reshape(-1, *(1,) * (x.ndim - 1 - axis))
            result = result.take(low, axis) * (1 - weight) + result.take(np.minimum(low + 1, last), axis) * weight
    return result.astype(x.dtype)


def _scaled(x: NDArray[Any], scales: Sequence[float], mode: str) -> tuple[NDArray[Any]]:
    sizes = [int(np.floor(np.float32(size) * np.float32(scale))) for size, scale in zip(x.shape, scales, strict=True)]
    if mode not in ("nearest", "linear", "bilinear"):
        raise ValueError(f"the mode {mode!r} is neither nearest nor linear")
    return (_resized(x, sizes, scales, mode),)


class Upsample1(Exact):
    """ONNX Upsample 1 (experimental): the last two of four axes."""

    def _run(
        self, x: NDArray[Any], height_scale: float = 1, width_scale: float = 1, mode: str = "nearest"
    ) -> tuple[NDArray[Any]]:
        return _scaled(x, (1, 1, height_scale, width_scale), mode)


class Upsample7(Exact):
    """ONNX Upsample 7: the scales are an attribute."""

    def _run(self, x: NDArray[Any], scales: Sequence[float] = (), mode: str = "nearest") -> tuple[NDArray[Any]]:
        return _scaled(x, scales, mode)


class Resize10(Exact):
    """ONNX Upsample 9 and Resize 10: the scales are an input."""

    def _run(self, x: NDArray[Any], scales: NDArray[Any], mode: str = "nearest") -> tuple[NDArray[Any]]:
        return _scaled(x, scales.tolist(), mode)


class Resize11(Resize):  # type: ignore[misc]
    """ONNX Resize 11, 13 and 18."""

    def _run(
        self,
        x: NDArray[Any],
        roi: NDArray[Any] | None = None,
        scales: NDArray[Any] | None = None,
        sizes: NDArray[Any] | None = None,
        **attributes: Any,
    ) -> tuple[NDArray[Any]]:
        roi, scales = (
            None if value is None or not value.size else value for value in (roi, scales)
        )  # as 11 omits them
        if attributes["coordinate_transformation_mode"] != "tf_half_pixel_for_nn":
            result: tuple[NDArray[Any]] = super()._run(x, roi, scales, sizes, **attributes)
            return result
        if attributes["mode"] == "cubic" or attributes["antialias"] or attributes["axes"]:
            raise ValueError("tf_half_pixel_for_nn is for the modes nearest and linear, without antialias and axes")
        if sizes is None:
            factors = scales.tolist() if scales is not None else []
            wanted = [int(np.floor(size * factor)) for size, factor in zip(x.shape, factors, strict=True)]
        else:
            wanted = sizes.tolist()
            factors = [new / old for new, old in zip(wanted, x.shape, strict=True)]
        return (_resized(x, wanted, factors, attributes["mode"], 0.5, attributes["nearest_mode"]),)
