"""The axes that operators are given, against the ranks of their inputs; those of ReduceMin are in `shapes.py`."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import onnx

from mincli.findings import Finding
from mincli.findings.shapes import AXIS_RANGE
from mincli.graphs.kinds import sizes_of
from mincli.graphs.signatures import Signature
from mincli.lint.constants import Constants, elements
from mincli.lint.scopes import Node, Scope
from mincli.lint.types import Kinds, described


class Axes(NamedTuple):
    """What the axes of an operator may be: -r to r-1, if nothing else is said, where r is the rank of its first input.

    Attributes:
        parameter: the attribute or input that has them, by its name in the schema.
        below: how much less the least is than -r.
        above: how much more the greatest is than r-1.
        only: the only ones that there are, whatever the rank, from 0 to this; or None.
    """

    parameter: str = "axis"
    below: int = 0
    above: int = 0
    only: int | None = None


AXIS, AXES = (Axes(),), (Axes("axes"),)
OPERATORS: dict[str, tuple[Axes, ...]] = {
    **dict.fromkeys(("ArgMax", "ArgMin", "Compress", "Concat", "ConcatFromSequence", "CumProd", "CumSum"), AXIS),
    **dict.fromkeys(("DequantizeLinear", "Gather", "GatherElements", "Hardmax", "LayerNormalization"), AXIS),
    **dict.fromkeys(("LogSoftmax", "LpNormalization", "QuantizeLinear", "RMSNormalization", "Scatter"), AXIS),
    **dict.fromkeys(("ScatterElements", "Softmax", "Split", "SplitToSequence", "TopK", "Unique"), AXIS),
    **dict.fromkeys(("CenterCropPad", "MeanVarianceNormalization", "Pad", "Resize", "Slice"), AXES),
    **dict.fromkeys(("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean"), AXES),
    **dict.fromkeys(("ReduceProd", "ReduceSum", "ReduceSumSquare"), AXES),
    **dict.fromkeys(("Squeeze", "Unsqueeze"), AXES),
    "Flatten": (Axes(above=1),),
    "OneHot": (Axes(below=1, above=1),),
    "ReverseSequence": (Axes("batch_axis", only=1), Axes("time_axis", only=1)),
}
"""The operators of ONNX's own domain whose axes are judged (their pages, axis and axes).

DFT and TensorScatter, some of whose axes in range are not allowed, are left to onnx's inference.
"""
FROM_0 = ("Flatten-1", "Flatten-9", "Squeeze-1", "Unsqueeze-1")
"""Versions whose text has no negative axes; where one says nothing of them, they are given the benefit of the doubt."""
MISSED = frozenset((
    *("CumProd", "CumSum", "DequantizeLinear", "GatherElements", "LayerNormalization", "LpNormalization"),
    *("MeanVarianceNormalization", "QuantizeLinear", "RMSNormalization", "ReverseSequence", "Scatter"),
    *("ScatterElements", "Compress-9", "Concat-4", "ReduceMax-11", "Squeeze-11"),
    *(f"{name}-1" for name in OPERATORS),
))  # fmt: skip
"""Operators, and versions of others, whose axes onnx's inference does not look at, or not at all of them."""


def is_missed(own: Signature | None) -> bool:
    """Whether the axes of an operator version have to be looked at even where onnx has nothing against it."""
    return own is not None and not own.domain and (own.name in MISSED or own.label in MISSED)


def check(scope: Scope, node: Node, kinds: Kinds, constants: Constants) -> Iterator[Finding]:
    """Yield the axes of a node, given in an attribute or a constant input, that its first input does not have.

    Args:
        scope: the graph of the node.
        node: the node.
        kinds: the types of its inputs.
        constants: of its graph.
    """
    own = node.signature
    if own is None or own.domain or not kinds or own.name not in OPERATORS:
        return
    sizes = sizes_of(_tensor(kinds[0]))
    for row in OPERATORS[own.name]:
        axes = _given(node, row.parameter, constants)
        if not axes or sizes is None or _is_ignored(own, sizes, kinds):
            continue
        low, high = _bounds(row, node, len(sizes), len(axes))
        if not all(low <= axis <= high for axis in axes):
            rank = f" at rank {len(sizes)}" if row.only is None else ""
            given = f"{row.parameter} {'are' if row.parameter == 'axes' else 'is'}"
            yield AXIS_RANGE.at(
                scope.place(node),
                f"{given} {', '.join(map(str, axes))}, and {described(node, 0, kinds)}",
                f"{own.label}: {given} {low} to {high}{rank}" if low <= high else f"{own.label}: rank 0 has no axes",
            )


def _tensor(kind: onnx.TypeProto | None) -> onnx.TypeProto | None:
    """Return the type of the tensors in a sequence; another type as it is."""
    return kind.sequence_type.elem_type if kind is not None and kind.HasField("sequence_type") else kind


def _given(node: Node, parameter: str, constants: Constants) -> list[int]:
    """Return the axes that a node is given; none if there are none, or they are not known."""
    assert node.signature is not None
    for attribute in node.attributes:
        if attribute.name == parameter and not attribute.ref_attr_name:
            return [attribute.i] if attribute.HasField("i") else list(attribute.ints)
    inputs = zip(node.inputs, node.signature.inputs, strict=False)
    name = next((name for name, own in inputs if own.name == parameter), "")
    values: Any = elements(constants.get(name)) if name else None
    flat = values if isinstance(values, list) else [values]
    return [axis for axis in flat if isinstance(axis, int)]


def _is_ignored(own: Signature, sizes: tuple[int | None, ...], kinds: Kinds) -> bool:
    """Whether an axis has no meaning: in quantization it has where an input of rank 2 or more has several scales."""
    if own.name not in ("QuantizeLinear", "DequantizeLinear"):
        return False
    scales = sizes_of(kinds[1]) if len(kinds) > 1 else None
    return len(sizes) < 2 or not scales or None in scales or scales == (1,)


def _bounds(row: Axes, node: Node, rank: int, count: int) -> tuple[int, int]:
    """Return the least and the greatest axis that a node may be given."""
    own = node.signature
    assert own is not None
    if row.only is not None:
        return 0, row.only
    if own.name == "Unsqueeze":  # they are of the output
        rank += count
    if own.name == "ConcatFromSequence":
        rank += any(attribute.name == "new_axis" and attribute.i for attribute in node.attributes)
    return 0 if own.label in FROM_0 else -rank - row.below, rank - 1 + row.above
