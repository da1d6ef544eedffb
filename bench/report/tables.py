"""Tables in Markdown, and what stands in them."""

from collections.abc import Callable, Iterable, Sequence
from math import floor, log10

from bench.case import MIB
from bench.peers import PEERS
from bench.record import Record
from bench.stats import Spread, peak, seconds


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table.

    >>> print(table(["a", "b"], [["1", "2"]]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = [head, *rows]
    text = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return "\n".join([text[0], "|---" * len(head) + "|", *text[1:]])


def number(value: float) -> str:
    """Return a positive number in three digits.

    >>> number(0.01234), number(1.234), number(1234.5)
    ('0.0123', '1.23', '1234')
    """
    return f"{value:.{max(0, 2 - floor(log10(value)))}f}"


def duration(value: float) -> str:
    """Return a time in words.

    >>> duration(0.00123), duration(2.5)
    ('1.23 ms', '2.50 s')
    """
    return f"{number(value)} s" if value >= 1 else f"{number(value * 1000)} ms"


def peers_of(records: Iterable[Record]) -> list[str]:
    """Return all peers in records, known ones in the order of their table, then others."""
    found = dict.fromkeys(peer for record in records for peer in record.peers)
    return [*(peer for peer in PEERS if peer in found), *(peer for peer in found if peer not in PEERS)]


def comparison(records: Sequence[Record], ratio: Callable[[Record, str], Spread]) -> str:
    """Return a table of mincli's times, and of a ratio to those of each peer."""
    peers = peers_of(records)
    rows = [[r.name, _own(r), *(_ratio(r, peer, ratio) for peer in peers)] for r in records]
    return table(["case", "mincli", *peers], rows)


def peaks(records: Sequence[Record]) -> str:
    """Return a table of peak memory in MiB, of all that compute."""
    names = ["mincli", *(peer for peer in peers_of(records) if peer not in PEERS or PEERS[peer].computes)]
    rows = [[r.name, *(_peak(r, name) for name in names)] for r in records]
    return table(["case", *names], rows)


def _own(record: Record) -> str:
    if "mincli" not in record.outcome.samples:
        return "left out"
    time = seconds(record, "mincli")
    rate = (record.read + record.written) / time / 1e9
    return duration(time) + (f", {number(rate)} GB/s" if rate >= 0.1 else "")


def _ratio(record: Record, peer: str, ratio: Callable[[Record, str], Spread]) -> str:
    if peer not in record.peers:
        return ""
    middle, low, high = map(number, ratio(record, peer))
    return f"**{middle}** ({low} to {high}) {duration(seconds(record, peer))}"


def _peak(record: Record, name: str) -> str:
    return f"{peak(record, name) / MIB:.0f}" if name in record.outcome.samples else ""
