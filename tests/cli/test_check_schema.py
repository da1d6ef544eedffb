"""`mincli check-schema` on models: what is shown, exit codes, choices; the forms have tests of their own."""

import gzip
import json
import os
import zipfile

import onnx
import pytest

from mincli.cli import render
from mincli.cli.check_schema import ENGINES, FORMATS
from mincli.errors import EngineError
from mincli.findings.table import RULES
from mincli.models import engines
from tests.cli.runner import on_terminal, run, shell, spawn, without_reader
from tests.models.graphs import MARGIN, proto

FAULTY = """<ir_version: 10, opset_import: ["" : 21]>
g (float[2] x) => (float[2] y) {
   [sum] y = Add (x, bias)
}"""
FOUND = "bad.onnx: error MC201: node 0 (Add-14 sum): nothing makes its input bias\n"
GITHUB = (
    "::error file=bad.onnx,title=MC201 an input of a node that nothing makes::node 0 (Add-14 sum): "
    "nothing makes its input bias\n"
)


@pytest.fixture(autouse=True)
def _models():
    onnx.save(proto(FAULTY), "bad.onnx")
    onnx.save(proto(MARGIN), "good.onnx")


def stdout_of(*arguments, code):
    outcome = run("check-schema", *arguments)
    assert (outcome.code, outcome.stderr) == (code, "")
    return outcome.text


def test_a_model_without_faults_says_nothing():
    assert stdout_of("good.onnx", code=0) == ""


def test_a_finding_is_a_line():
    assert stdout_of("bad.onnx", code=1) == FOUND


def test_several_files_in_their_order():
    assert stdout_of("bad.onnx", "good.onnx", "bad.onnx", code=1) == FOUND + FOUND


def test_a_file_that_cannot_be_read_stops_no_other():
    shown = stdout_of("missing.onnx", "bad.onnx", "good.onnx", code=3).splitlines(keepends=True)
    assert shown[0].startswith("missing.onnx: error MC101: model: missing.onnx does not exist")
    assert shown[1:] == [FOUND]


def test_a_model_on_standard_input():
    told = "-: error MC101: model: - does not exist; hint: a model on standard input is /dev/stdin\n"
    assert stdout_of("-", code=3) == told
    found = FOUND.replace("bad.onnx", "/dev/stdin")
    with open("bad.onnx", "rb") as stdin:
        assert spawn("check-schema", "/dev/stdin", stdin=stdin) == (1, found.encode(), "")
    assert shell("cat bad.onnx | mincli check-schema /dev/stdin") == (1, found.encode(), "")


def test_the_option_of_the_other_commands():
    """Which has another name here."""
    assert run("check-schema", "--json", "good.onnx") == (
        2,
        b"",
        "error: No such option '--json': it is --output-format json here\n  hint: see mincli check-schema --help\n",
    )


def test_files_without_an_end_and_nested_beyond_all_bounds_stop_no_other():
    with open("deep.onnxtxt", "w") as file:
        file.write('<ir_version: 10, opset_import: ["" : 21]> g () => (float y) {')
        file.write("y = If (c) <then_branch = a () => (float z) {" * 20_000)
    shown = stdout_of("/dev/zero", "deep.onnxtxt", "bad.onnx", code=3).splitlines(keepends=True)
    assert shown == [
        "/dev/zero: error MC101: model: /dev/zero is no ONNX model: it looks like zeros\n",
        "deep.onnxtxt: error MC101: model: deep.onnxtxt is no ONNX model: "
        "it is text, but none of onnx's forms of it: its brackets are nested too deeply\n",
        FOUND,
    ]


def test_summary():
    summary = "bad.onnx: 1 error in 1 node, opset 21\ngood.onnx: no faults found in 4 nodes, opset 13\n"
    assert run("check-schema", "bad.onnx", "good.onnx", "-v") == (1, FOUND.encode(), summary)
    assert run("check-schema", "bad.onnx", "good.onnx", terminal=True) == (1, FOUND.encode(), summary)
    assert run("check-schema", "bad.onnx", "good.onnx", "-q", terminal=True) == (1, FOUND.encode(), "")
    assert run("check-schema", "no.onnx", "-v").stderr == "no.onnx: not checked\n"


def test_colors_in_a_pipe_only_on_demand():
    colored = run("--color", "always", "check-schema", "bad.onnx").text
    assert colored.startswith("\x1b[1mbad.onnx\x1b[0m: \x1b[31merror\x1b[0m MC201: node 0")
    assert "\x1b" not in run("check-schema", "bad.onnx").text


def test_json():
    facts = json.loads(stdout_of("bad.onnx", "good.onnx", "--output-format", "json", code=1))
    assert [(file["path"], file["errors"]) for file in facts["files"]] == [("bad.onnx", 1), ("good.onnx", 0)]
    assert facts["found"] is True
    assert json.loads(stdout_of("good.onnx", "--output-format", "json", code=0))["found"] is False


def test_sarif():
    (run_,) = json.loads(stdout_of("bad.onnx", "good.onnx", "--output-format", "sarif", code=1))["runs"]
    assert [result["ruleId"] for result in run_["results"]] == ["MC201"]


def test_github():
    assert stdout_of("bad.onnx", "good.onnx", "--output-format", "github", code=1) == GITHUB


@pytest.mark.parametrize("form", FORMATS)
def test_every_form_has_the_same_exit_codes(form):
    for file, code in (("good.onnx", 0), ("bad.onnx", 1), ("missing.onnx", 3)):
        outcome = run("check-schema", file, "--output-format", form)
        assert (outcome.code, outcome.stderr) == (code, "")


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ("--select MC201", True),
        ("--select mc2", True),
        ("--select MC101,MC2", True),
        ("--select MC101", False),
        ("--ignore MC201", False),
        ("--ignore MC", False),
        ("--ignore MC101", True),
        ("--select MC201 --ignore MC2", False),
    ],
)
def test_findings_are_chosen(options, shown):
    assert stdout_of("bad.onnx", *options.split(), code=int(shown)) == FOUND * shown


def test_that_a_file_cannot_be_read_is_always_told():
    assert stdout_of("no.onnx", "--ignore", "MC101", code=3).startswith("no.onnx: error MC101: ")
    assert stdout_of("no.onnx", "--select", "MC201", code=3).startswith("no.onnx: error MC101: ")


def test_explain():
    shown = stdout_of("--explain", "MC201", code=0)
    assert shown.startswith("MC201 (error): an input of a node that nothing makes\n\nEvery input of a node is ")
    assert f"\n\nwrong:\n  {RULES['MC201'].wrong.splitlines()[0]}\n" in shown


def test_explain_is_wrapped_on_a_terminal(monkeypatch):
    """But for its examples."""
    monkeypatch.setattr(render, "is_terminal", lambda _stream: True)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    shown = stdout_of("--explain", "MC201", code=0).splitlines()
    assert shown[:5] == [
        "MC201 (error): an input of a node that nothing makes",
        "",
        "Every input of a node is an input or an initializer of its",
        "graph, an output of another node there, or a value of a",
        "graph around it (onnx.proto, NodeProto.input; IR.md, Names",
    ]
    assert '  <ir_version: 10, opset_import: ["" : 21]>' in shown


def test_explain_a_family():
    parts = stdout_of("--explain", "MC", code=0)
    assert [line[:5] for line in parts.splitlines() if line.startswith("MC")] == list(RULES)


def test_target_opset():
    outcome = run("check-schema", "good.onnx", "--target-opset", "18", "-v")
    assert (outcome.code, outcome.text) == (
        1,
        "good.onnx: error MC701: node 3 (ReduceMin-13 least): axes: attribute to input 1; expected: from "
        "ReduceMin-18 on it is an input; rule changed: opset 18; hint: make it an initializer and input 1\n",
    )
    assert outcome.stderr == (
        "good.onnx: 1 error in 4 nodes, opset 13\n"
        "good.onnx: at opset 18, 1 node to look at, 3 as before, 0 not judged\n"
    )
    assert stdout_of("good.onnx", "--target-opset", "13", "--strict", code=0) == ""


INT16 = '<ir_version: 7, opset_import: ["" : 13]> g (int16[2] x) => (int16[2] y) { [low] y = Min (x, x) }'
NO_KERNEL = "int16.onnx: error MC801: node 0 (Min-13 low): valid, but onnxruntime has no kernel for Min-13 on int16\n"


def test_engine():
    onnx.save(proto(INT16), "int16.onnx")
    assert stdout_of("int16.onnx", code=0) == ""
    assert stdout_of("int16.onnx", "good.onnx", "--engine", "onnxruntime", code=1) == NO_KERNEL
    assert stdout_of("bad.onnx", "--engine", "onnxruntime", code=1) == FOUND


def test_an_engine_that_is_not_there(monkeypatch):
    def missing(*_):
        raise EngineError("onnxruntime is not installed", hint="pip install onnxruntime")

    monkeypatch.setattr("mincli.models.engines.support.check", missing)
    outcome = run("check-schema", "good.onnx", "bad.onnx", "--engine", "onnxruntime", "-v")
    assert (outcome.code, outcome.text) == (4, FOUND)
    assert outcome.stderr == (
        "good.onnx: no faults found in 4 nodes, opset 13\n"
        "good.onnx: onnxruntime is not installed\n"
        "bad.onnx: 1 error in 1 node, opset 21\n"
        "error: onnxruntime is not installed\n"
        "  hint: pip install onnxruntime\n"
    )
    facts = json.loads(run("check-schema", "good.onnx", "--engine", "onnxruntime", "--output-format", "json").text)
    assert facts["files"][0]["failure"] == "onnxruntime is not installed\n  hint: pip install onnxruntime"


def test_engines_are_those_of_models_that_are_not_the_reference():
    assert ("reference", *ENGINES) == engines.ENGINES


def test_strict():
    assert stdout_of("good.onnx", "--strict", code=0) == ""


NO_MODELS = {
    "html": (b"<!DOCTYPE html><title>404</title>", "it looks like an HTML page"),
    "lfs": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
        "it looks like a git-lfs pointer: the file itself was not fetched (git lfs pull)",
    ),
    "empty": (b"", "it looks like an empty file"),
    "zip": (b"PK\x03\x04" + bytes(26), "it looks like a zip archive"),
    "gzip": (gzip.compress(b"x"), "it looks like gzip data"),
    "truncated": (proto(MARGIN).SerializeToString()[:-9], ""),
    "tensor": (onnx.TensorProto(dims=[2], data_type=1, raw_data=bytes(8), name="w").SerializeToString(), ""),
    "text": (b"what is this", ""),
    "noise": (bytes(range(256)), ""),
}


@pytest.mark.parametrize("name", NO_MODELS)
def test_no_model(name):
    content, words = NO_MODELS[name]
    with open("x.onnx", "wb") as file:
        file.write(content)
    (line,) = stdout_of("x.onnx", code=3).splitlines()
    assert line.startswith("x.onnx: error MC101: model: x.onnx is no ONNX model")
    assert words in line
    assert "Traceback" not in line


def test_no_file():
    os.mkdir("folder")
    assert stdout_of("folder", code=3).startswith("folder: error MC101: model: folder is a folder")
    with zipfile.ZipFile("x.zip", "w") as archive:
        archive.writestr("m.onnx", b"")
    assert "it looks like a zip archive" in stdout_of("x.zip", code=3)
    assert stdout_of("", code=3).startswith("'': error MC101: model: '' does not exist")


def test_names_are_only_text():
    model = proto(FAULTY)
    model.graph.node[0].name = "a\x1b[31m\n[bold]:x:"
    model.graph.node[0].input[1] = "b\rerror MC999"
    onnx.save(model, "wild\n.onnx")
    assert stdout_of("wild\n.onnx", code=1) == (
        r"wild\n.onnx: error MC201: node 0 (Add-14 a\x1b[31m\n[bold]:x:): nothing makes its input b\rerror MC999" "\n"
    )


USAGE = {
    "": "Missing argument 'FILE...'.",
    "bad.onnx -qv": "--quiet and --verbose exclude each other",
    "bad.onnx --select MC299": "Invalid value for '--select': 'MC299' is no code of a finding; did you mean ",
    "bad.onnx --ignore x": "Invalid value for '--ignore': 'X' is no code of a finding; write it like MC201 or MC2\n",
    "bad.onnx --select MC2,": "Invalid value for '--select': '' is no code of a finding; write it like MC201 or MC2\n",
    "bad.onnx --explain MC201": "--explain needs no FILE\n",
    "--explain 201": "Invalid value for '--explain': '201' is no code of a finding; ",
    "bad.onnx --output-format xml": "Invalid value for '--output-format': 'xml' is not one of",
    "bad.onnx --target-opset 99": "Invalid value for '--target-opset': 99 is not in the range 1<=x<=",
    "bad.onnx --opset 8": "--opset goes with --op\n",
    "bad.onnx --spec onnx": "--spec goes with --op\n",
    "bad.onnx --axes 0": "--axes goes with --op\n",
    "bad.onnx --keepdims": "--keepdims goes with --op\n",
    "bad.onnx --noop-with-empty-axes": "--noop-with-empty-axes goes with --op\n",
    "bad.onnx --auto-broadcast none": "--auto-broadcast goes with --op\n",
    "bad.onnx --dtype int8": "--dtype goes with --op\n",
}


@pytest.mark.parametrize("command", USAGE)
def test_usage(command):
    outcome = run("check-schema", *command.split())
    assert (outcome.code, outcome.stdout) == (2, b"")
    assert outcome.stderr.startswith(f"error: {USAGE[command]}")
    assert outcome.stderr.endswith("  hint: see mincli check-schema --help\n")


def test_a_terminal_gets_groups():
    code, shown = terminal("check-schema", "bad.onnx", "good.onnx")
    assert code == 1
    assert shown == (
        "\x1b[1mbad.onnx\x1b[0m\n"
        "  \x1b[31merror\x1b[0m MC201: node 0 (Add-14 sum)\n"
        "    nothing makes its input bias\n"
        "bad.onnx: 1 error in 1 node, opset 21\n"
        "good.onnx: no faults found in 4 nodes, opset 13\n"
    )


def terminal(*arguments):
    """Run with both streams a terminal."""
    program = f"import os, sys; os.dup2(2, 1); os.execv(sys.executable, [sys.executable, '-m', 'mincli', *{arguments}])"
    outcome = on_terminal(program=("-c", program))
    return outcome.code, outcome.stderr


def test_a_reader_that_goes_away_ends_it_quietly():
    assert without_reader("check-schema", "bad.onnx") == (0, b"", "")
    assert shell("mincli check-schema bad.onnx bad.onnx | head -1") == (0, FOUND.encode(), "")


def test_a_full_disk_is_told():
    outcome = shell("mincli check-schema bad.onnx > /dev/full")
    assert outcome == (5, b"", "error: standard output cannot be written: No space left on device\n")


def test_as_a_process():
    assert spawn("check-schema", "bad.onnx") == (1, FOUND.encode(), "")


def test_completion_of_codes():
    outcome = shell(
        "COMP_WORDS='mincli check-schema --select MC101,MC20' COMP_CWORD=3 _MINCLI_COMPLETE=bash_complete mincli"
    )
    assert "plain,MC101,MC201" in outcome.text.splitlines()
