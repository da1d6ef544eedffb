"""`mincli schema`: what it prints, as text and as JSON, and what it refuses."""

import json

import onnx
import pytest
from onnx.defs import OpSchema

import mincli
from mincli.cli import render
from mincli.cli.schema import LANGUAGES
from mincli.schemas import page_of, registry
from mincli.schemas.language import Language
from tests.cli.runner import run, spawn

DIFFERENCE = """\
Min-6 -> Min-1
  old version: Min-6 (opset 6 to 7)
  new version: Min-1 (opset 1 to 5)
  breaking: no
  changes meaning: no
  shape inference: yes -> no
  similarity: 0.95 (of the words)
  lines: 4 added, 0 removed

Attributes
  added: consumed_inputs

Unified diff of the text
  --- Min-6
  +++ Min-1
  @@ -1,6 +1,10 @@
   Summary
     Element-wise min of each of the input tensors. All inputs and outputs must
     have the same shape and data type.
  +
  +Attributes
  +  consumed_inputs: INTS (optional)
  +    legacy optimization attribute.

   Inputs (between 1 and 2147483647)
     data_0: T (variadic, homogeneous)
"""


def document(*arguments):
    outcome = run("schema", *arguments, "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    return json.loads(outcome.stdout)


def test_difference():
    assert run("schema", "Min", "--opset", "5", "--diff", "6") == (0, DIFFERENCE.encode(), "")


def test_a_difference_of_two_opsets_of_one_version():
    assert run("schema", "Min", "--opset", "9", "--diff", "11").text == (
        "Min-8 -> Min-8\n"
        "  old version: Min-8 (opset 8 to 11)\n"
        "  new version: Min-8 (opset 8 to 11)\n"
        "  breaking: no\n"
        "  changes meaning: no\n"
        "  nothing changes\n"
    )


def test_page():
    outcome = run("schema", "ReduceMin", "--opset", "13")
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.text.startswith(
        "ReduceMin-13\n"
        "  name: ReduceMin\n"
        "  domain: ai.onnx\n"
        "  since_version: 13 (opset 13 to 17)\n"
        "  versions: 1, 11, 12, 13, 18, 20\n"
        "  deprecated: no\n"
        "  function: no\n"
        "  support_level: COMMON\n"
        "  shape inference: yes\n"
        "  negative axes: yes\n"
        "  absent or empty axes: reduce all axes\n"
        "\n"
        "Summary\n"
        "  Computes the min of the input tensor's elements along the provided axes. The resulting\n"
    )


def test_page_in_chinese():
    outcome = run("schema", "Min", "--lang", "zh-TW")
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.text.startswith("Min-13\n  名稱：Min\n  領域：ai.onnx\n  起始版本：13（opset 13 起）\n")


def test_page_of_onednn():
    outcome = run("schema", "Minimum", "--spec", "onednn")
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.text.startswith(
        "oneDNN Minimum\n  name: Minimum\n  domain: oneDNN Graph\n  broadcasting: yes\n\nSummary\n"
    )


def test_the_languages_are_those_of_the_pages():
    assert list(LANGUAGES) == list(Language)


@pytest.mark.parametrize(
    ("color", "start"),
    [("always", b"\x1b[1mMin-13\x1b[0m\n  name: Min\n"), ("auto", b"Min-13\n  name: Min\n")],
)
def test_headings_are_bold_where_colours_are_wanted(color, start):
    assert run("--color", color, "schema", "Min").stdout.startswith(start)


def test_lines_are_not_wrapped_in_a_pipe():
    outcome = spawn("schema", "ReduceMin")
    assert outcome.code == 0
    assert max(map(len, outcome.text.splitlines())) > 400
    assert b"\x1b" not in outcome.stdout


@pytest.fixture
def hostile(monkeypatch):
    text = "a\x1b[31m [bold]\n\n\tb\u202e"
    schema = OpSchema("Bad", "x.test", 1, doc=text, inputs=[OpSchema.FormalParameter("\x07", "tensor(float)", text)])
    monkeypatch.setattr(registry, "history", lambda: {registry.Operator("x.test", "Bad"): {1: schema}})
    monkeypatch.setattr(registry, "newest_opset", lambda _domain: 1)


def test_control_characters_are_escaped(hostile):
    lines = run("schema", "x.test:Bad").text.splitlines()
    place = lines.index("Summary")
    assert lines[place + 1 :] == [
        "  a\\x1b[31m [bold]",
        "",
        "  \\tb\\u202e",
        "",
        "Inputs (exactly 1)",
        "  \\x07: tensor(float) (required)",
        "    a\\x1b[31m [bold]",
        "",
        "    \\tb\\u202e",
    ]


def test_json_of_a_page():
    facts = document("Min", "--opset", "7")
    assert {key: value for key, value in facts.items() if key not in ("rules", "examples")} == {
        "mincli": mincli.__version__,
        "language": "en",
        "standard": "onnx",
        "domain": "ai.onnx",
        "name": "Min",
        "since_version": 6,
        "last_opset": 7,
        "versions": [1, 6, 8, 12, 13],
        "deprecated": False,
        "function": False,
        "support_level": "COMMON",
        "shape_inference": True,
        "summary": "Element-wise min of each of the input tensors. All inputs and outputs must\n"
        "have the same shape and data type.",
        "function_body": "",
        "attributes": [],
        "min_inputs": 1,
        "max_inputs": 2147483647,
        "inputs": [
            {
                "name": "data_0",
                "type": "T",
                "option": "variadic",
                "homogeneous": True,
                "differentiable": None,
                "types": ["tensor(double)", "tensor(float)", "tensor(float16)"],
                "description": "List of tensors for Min",
            }
        ],
        "min_outputs": 1,
        "max_outputs": 1,
        "outputs": [
            {
                "name": "min",
                "type": "T",
                "option": "single",
                "homogeneous": True,
                "differentiable": None,
                "types": ["tensor(double)", "tensor(float)", "tensor(float16)"],
                "description": "Output tensor. Same dimension as inputs.",
            }
        ],
        "type_constraints": [
            {
                "name": "T",
                "types": ["tensor(double)", "tensor(float)", "tensor(float16)"],
                "description": "Constrain input and output types to float tensors.",
            }
        ],
        "behaviour": {"broadcasting": False, "negative_axes": None, "empty_axes": None},
    }
    assert facts["rules"][1] == {
        "question": "signed zero",
        "rule": "-0 is less than +0, as in IEEE 754-2019 minimum",
    }  # fmt: skip
    assert facts["examples"][3] == {
        "title": "any NaN gives NaN",
        "type": "float",
        "inputs": {"data_0": ["nan", 1.0, 2.0], "data_1": [0.0, "nan", 3.0]},
        "attributes": {},
        "outputs": {"min": ["nan", "nan", 2.0]},
        "refused": False,
    }


def test_json_of_a_difference():
    facts = document("ReduceMin", "--opset", "18", "--diff", "13")
    assert facts.pop("diff")[:2] == ["--- ReduceMin-13", "+++ ReduceMin-18"]
    assert 0.5 < facts.pop("similarity") < 0.7  # of texts that are not the same in every onnx
    side = {"language": "en", "standard": "onnx", "domain": "ai.onnx", "name": "ReduceMin", "deprecated": False}
    assert facts == {
        "mincli": mincli.__version__,
        "old": {**side, "since_version": 13, "last_opset": 17},
        "new": {**side, "since_version": 18, "last_opset": 19},
        "breaking": True,
        "changes_meaning": False,
        "meanings": [],
        "reasons": ["the attribute axes is an input now"],
        "properties": [
            {"name": "ReduceMin", "field": "max_inputs", "old": 1, "new": 2},
            {
                "name": "ReduceMin",
                "field": "empty_axes",
                "old": "reduce all axes",
                "new": "reduce all axes, or none with noop_with_empty_axes",
            },
        ],
        "types": [],
        "attributes": {"added": ["noop_with_empty_axes"], "removed": ["axes"], "changed": []},
        "inputs": {"added": ["axes"], "removed": [], "changed": []},
        "outputs": {"added": [], "removed": [], "changed": []},
        "lines_added": 5,
        "lines_removed": 3,
    }


def test_json_in_chinese_and_of_onednn():
    assert document("ReduceMin", "--lang", "zh-TW")["type_constraints"][0]["description"] == (
        "輸入與輸出的型別限為浮點數、整數、布林張量。"
    )
    facts = document("ReduceMin", "--spec", "onednn")
    assert (facts["standard"], facts["since_version"], facts["function"]) == ("onednn", None, None)
    assert [attribute["default"] for attribute in facts["attributes"]] == [[], False]


def test_json_is_ascii():
    assert run("schema", "Min", "--lang", "zh-TW", "--json").stdout.isascii()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["min"], f"error: onnx {onnx.__version__} knows no operator min\n  hint: did you mean Min?\n", id="operator"
        ),
        pytest.param(
            ["GridSample", "--opset", "3"],
            "error: opset 3 has no GridSample\n  hint: GridSample exists from opset 16 on\n",
            id="too-old",
        ),
        pytest.param(
            ["GridSample", "--diff", "3"],
            "error: opset 3 has no GridSample\n  hint: GridSample exists from opset 16 on\n",
            id="too-old-to-compare",
        ),
        pytest.param(
            ["Relu", "--lang", "zh-TW"],
            f"error: there is no page of {page_of('Relu').label} in zh-TW\n"
            "  zh-TW is there for Min and ReduceMin of ONNX\n"
            "  hint: --lang en\n",
            id="language",
        ),
        pytest.param(
            ["Minimum", "--spec", "onednn", "--opset", "13"],
            "error: --opset goes with --spec onnx: oneDNN has no opsets\n  hint: see mincli schema --help\n",
            id="onednn-opset",
        ),
        pytest.param(
            ["Minimum", "--spec", "onednn", "--diff", "13"],
            "error: --diff goes with --spec onnx: oneDNN has one version of each operator\n"
            "  hint: see mincli schema --help\n",
            id="onednn-diff",
        ),
        pytest.param(
            ["Min", "--spec", "onednn"],
            "error: mincli knows no operator Min of oneDNN Graph\n  hint: it knows Minimum and ReduceMin\n",
            id="onednn-operator",
        ),
    ],
)
def test_refused(arguments, message):
    assert run("schema", *arguments) == (2, b"", message)


def test_without_an_operator():
    assert run("schema") == (2, b"", "error: Missing argument 'OP'.\n  hint: see mincli schema --help\n")


@pytest.mark.parametrize(
    ("word", "offered"),
    [
        ("Redu", "plain,ReduceMin\n"),
        ("M", "plain,Min\nplain,Minimum\n"),
        ("", "plain,Min\nplain,ReduceMin\nplain,Minimum\n"),
    ],
)
def test_completion_of_the_minimum_operators(word, offered, monkeypatch):
    monkeypatch.setenv("_MINCLI_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"mincli schema {word}")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert spawn() == (0, offered.encode(), "")


BROKEN = """\
  multi_class: INT (default 0)
    Indicates whether to do OvR or multinomial (0=OvR is the default).
  post_transform: STRING (default "NONE")
    Indicates the transform to apply to the scores vector.
    One of 'NONE,' 'SOFTMAX,' 'LOGISTIC,' 'SOFTMAX_ZERO,' or 'PROBIT'
"""
WRAPPED = """\
  multi_class: INT (default 0)
    Indicates whether to do OvR or
    multinomial (0=OvR is the default).
  post_transform: STRING (default "NONE")
    Indicates the transform to apply to
    the scores vector.
    One of 'NONE,' 'SOFTMAX,' 'LOGISTIC,'
    'SOFTMAX_ZERO,' or 'PROBIT'
"""


def test_line_breaks_of_html_are_line_breaks():
    assert BROKEN in run("schema", "ai.onnx.ml:LinearClassifier").text


def test_a_page_is_wrapped_on_a_terminal_alone(monkeypatch):
    monkeypatch.setenv("COLUMNS", "41")
    monkeypatch.setenv("NO_COLOR", "1")
    assert BROKEN in run("schema", "ai.onnx.ml:LinearClassifier").text
    monkeypatch.setattr(render, "is_terminal", lambda _stream: True)
    assert WRAPPED in run("schema", "ai.onnx.ml:LinearClassifier").text
