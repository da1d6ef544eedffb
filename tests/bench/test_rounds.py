"""Contestants in turns."""

import pytest

from bench.rounds import Effort, Outcome, Sample, alternate, reason


def contestants(log, *names, failing=()):
    """Return contestants that log their names, and take as long as their names are."""

    def contestant(name):
        def run():
            log.append(name)
            if name in failing:
                raise ValueError(f"no kernel for {name}\nand more")
            return Sample(len(name))

        return run

    return {name: contestant(name) for name in names}


def test_all_run_once_to_warm_up_and_then_in_rounds():
    log = []
    outcome = alternate(contestants(log, "a", "bb"), Effort(2, 2, 0))
    assert log == ["a", "bb"] * 3
    assert outcome == Outcome({"a": [Sample(1)] * 2, "bb": [Sample(2)] * 2}, {}, {})


@pytest.mark.parametrize(("effort", "rounds"), [(Effort(2, 9, 0), 2), (Effort(1, 4, 1e9), 4)])
def test_rounds_end_when_the_time_is_over_or_there_were_enough(effort, rounds):
    assert len(alternate(contestants([], "a"), effort).samples["a"]) == rounds


def test_who_fails_is_left_out():
    log = []
    outcome = alternate(contestants(log, "a", "b", "c", failing="b"), Effort(1, 1, 0))
    assert log == ["a", "b", "c", "a", "c"]
    assert outcome == Outcome({"a": [Sample(1)], "c": [Sample(1)]}, {"b": "no kernel for b"}, {})


def test_there_is_no_race_without_the_first():
    log = []
    outcome = alternate(contestants(log, "a", "b", failing="a"), Effort(1, 1, 0))
    assert (log, outcome) == (["a"], Outcome({}, {"a": "no kernel for a"}, {}))


def test_results_are_checked_once_after_the_first_run():
    log = []

    def check(name):
        log.append(f"check {name}")
        return "3 of 4" if name == "b" else ""

    outcome = alternate(contestants(log, "a", "b"), Effort(1, 1, 0), check)
    assert log == ["a", "check a", "b", "check b", "a", "b"]
    assert outcome.differs == {"b": "3 of 4"}
    assert list(outcome.samples) == ["a", "b"]


@pytest.mark.parametrize(
    ("error", "text"),
    [(ValueError("\n one\ntwo"), "one"), (MemoryError(), "MemoryError"), (ValueError("x" * 500), "x" * 160)],
)
def test_reason(error, text):
    assert reason(error) == text
