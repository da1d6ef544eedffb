"""Cycles and chains of whatever needs each other: nodes of a graph, functions of a model."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

T = TypeVar("T")


def cycles_of(needs: Sequence[Iterable[int]]) -> list[list[int]]:
    """Return the things that need themselves at last, each list a cycle or several that share some, in order.

    These are the strongly connected components (R. Tarjan, Depth-First Search and Linear Graph Algorithms, 1972),
    without recursion: models have thousands of nodes in a row.

    Args:
        needs: for each thing the numbers of those that it needs.

    >>> cycles_of([[1], [0], [1], [3]])
    [[0, 1], [3]]
    """
    found = []
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_things: dict[int, None] = {}
    for start in range(len(needs)):
        if start in order:
            continue
        path = [_enter(start, needs, order, lowest, open_things)]
        while path:
            thing, rest = path[-1]
            other = next(rest, None)
            if other is None:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[thing])
                if lowest[thing] == order[thing]:
                    found.append(_leave(thing, open_things))
            elif other not in order:
                path.append(_enter(other, needs, order, lowest, open_things))
            elif other in open_things:
                lowest[thing] = min(lowest[thing], order[other])
    return sorted(cycle for cycle in found if len(cycle) > 1 or cycle[0] in needs[cycle[0]])


def _enter(
    thing: int,
    needs: Sequence[Iterable[int]],
    order: dict[int, int],
    lowest: dict[int, int],
    open_things: dict[int, None],
) -> tuple[int, Iterator[int]]:
    order[thing] = lowest[thing] = len(order)
    open_things[thing] = None
    return thing, iter(needs[thing])


def _leave(thing: int, open_things: dict[int, None]) -> list[int]:
    """Return what was entered since a thing was, which is one component, in order."""
    cycle = []
    while thing in open_things:
        cycle.append(open_things.popitem()[0])
    return sorted(cycle)


def depths_of(needs: Mapping[T, Collection[T]]) -> dict[T, int]:
    """Return of things how many there are in the longest chain that begins with each; what needs no other has 1.

    Args:
        needs: for each thing those that it needs.

    Returns:
        Each after those that it needs; without those that need themselves at last, or need such a one.

    >>> depths_of({"a": ["b", "c"], "b": ["c"], "c": [], "d": ["d"]})
    {'c': 1, 'b': 2, 'a': 3}
    """
    sorter = TopologicalSorter(needs)
    with suppress(CycleError):  # it goes on all the same, as far as no cycle is in the way
        sorter.prepare()
    depths: dict[T, int] = {}
    while ready := sorter.get_ready():
        for thing in ready:
            depths[thing] = 1 + max((depths[other] for other in needs[thing]), default=0)
        sorter.done(*ready)
    return depths
