"""Broadcasting, axes and reduced shapes, as pure functions on tuples."""

from collections.abc import Sequence
from math import prod

from mincli.errors import AxesError, ShapeError
from mincli.spec.operators import EmptyAxes, OperatorVersion, versions

MAX_AXES = 64
"""NumPy's own limit."""


def is_possible(shape: Sequence[int], itemsize: int) -> bool:
    """Whether NumPy can hold an array: of at most 64 axes, and of under 2**63 bytes even if no axis were empty."""
    return len(shape) <= MAX_AXES and prod(max(size, 1) for size in shape) * max(itemsize, 1) < 2**63


def broadcast_shapes(shapes: Sequence[tuple[int, ...]], names: Sequence[str]) -> tuple[int, ...]:
    """Return the shape that `shapes` broadcast to, by NumPy's rule (ONNX Broadcasting.md, multidirectional).

    Shapes are aligned from the right; two sizes go together when they are equal or one of them is 1, so that
    0 with 1 gives 0, and 0 with 2 is an error. Any number of shapes of any rank.

    Raises:
        ShapeError: two sizes clash; the message draws the shapes with the clash marked.

    >>> broadcast_shapes([(2, 1), (3,)], ["a", "b"])
    (2, 3)
    """
    rank = max(len(shape) for shape in shapes)
    result = [1] * rank
    for shape in shapes:
        for axis, size in enumerate(shape, rank - len(shape)):
            if size != 1 and result[axis] != 1 and size != result[axis]:
                raise ShapeError(
                    "the shapes do not broadcast",
                    details=drawing(shapes, names, axis - rank),
                )
            if size != 1:
                result[axis] = size
    return tuple(result)


def in_words(shape: Sequence[int]) -> str:
    """Return a shape as messages show it.

    >>> in_words((2, 3)), in_words(())
    ('2 x 3', 'scalar')
    """
    return " x ".join(map(str, shape)) or "scalar"


def drawing(shapes: Sequence[tuple[int, ...]], names: Sequence[str], clash: int | None = None) -> list[str]:
    r"""Draw shapes under each other, aligned from the right.

    Args:
        shapes: any shapes; of many, only the first and those that take part in a clash are drawn.
        names: a name for each shape.
        clash: the axis to mark, counted from the right (-1 is the last), or None.

    >>> print("\n".join(drawing([(4, 3), (2,)], ["a.npy", "b"], -1)))
    a.npy  4 x 3
    b          2
               ^ 3 and 2 differ, and neither is 1
    """
    shown = list(zip(names, shapes, strict=True))
    if clash is not None:
        by_size: dict[int, tuple[str, tuple[int, ...]]] = {}
        for name, shape in shown:
            if len(shape) >= -clash and shape[clash] != 1:
                by_size.setdefault(shape[clash], (name, shape))
        (size, pair), (other_size, other) = list(by_size.items())[:2]
        shown = [pair, other]
    else:
        other = next((pair for pair in shown if pair[1] != shapes[0]), shown[0])
        shown = [shown[0], other]
    rank = max(len(shape) for _, shape in shown)
    cells = [[""] * (rank - len(shape)) + [str(size) for size in shape] for _, shape in shown]
    widths = [max(len(row[axis]) for row in cells) for axis in range(rank)]
    label = max(len(name) for name, _ in shown)
    lines = []
    for (name, shape), row in zip(shown, cells, strict=True):
        text = "".join(
            ("   " if axis and not (row[axis - 1]) else " x " if axis else "") + cell.rjust(width)
            for axis, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append(f"{name.ljust(label)}  {text if shape else 'scalar'}")
    if clash is not None:
        column = label + 2 + sum(widths[: rank + clash + 1]) + 3 * (rank + clash) - 1
        lines.append(" " * column + f"^ {size} and {other_size} differ, and neither is 1")
    return lines


def reduced_axes(
    version: OperatorVersion, rank: int, axes: Sequence[int] | None, *, noop_with_empty_axes: bool = False
) -> tuple[int, ...]:
    """Return the axes that a reduction removes, non-negative and sorted.

    Args:
        version: a row of ReduceMin.
        rank: of the input, 0 or more.
        axes: as given; None if absent, which for every version means the same as empty.
        noop_with_empty_axes: the attribute of that name (ReduceMin-18 on): absent or empty axes reduce nothing.

    Raises:
        AxesError: an axis out of range, repeated, or negative where the version forbids it.

    >>> from mincli.spec.operators import resolve
    >>> reduced_axes(resolve("ReduceMin"), 3, [-1, 0])
    (0, 2)
    """
    if not axes:
        nothing = version.empty_axes is EmptyAxes.IDENTITY or (
            version.empty_axes is EmptyAxes.ALL_OR_NOOP and noop_with_empty_axes
        )
        return () if nothing else tuple(range(rank))
    result = [_axis(version, rank, axis) for axis in axes]
    for position, axis in enumerate(result):
        if axis in result[:position]:
            raise AxesError(
                f"{version.label}: axis {axis} is given twice (axes {', '.join(map(str, axes))}, rank {rank})",
                details=["the standard leaves repeated axes open; mincli refuses them"],
                hint="name each axis once",
            )
    return tuple(sorted(result))


def _axis(version: OperatorVersion, rank: int, axis: int) -> int:
    low = -rank if version.negative_axes else 0
    if low <= axis < rank:
        return axis + rank if axis < 0 else axis
    allowed = f"axes are {low} to {rank - 1} at rank {rank}" if rank else "an array of rank 0 has no axes"
    if axis < 0 and not version.negative_axes:
        first = next(row for row in versions(version.name) if row.negative_axes)
        raise AxesError(
            f"{version.label} does not accept the negative axis {axis}",
            details=[f"{version.label} ({version.opsets}): {allowed}"],
            hint=f"negative axes are accepted from {first.label} on: use --opset {first.since_version} or newer",
        )
    raise AxesError(f"{version.label}: axis {axis} is out of range", details=[allowed])


def reduced_shape(shape: tuple[int, ...], axes: Sequence[int], *, keepdims: bool) -> tuple[int, ...]:
    """Return `shape` without `axes` (as `reduced_axes` gives them), or with 1 in their place.

    >>> reduced_shape((2, 3, 4), (0, 2), keepdims=True)
    (1, 3, 1)
    """
    if keepdims:
        return tuple(1 if axis in axes else size for axis, size in enumerate(shape))
    return tuple(size for axis, size in enumerate(shape) if axis not in axes)
