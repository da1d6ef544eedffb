"""`--json`: one strict JSON document about the run."""

import json
import os

import ml_dtypes
import numpy as np
import pytest

import mincli
from tests.cli.runner import run, spawn

pytestmark = pytest.mark.usefixtures("arrays")


def document(*arguments):
    """Return the JSON document of a run, which must be strict JSON: no NaN or Infinity, and nothing else on stdout."""

    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    outcome = run(*arguments, "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    return json.loads(outcome.text, parse_constant=refuse)


def fact(name, shape, **more):
    """Return what the document says of an input of type float."""
    facts = {"name": name, "type": "float", "shape": shape, "layout": "C order", "note": None}
    return {**facts, "bytes": int(4 * np.prod(shape)), **more}


def test_facts_of_min():
    facts = document("min", "a.npy", "row.npy", "--opset", "8")
    assert facts.pop("seconds") > 0
    assert facts.pop("memory") > 0
    assert facts == {
        "mincli": mincli.__version__,
        "standard": "onnx",
        "operator": "Min",
        "since_version": 8,
        "attributes": {},
        "inputs": [fact("a.npy", [2, 3]), fact("row.npy", [3])],
        "output": {"path": None, "type": "float", "shape": [2, 3], "bytes": 24},
        "dry_run": False,
        "threads": 1,
        "result": [[1.0, 0.0, 3.0], [3.0, 0.0, 3.0]],
    }


def test_facts_of_reduce_min():
    facts = document("reduce-min", "a.npy", "--axes", "-1", "--no-keepdims", "-o", "out.npy")
    assert facts.pop("seconds") > 0
    assert facts.pop("memory") > 0
    assert facts == {
        "mincli": mincli.__version__,
        "standard": "onnx",
        "operator": "ReduceMin",
        "since_version": 20,
        "attributes": {"axes": [1], "keepdims": False},
        "inputs": [fact("a.npy", [2, 3])],
        "output": {"path": "out.npy", "type": "float", "shape": [2], "bytes": 8},
        "dry_run": False,
        "threads": 1,
    }
    assert np.load("out.npy").tolist() == [1.0, 2.0]


def test_onednn_has_no_opset():
    facts = document("min", "a.npy", "b.npy", "--spec", "onednn", "--auto-broadcast", "none")
    chosen = [facts[key] for key in ("standard", "operator", "since_version", "attributes")]
    assert chosen == ["onednn", "Minimum", None, {"auto_broadcast": "none"}]


def test_dry_run_says_so_and_writes_nothing():
    before = sorted(os.listdir())
    facts = document("min", "a.npy", "-o", "out.npy", "--dry-run")
    assert (facts["dry_run"], facts["output"]["path"], "result" in facts) == (True, "out.npy", False)
    assert sorted(os.listdir()) == before


def test_notes_and_layouts_of_inputs():
    np.save("raw.npy", np.array([[1, 2], [0, 3]], ml_dtypes.bfloat16))
    np.save("fortran.npy", np.asfortranarray(np.array([[1, 2], [0, 3]], ">f4")))
    raw, fortran = (document("reduce-min", name)["inputs"][0] for name in ("raw.npy", "fortran.npy"))
    assert (raw["type"], raw["note"]) == ("bfloat16", "raw two-byte elements, read as bfloat16")
    assert fortran == fact("fortran.npy", [2, 2], layout="Fortran order, byte-swapped")


@pytest.mark.parametrize("command", ["min", "reduce-min"])
def test_verbose_counts_nan_and_shows_the_summary(command):
    np.save("nan.npy", np.array([np.nan], "f4"))
    outcome = run(command, "nan.npy", "--json", "-v")
    assert json.loads(outcome.text)["nan"] == 1
    assert outcome.stderr.startswith({"min": "Min-13", "reduce-min": "ReduceMin-20"}[command])


def test_verbose_counts_where_elements_came_from():
    outcome = run("min", "a.npy", "b.npy", "--json", "--verbose")
    facts = json.loads(outcome.text)
    assert (facts["from_input"], facts["nan"]) == ([3, 3], 0)


@pytest.mark.parametrize(
    ("values", "result"),
    [
        pytest.param(np.array(0.1, "f2"), 0.1, id="float16"),
        pytest.param(np.array([0.1], ml_dtypes.bfloat16), [0.1], id="bfloat16"),
        pytest.param(np.array([[0.1]], "f4"), [[0.1]], id="float"),
        pytest.param(np.array([0.1, -0.0], "f8"), [0.1, -0.0], id="double"),
        pytest.param(np.array([np.nan, np.inf, -np.inf], "f4"), ["nan", "inf", "-inf"], id="not-finite"),
        pytest.param(np.array([np.nan, -np.inf], ml_dtypes.bfloat16), ["nan", "-inf"], id="not-finite-bfloat16"),
        pytest.param(np.array([2**63 - 1, -(2**63)], "i8"), [2**63 - 1, -(2**63)], id="int64"),
        pytest.param(np.array([2**64 - 1], "u8"), [2**64 - 1], id="uint64"),
        pytest.param(np.zeros((2, 0), "f4"), [[], []], id="empty"),
        pytest.param(np.arange(1000, dtype="i4"), list(range(1000)), id="1000-elements"),
        pytest.param(np.arange(1001, dtype="i4"), None, id="1001-elements"),
    ],
)
def test_result(values, result):
    np.save("x.npy", values)
    assert repr(document("min", "x.npy")["result"]) == repr(result)


def test_bool_result():
    np.save("x.npy", np.array([[True, False], [True, True]]))
    assert document("reduce-min", "x.npy", "--axes", "1")["result"] == [[False], [True]]


def test_many_empty_rows_are_left_out():
    np.save("x.npy", np.zeros((100_000, 0), "f4"))
    assert document("min", "x.npy")["result"] is None


def test_names_are_data_as_they_were_given():
    np.save("a\x1b[31m\n.npy", np.zeros(2, "f4"))
    np.savez("é.npz", **{"m\t": np.zeros(2, "f4")})
    facts = document("min", "a\x1b[31m\n.npy", "é.npz:m\t", "-o", "ü\t.npy")
    assert [tensor["name"] for tensor in facts["inputs"]] == ["a\x1b[31m\n.npy", "é.npz:m\t"]
    assert facts["output"]["path"] == "ü\t.npy"


@pytest.mark.parametrize(
    "environment",
    [{}, {"PYTHONIOENCODING": "latin-1"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}],
    ids=lambda environment: " ".join(environment) or "utf-8",
)
def test_any_encoding_gives_json(environment, monkeypatch):
    name = "日\udcff\x07ü.npy"  # with a byte that is no UTF-8
    np.save(name, np.zeros(2, "f4"))
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    code, stdout, stderr = spawn("min", name, "--json", "-o", "ö" + name)
    assert (code, stderr) == (0, "")
    facts = json.loads(stdout.decode("ascii"))
    assert os.fsencode(facts["inputs"][0]["name"]) == os.fsencode(name)
    assert os.fsencode(facts["output"]["path"]) == os.fsencode("ö" + name)


def test_stdin_has_a_name_of_words():
    with open("a.npy", "rb") as stdin:
        facts = json.loads(spawn("min", "-", "--json", stdin=stdin).text)
    assert facts["inputs"][0]["name"] == "standard input"
