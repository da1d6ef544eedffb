"""ConvTranspose 1, 11 and 22.

The padding that `output_shape` asks for is shared between the sides of an axis; the greater half of an odd one is at
the end for SAME_UPPER, else at the start. So have it the text of 11, ONNX's tests, and onnxruntime; version 1 says so
of the attribute, but the reverse in its formula. Where the output is larger than what the kernel reaches, zeros follow
at the end, as `output_padding` has it.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact


class ConvTranspose(Exact):
    """ONNX ConvTranspose, every version."""

    def _run(
        self,
        x: NDArray[Any],
        w: NDArray[Any],
        b: NDArray[Any] | None = None,
        auto_pad: str = "NOTSET",
        dilations: Sequence[int] | None = None,
        group: int = 1,
        kernel_shape: Sequence[int] | None = None,
        output_padding: Sequence[int] | None = None,
        output_shape: Sequence[int] | None = None,
        pads: Sequence[int] | None = None,
        strides: Sequence[int] | None = None,
    ) -> tuple[NDArray[Any]]:
        rank = x.ndim - 2
        strides = strides or [1] * rank
        dilations = dilations or [1] * rank
        reach = [
            (size - 1) * stride + (kernel - 1) * dilation + 1
            for size, stride, kernel, dilation in zip(x.shape[2:], strides, w.shape[2:], dilations, strict=True)
        ]
        if output_shape is None and auto_pad.startswith("SAME"):
            output_shape = [size * stride for size, stride in zip(x.shape[2:], strides, strict=True)]
        wanted = list(output_shape or ())[-rank:]  # some models have the batch and the channels in it
        parts = _parts(reach, output_padding or [0] * rank, wanted, pads or [0] * 2 * rank, auto_pad)
        y = _transposed(x, w, group, strides, dilations, reach)
        larger = [(0, max(start + size - full, 0)) for (start, size), full in zip(parts, reach, strict=True)]
        cut: list[Any] = [slice(start, start + size) for start, size in parts]
        y = np.pad(y, [(0, 0), (0, 0), *larger])[..., *cut]
        if b is not None:
            y = y + b.reshape(-1, *(1,) * rank)
        return (y.astype(x.dtype),)


def _parts(
    reach: Sequence[int], extra: Sequence[int], wanted: Sequence[int], pads: Sequence[int], auto_pad: str
) -> list[tuple[int, int]]:
    """Return the part of what the kernel reaches that is the output: where it starts, and its size, along each axis.

    Args:
        reach: the sizes of what the kernel reaches.
        extra: what is added at the end of each axis (`output_padding`).
        wanted: the sizes of the output; none if the pads say them.
        pads: at the starts, then at the ends.
        auto_pad: the attribute.
    """
    if not wanted:
        sides = zip(reach, extra, pads[: len(reach)], pads[len(reach) :], strict=True)
        return [(start, full + more - start - end) for full, more, start, end in sides]
    paddings = [max(full + more - size, 0) for full, more, size in zip(reach, extra, wanted, strict=True)]
    starts = [padding // 2 if auto_pad == "SAME_UPPER" else padding - padding // 2 for padding in paddings]
    return list(zip(starts, wanted, strict=True))


def _transposed(
    x: NDArray[Any],
    w: NDArray[Any],
    group: int,
    strides: Sequence[int],
    dilations: Sequence[int],
    reach: Sequence[int],
) -> NDArray[Any]:
    """Return all that the kernel reaches: each input element times the kernel, added where they overlap."""
    batch, channels = x.shape[:2]
    inputs = x.reshape(batch, group, channels // group, *x.shape[2:])
    weights = w.reshape(group, channels // group, *w.shape[1:])
    y = np.zeros((batch, group, w.shape[1], *reach), np.result_type(x.dtype, np.float32))
    for place in itertools.product(*map(range, w.shape[2:])):
        at: list[Any] = [
            slice(offset * dilation, offset * dilation + (size - 1) * stride + 1, stride)
            for offset, dilation, size, stride in zip(place, dilations, x.shape[2:], strides, strict=True)
        ]
        y[..., *at] += np.einsum("ngc...,gcm->ngm...", inputs, weights[..., *list[Any](place)])
    return y.reshape(batch, group * w.shape[1], *reach)
