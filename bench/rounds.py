"""Contestants measured in turns, A B C A B C ..., so that what disturbs the machine disturbs them alike."""

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Sample(NamedTuple):
    """One run: wall time in seconds, and the peak of resident memory in bytes (0 if it was not measured)."""

    seconds: float
    peak: int = 0


class Effort(NamedTuple):
    """How many rounds: `least`, and more until `seconds` are over or `most` is reached."""

    least: int
    most: int
    seconds: float


QUICK = Effort(2, 2, 0)


class Outcome(NamedTuple):
    """What came of a race.

    Attributes:
        samples: of each contestant, one for each round.
        left_out: who could not take part, and why.
        differs: whose result was not that of the first, and how.
    """

    samples: dict[str, list[Sample]]
    left_out: dict[str, str]
    differs: dict[str, str]


def alternate(
    contestants: Mapping[str, Callable[[], Sample]],
    effort: Effort,
    check: Callable[[str], str] = lambda name: "",
) -> Outcome:
    """Run all once to warm up, which leaves out those that fail, and then in rounds; in none if the first failed.

    Args:
        contestants: by name, in the order in which they run.
        effort: how many rounds.
        check: is called after a contestant's first run; says how its result differs, or "".
    """
    samples: dict[str, list[Sample]] = {}
    left_out: dict[str, str] = {}
    differs: dict[str, str] = {}
    for name, run in contestants.items():
        try:
            run()
        except Exception as error:  # whatever a peer raises when it has no kernel
            left_out[name] = reason(error)
            if not samples:
                break
            continue
        samples[name] = []
        if difference := check(name):
            differs[name] = difference
    end = time.perf_counter() + effort.seconds
    for count in range(effort.most):
        if count >= effort.least and time.perf_counter() > end:
            break
        for name, list_ in samples.items():
            list_.append(contestants[name]())
    return Outcome(samples, left_out, differs)


def reason(error: Exception) -> str:
    """Return what an error says, in a line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:160]
