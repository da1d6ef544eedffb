"""Axes as a node gives them."""

from collections.abc import Sequence

from mincli.errors import AxesError

NOT_YET_NEGATIVE = "; negative ones are accepted from opset 11 on"
"""What messages say of versions that have none."""


def from_the_front(axes: Sequence[int], rank: int, *, negative: bool = True) -> tuple[int, ...]:
    """Return axes counted from the front.

    Args:
        axes: as given.
        rank: of what they are axes of.
        negative: whether they may be counted from the end, as -1.

    Raises:
        AxesError: one is out of range, or two are the same.
    """
    low = -rank if negative else 0
    for axis in axes:
        if not low <= axis < rank:
            raise AxesError(
                f"the axis {axis} is out of range",
                details=[f"axes are {low} to {rank - 1} at rank {rank}{'' if negative else NOT_YET_NEGATIVE}"],
            )
    result = tuple(axis % rank for axis in axes)
    if len(set(result)) < len(result):
        raise AxesError(f"the axes {', '.join(map(str, axes))} name one twice", details=[f"the rank is {rank}"])
    return result
