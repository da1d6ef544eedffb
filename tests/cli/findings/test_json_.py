"""Findings as a JSON document."""

import json

import mincli
from mincli.cli.findings import json_
from tests.cli.findings.results import CLEAN, HARMFUL, HOSTILE, MOVED, NOTHING, RESULT

FULL = {
    "code": "MC901",
    "severity": "error",
    "title": "a fault, of a test",
    "graph": "function own:f",
    "node": 3,
    "operator": "Conv-11",
    "name": "/conv",
    "value": "x",
    "found": "found it",
    "expected": "something else",
    "opset": 12,
    "hint": "mend it",
}
EMPTY = dict.fromkeys(FULL)


def test_document():
    assert json.loads(json_.text([RESULT, CLEAN, NOTHING], found=True)) == {
        "mincli": mincli.__version__,
        "version": 1,
        "files": [
            {
                "path": "dir/m.onnx",
                "readable": True,
                "opsets": {"ai.onnx": 17, "own": 1},
                "nodes": 34,
                "migration": None,
                "failure": None,
                "errors": 1,
                "warnings": 1,
                "notes": 1,
                "findings": [
                    FULL,
                    EMPTY
                    | {"code": "MC902", "severity": "warning", "title": "something to look at", "found": "found it"},
                    EMPTY
                    | {"code": "MC903", "severity": "note", "title": "something to know", "found": "found it"}
                    | {"graph": "node 0 (If) then_branch", "value": "x", "hint": "look"},
                ],
            },
            {
                "path": "clean.onnx",
                "readable": True,
                "opsets": {"ai.onnx": 21},
                "nodes": 1,
                "migration": None,
                "failure": None,
                "errors": 0,
                "warnings": 0,
                "notes": 0,
                "findings": [],
            },
            {
                "path": "no.onnx",
                "readable": False,
                "opsets": {},
                "nodes": 0,
                "migration": None,
                "failure": None,
                "errors": 1,
                "warnings": 0,
                "notes": 0,
                "findings": [
                    EMPTY
                    | {"code": "MC101", "severity": "error", "title": "no file that a model can be read from"}
                    | {"found": "no.onnx is no model"}
                ],
            },
        ],
        "found": True,
    }


def test_migration():
    (file,) = json.loads(json_.text([MOVED], found=False))["files"]
    assert file["migration"] == {"target": 18, "fine": 2, "changed": 1, "not_judged": 3}


def test_names_are_data():
    shown = json_.text([HARMFUL], found=False)
    assert shown.isascii()
    (file,) = json.loads(shown)["files"]
    assert (file["path"], file["opsets"]) == (f"{HOSTILE}.onnx", {HOSTILE: 1})
    (finding,) = file["findings"]
    assert (finding["operator"], finding["name"], finding["value"]) == (HOSTILE, HOSTILE, HOSTILE)
