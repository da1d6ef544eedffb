"""The values of a run beside those that they should be: expected ones, or those of another engine."""

from collections.abc import Mapping
from typing import NamedTuple

from mincli.graphs.nodes import node_label
from mincli.models.compare import Comparison, Tolerance, compare
from mincli.models.load import Model
from mincli.models.values import Value

EXPECTED = "expected"
"""What values are compared with, if not with those of an engine."""


class Difference(NamedTuple):
    """The first value, in the order in which nodes make them, that differs from another engine's.

    Attributes:
        name: of the value.
        node: that made it, in words.
    """

    name: str
    node: str


class Compared(NamedTuple):
    """Values of a run beside those that they should be.

    Attributes:
        against: "expected", or the other engine.
        comparisons: one for each tensor.
        first: the first that differs, of those that nodes make; None if none does.
        differing: the names of the values that differ, in the order of the comparisons.
    """

    against: str
    comparisons: list[Comparison]
    first: Difference | None = None
    differing: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return all(comparison.same for comparison in self.comparisons)


def compare_values(
    model: Model, against: str, got: Mapping[str, Value], want: Mapping[str, Value], tolerance: Tolerance
) -> Compared:
    """Compare the values that both sides have.

    Args:
        model: that made them.
        against: "expected", or the other engine.
        got: values by name.
        want: what they should be.
        tolerance: what counts as the same.
    """
    pairs = {name: list(compare(name, got[name], want[name], tolerance)) for name in got if name in want}
    differing = tuple(name for name, comparisons in pairs.items() if not all(one.same for one in comparisons))
    first = next(
        (
            Difference(name, node_label(number, node))
            for number, node in enumerate(model.proto.graph.node)
            for name in node.output
            if name in differing
        ),
        None,
    )
    return Compared(against, [one for comparisons in pairs.values() for one in comparisons], first, differing)
