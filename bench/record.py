"""What was measured, as it is kept in the JSON file."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from bench.rounds import Outcome, Sample


class Record(NamedTuple):
    """A case that was measured.

    Attributes:
        family: of measurements.
        group: the table in the report that it belongs to.
        name: what tells it apart in that table.
        read: bytes of all operands.
        written: bytes of the result.
        outcome: the samples of mincli and its peers.
    """

    family: str
    group: str
    name: str
    read: int
    written: int
    outcome: Outcome

    @property
    def peers(self) -> list[str]:
        """Those that mincli was measured against; none if mincli itself could not take part."""
        names = list(self.outcome.samples)
        return [name for name in names if name != "mincli"] if "mincli" in names else []


class Results(NamedTuple):
    """A whole run: facts about it and the machine by name, and the records in the order in which they were made."""

    about: dict[str, Any]
    records: list[Record]

    def of(self, family: str) -> list[Record]:
        """Return the records of a family."""
        return [record for record in self.records if record.family == family]


def to_json(record: Record) -> str:
    """Return a record as a line of JSON."""
    return json.dumps(record._asdict() | {"outcome": record.outcome._asdict()})


def from_json(value: dict[str, Any]) -> Record:
    """Return the record that a line of JSON holds."""
    outcome = value["outcome"]
    samples = {name: [Sample(*sample) for sample in list_] for name, list_ in outcome["samples"].items()}
    return Record(**value | {"outcome": Outcome(**outcome | {"samples": samples})})


def save(results: Results, path: Path) -> None:
    """Write results to a JSON file, one record a line."""
    lines = ",\n".join(map(to_json, results.records))
    path.write_text(f'{{"about": {json.dumps(results.about, indent=1)},\n"records": [\n{lines}\n]}}\n', "utf-8")


def load(path: Path) -> Results:
    """Read results from a JSON file."""
    value = json.loads(path.read_text("utf-8"))
    return Results(value["about"], list(map(from_json, value["records"])))
