"""Scan.

Version 8 has a batch axis before the axis that is scanned, an input with the lengths of the sequences, and
`directions` of the inputs; versions 9, 11 and later have axes and directions of inputs and outputs instead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact
from mincli.models.operators.loop import empty
from mincli.models.values import Value


def _scan(
    body: Any, context: Mapping[str, Value], states: list[Value], elements: list[Sequence[Value]]
) -> tuple[list[Value], list[list[Value]]]:
    """Run the body over the elements of each input; return the last states and the elements of each output."""
    outputs: list[list[Value]] = [[] for _ in body.output_names[len(states) :]]
    for current in zip(*elements, strict=True):
        feeds = {**context, **dict(zip(body.input_names, (*states, *current), strict=True))}
        made = body.run(None, feeds)
        states = made[: len(states)]
        for output, value in zip(outputs, made[len(states) :], strict=True):
            output.append(value)
    return states, outputs


class Scan(Exact):
    """ONNX Scan 9 and later."""

    def need_context(self) -> bool:
        """Return that the body sees the values of the graph around it."""
        return True

    def run(self, *inputs: Value, context: Mapping[str, Value]) -> list[Value]:
        """Return the last states, then the scan outputs."""
        count = len(inputs) - self.num_scan_inputs
        scanned = [
            _directed(np.moveaxis(array, axis, 0), reverse)
            for array, axis, reverse in zip(
                inputs[count:],
                self.scan_input_axes or [0] * self.num_scan_inputs,
                self.scan_input_directions or [0] * self.num_scan_inputs,
                strict=True,
            )
        ]
        states, outputs = _scan(self.body, context, list(inputs[:count]), scanned)
        stacked = [
            np.moveaxis(np.stack(_directed(elements, reverse)) if elements else empty(kind), 0, axis)
            for elements, kind, axis, reverse in zip(
                outputs,
                self.body.output_types[count:],
                self.scan_output_axes or [0] * len(outputs),
                self.scan_output_directions or [0] * len(outputs),
                strict=True,
            )
        ]
        return states + stacked


class Scan8(Exact):
    """ONNX Scan 8. Where a sequence is shorter than the longest, its outputs are followed by zeros."""

    def need_context(self) -> bool:
        """Return that the body sees the values of the graph around it."""
        return True

    def run(self, *inputs: Value, context: Mapping[str, Value]) -> list[Value]:
        """Return the last states, then the scan outputs, of each batch entry."""
        lengths, *values = inputs
        count = len(values) - self.num_scan_inputs
        batch, longest = values[count].shape[:2]
        directions = self.directions or [0] * self.num_scan_inputs
        entries = []
        for entry in range(batch):
            length = longest if lengths is None else int(lengths[entry])
            scanned = [
                _directed(array[entry, :length], reverse)
                for array, reverse in zip(values[count:], directions, strict=True)
            ]
            states, outputs = _scan(self.body, context, [state[entry] for state in values[:count]], scanned)
            kinds = self.body.output_types[count:]
            entries.append(states + [_padded(*output, longest) for output in zip(outputs, kinds, strict=True)])
        return [np.stack(column) for column in zip(*entries, strict=True)]


def _directed(elements: Any, reverse: int) -> Any:
    return elements[::-1] if reverse else elements


def _padded(elements: list[NDArray[Any]], kind: Any, length: int) -> NDArray[Any]:
    stacked = np.stack(elements) if elements else empty(kind)
    padding = np.zeros((length - len(stacked), *stacked.shape[1:]), stacked.dtype)
    return np.concatenate([stacked, padding])
