"""Records to test with, made by hand."""

from bench.record import Record, Results
from bench.rounds import Outcome, Sample


def record(family, group, name, *, read=1 << 20, written=1 << 20, left_out=(), differs=(), **seconds):
    """Return a record; `seconds` are the times of each contestant's rounds, whose peaks are 1, 2, ... MiB."""
    samples = {
        peer: [Sample(time, number << 20) for number, time in enumerate(times, 1)] for peer, times in seconds.items()
    }
    return Record(family, group, name, read, written, Outcome(samples, dict(left_out), dict(differs)))


def results(*records):
    """Return the results of a run."""
    about = {
        "machine": {"CPU": "one | two", "memory": "8.0 GiB"},
        "versions": {"Python": "3.11.0", "torch": "not installed"},
        "run": {"date": "2024-02-29 12:00 UTC", "minutes": 1.5, "quick": False},
    }
    return Results(about, list(records))
