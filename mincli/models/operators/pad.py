"""Pad, every version. Negative pads take elements away, before others are added."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact

_MODES = ("constant", "reflect", "edge", "wrap")


def _padded(data: NDArray[Any], starts: Sequence[int], ends: Sequence[int], mode: str, value: Any) -> NDArray[Any]:
    if mode not in _MODES:
        raise ValueError(f"the mode {mode!r} is none of {', '.join(_MODES)}")
    cut = [
        slice(max(-start, 0), size - max(-end, 0)) for start, end, size in zip(starts, ends, data.shape, strict=True)
    ]
    widths = [(max(start, 0), max(end, 0)) for start, end in zip(starts, ends, strict=True)]
    options: dict[str, Any] = {"constant_values": value} if mode == "constant" else {}
    return np.asarray(np.pad(data[tuple(cut)], widths, mode, **options))  # type: ignore[call-overload]


class Pad1(Exact):
    """ONNX Pad 1 and 2: pads (in 1 called paddings) and value are attributes."""

    def _run(
        self,
        data: NDArray[Any],
        pads: Sequence[int] = (),
        paddings: Sequence[int] = (),
        mode: str = "constant",
        value: float = 0.0,
    ) -> tuple[NDArray[Any]]:
        widths = pads or paddings
        return (_padded(data, widths[: data.ndim], widths[data.ndim :], mode, value),)


class Pad(Exact):
    """ONNX Pad 11 and later: pads and value are inputs, and from 18 on the axes, of which the others stay."""

    def _run(
        self,
        data: NDArray[Any],
        pads: NDArray[Any],
        value: NDArray[Any] | None = None,
        axes: NDArray[Any] | None = None,
        mode: str = "constant",
    ) -> tuple[NDArray[Any]]:
        widths = np.zeros((2, data.ndim), np.int64)
        widths[:, np.arange(data.ndim) if axes is None else axes] = pads.reshape(2, -1)
        nothing = "" if data.dtype == object else np.zeros((), data.dtype)[()]  # "0, empty string or False"
        fill = nothing if value is None or not value.size else value.item()
        return (_padded(data, widths[0].tolist(), widths[1].tolist(), mode, fill),)
