"""The shapes and axes of Min and ReduceMin, by the rules that mincli's own commands keep."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache

from mincli.errors import AxesError, ShapeError
from mincli.findings import Finding
from mincli.findings.shapes import AXES_INPUT, AXIS_NEGATIVE, AXIS_RANGE, AXIS_TWICE, BROADCAST, KEEPDIMS
from mincli.graphs.kinds import sizes_of
from mincli.graphs.signatures import Signature
from mincli.lint.constants import Constants, integers
from mincli.lint.scopes import Node, Scope
from mincli.lint.types import Kinds, described
from mincli.spec.operators import OperatorVersion, resolve, versions
from mincli.spec.shapes import broadcast_shapes, reduced_axes

Sizes = tuple[int | None, ...]
Case = tuple[str, tuple[bytes | None, ...], tuple[bytes, ...], bytes | None]


def is_ours(own: Signature | None) -> bool:
    """Whether an operator version is one whose rules are in `mincli.spec`."""
    return own is not None and own.name in ("Min", "ReduceMin") and not own.domain


@cache
def _row(name: str, since_version: int) -> OperatorVersion:
    return resolve(name, since_version)


def case_of(node: Node, kinds: Kinds, constants: Constants) -> Case:
    """Return all that `check` looks at: where that is the same, so are the findings."""
    assert node.signature is not None
    axes = constants.get(node.inputs[1]) if node.signature.name == "ReduceMin" and len(node.inputs) > 1 else None
    return (
        node.signature.label,
        tuple([kind.SerializeToString() if kind is not None else None for kind in kinds]),
        tuple([attribute.SerializeToString() for attribute in node.attributes]),
        axes.SerializeToString() if axes is not None else None,
    )


def check(scope: Scope, node: Node, kinds: Kinds, constants: Constants) -> Iterator[Finding]:
    """Yield what is wrong with the shapes and axes of a Min or ReduceMin.

    Args:
        scope: the graph of the node.
        node: the node.
        kinds: the types of its inputs.
        constants: of its graph.
    """
    assert node.signature is not None
    version = _row(node.signature.name, node.signature.since_version)
    if version.reduces:
        yield from _reduction(scope, node, kinds, constants, version)
    else:
        yield from _minimum(scope, node, kinds, version)


def _minimum(scope: Scope, node: Node, kinds: Kinds, version: OperatorVersion) -> Iterator[Finding]:
    if not version.broadcasts:
        return  # `older.py` looks for unequal shapes
    known = [(number, sizes) for number, kind in enumerate(kinds) if (sizes := sizes_of(kind)) is not None]
    pair = clash([sizes for _, sizes in known])
    if pair is not None:
        yield broadcast_fault(scope, node, kinds, [known[place][0] for place in pair])


def clash(shapes: Sequence[Sizes]) -> tuple[int, int] | None:
    """Return the places of two shapes that never broadcast together, whatever their unknown sizes; None if all may."""
    certain = [tuple(1 if size is None else size for size in sizes) for sizes in shapes]
    if not certain or _go_together(certain):
        return None
    last = bisect_left(range(len(certain)), True, key=lambda end: not _go_together(certain[: end + 1]))
    first = next(place for place in range(last) if not _go_together([certain[place], certain[last]]))
    return first, last


def _go_together(shapes: Sequence[tuple[int, ...]]) -> bool:
    try:
        broadcast_shapes(shapes, [""] * len(shapes))
    except ShapeError:
        return False
    return True


def broadcast_fault(scope: Scope, node: Node, kinds: Kinds, inputs: Sequence[int]) -> Finding:
    """Return the finding that two inputs of a node do not broadcast."""
    assert node.signature is not None
    return BROADCAST.at(
        scope.place(node, node.inputs[inputs[1]]),
        " and ".join(described(node, number, kinds) for number in inputs),
        f"{node.signature.label} broadcasts: sizes, aligned at the last, are equal or 1",
    )


def _reduction(
    scope: Scope, node: Node, kinds: Kinds, constants: Constants, version: OperatorVersion
) -> Iterator[Finding]:
    attributes = {attribute.name: attribute for attribute in node.attributes}
    keepdims = attributes.get("keepdims")
    if keepdims is not None and not keepdims.ref_attr_name and keepdims.i not in (0, 1):
        yield KEEPDIMS.at(scope.place(node), f"keepdims is {keepdims.i}", f"{version.label}: keepdims is 0 or 1")
    axes: list[int] | None = None
    if version.has_attribute("axes"):
        if "axes" in attributes and not attributes["axes"].ref_attr_name:
            axes = list(attributes["axes"].ints)
    elif len(node.inputs) > 1 and node.inputs[1]:
        sizes = sizes_of(kinds[1])
        if sizes is not None and len(sizes) != 1:
            expected = f"{version.label} ({version.opsets}) takes axes as a vector of int64"
            yield AXES_INPUT.at(scope.place(node, node.inputs[1]), described(node, 1, kinds), expected)
            return
        axes = integers(constants.get(node.inputs[1]))
    if axes:
        yield from _axes(scope, node, sizes_of(kinds[0]), axes, version)


def _axes(
    scope: Scope, node: Node, sizes: Sizes | None, axes: Sequence[int], version: OperatorVersion
) -> Iterator[Finding]:
    place, given = scope.place(node), f"axes are {', '.join(map(str, axes))}"
    # Where the rank is not known, it is one at which no negative axis is another one.
    rank = len(sizes) if sizes is not None else 2 * max(map(abs, axes)) + 1
    faulty = False
    for axis in dict.fromkeys(axes):
        if axis < 0 and not version.negative_axes:
            faulty = True
            later = next(row for row in versions(version.name) if row.negative_axes)
            hint = f"negative axes are accepted from {later.label} on (opset {later.since_version})"
            found = f"{given}, and {axis} is negative"
            yield AXIS_NEGATIVE.at(place, found, _allowed(version, sizes), hint, later.since_version)
        elif sizes is not None and not _are_axes(version, rank, [axis]):
            faulty = True
            yield AXIS_RANGE.at(place, f"{given}, and {axis} is out of range", _allowed(version, sizes))
    if not faulty and not _are_axes(version, rank, axes):
        yield AXIS_TWICE.at(place, given, "each axis once", "what repeated axes mean is left open")


def _are_axes(version: OperatorVersion, rank: int, axes: Sequence[int]) -> bool:
    try:
        reduced_axes(version, rank, axes)
    except AxesError:
        return False
    return True


def _allowed(version: OperatorVersion, sizes: Sizes | None) -> str:
    if sizes is None:
        return f"{version.label} ({version.opsets}) counts axes from 0"
    if not sizes:
        return f"{version.label}: an input of rank 0 has no axes"
    low = -len(sizes) if version.negative_axes else 0
    return f"{version.label}: axes are {low} to {len(sizes) - 1} at rank {len(sizes)}"
