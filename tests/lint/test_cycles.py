"""Cycles, beside what plain reachability says."""

from hypothesis import given
from hypothesis import strategies as st

from mincli.lint.cycles import cycles_of

NEEDS = st.integers(1, 8).flatmap(lambda n: st.lists(st.sets(st.integers(0, n - 1)), min_size=n, max_size=n))


def reached(needs, start):
    found, todo = set(), [start]
    while todo:
        for other in needs[todo.pop()] - found:
            found.add(other)
            todo.append(other)
    return found


@given(NEEDS)
def test_what_needs_itself_and_each_other(needs):
    reach = [reached(needs, thing) for thing in range(len(needs))]
    cycles = {
        tuple(other for other in range(len(needs)) if other in reach[thing] and thing in reach[other])
        for thing in range(len(needs))
        if thing in reach[thing]
    }
    assert cycles_of(needs) == sorted(map(list, cycles))
