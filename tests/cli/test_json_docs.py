"""docs/json.md names every key of every JSON document, in order."""

import json
import re
from pathlib import Path

import onnx
import pytest

from tests.cli.runner import run
from tests.models.graphs import MARGIN, proto

DOCS = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")

COMMANDS = {
    "mincli min --json": "min a.npy b.npy --json -v",
    "mincli run-model --json": "run-model m.onnx a.npy b.npy --json",
    "mincli check-schema --output-format json": "check-schema bad.onnx --output-format json",
    "mincli check-schema --op OP --output-format json": "check-schema --op Min a.npy --output-format json",
    "mincli schema OP --json": "schema Min --json",
    "mincli schema OP --diff M --json": "schema Min --diff 6 --json",
}
INSIDE = {"runs", "files", "findings", "verdicts"}
"""The keys of lists whose entries have rows of their own."""

FAULTY = '<ir_version: 10, opset_import: ["" : 21]> g (float[2] x) => (float[2] y) { y = Add (x, bias) }'


@pytest.fixture(autouse=True)
def _files(arrays):
    onnx.save(proto(MARGIN), "m.onnx")
    onnx.save(proto(FAULTY), "bad.onnx")


def keys_in(facts, prefix=""):
    for key, value in facts.items():
        yield prefix + key
        if key in INSIDE:
            yield from keys_in(value[0], f"{prefix}{key}[].")


def documented():
    """Return the keys of each section, by its commands."""
    sections = {}
    for section in DOCS.split("\n## ")[1:]:
        title, _, table = section.partition("\n")
        rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        sections[title.replace("`", "").partition(" and ")[0]] = [
            key for row in rows for key in re.findall(r"`(.*?)`", row)
        ]
    return sections


def test_every_document_has_a_section():
    assert list(documented()) == list(COMMANDS)


@pytest.mark.parametrize("title", COMMANDS)
def test_every_key_has_a_row(title):
    facts = json.loads(run(*COMMANDS[title].split()).text)
    assert list(keys_in(facts)) == documented()[title]
