"""Findings for people: plain lines, groups, summaries, explanations."""

import click
import pytest

from mincli.cli.findings import text
from mincli.findings import Place, Severity
from mincli.lint.files import Checked
from tests.cli.findings.results import CLEAN, ERROR, HARMFUL, MOVED, NOTHING, RESULT, WARNING

LINES = """\
dir/m.onnx: error MC901: function own:f > node 3 (Conv-11 /conv): \
found it; expected: something else; rule changed: opset 12; hint: mend it
dir/m.onnx: warning MC902: model: found it
dir/m.onnx: note MC903: node 0 (If) then_branch > value x: found it; hint: look"""

GROUPED = """\
dir/m.onnx
  error MC901: function own:f > node 3 (Conv-11 /conv)
    found it
    expected: something else
    rule changed: opset 12
    hint: mend it
  warning MC902: model
    found it
  note MC903: node 0 (If) then_branch > value x
    found it
    hint: look"""

ESCAPED = r"a\x1b[31m\n[bold]:x: [b](http://c){0} 50%, é\udcff"


def test_lines():
    assert click.unstyle(text.lines(RESULT)) == LINES


def test_groups():
    assert click.unstyle(text.grouped(RESULT)) == GROUPED


def test_nothing_is_nothing():
    assert (text.lines(CLEAN), text.grouped(CLEAN)) == ("", "")


def test_colors():
    shown = text.lines(RESULT)
    assert shown.startswith("\x1b[1mdir/m.onnx\x1b[0m: \x1b[31merror\x1b[0m MC901: function")
    assert "\x1b[33mwarning\x1b[0m MC902" in shown
    assert "\x1b[36mnote\x1b[0m MC903" in shown


def test_every_severity_has_a_color():
    assert list(text.COLORS) == list(Severity)


def test_names_are_only_text():
    assert click.unstyle(text.lines(HARMFUL)) == (
        f"{ESCAPED}.onnx: error MC901: node 0 ({ESCAPED} {ESCAPED}): "
        f"found {ESCAPED}; expected: {ESCAPED}; hint: {ESCAPED}"
    )
    assert all(line.isprintable() for line in click.unstyle(text.grouped(HARMFUL)).split("\n"))
    assert text.summary(HARMFUL) == f"{ESCAPED}.onnx: 1 error in 0 nodes, {ESCAPED} 1"


@pytest.mark.parametrize(
    ("checked", "line"),
    [
        (RESULT, "dir/m.onnx: 1 error, 1 warning, 1 note in 34 nodes, opset 17, own 1"),
        (CLEAN, "clean.onnx: no faults found in 1 node, opset 21"),
        (NOTHING, "no.onnx: not checked"),
        (
            MOVED,
            "old.onnx: 1 warning in 4 nodes, opset 13\n"
            "old.onnx: at opset 18, 1 node to look at, 2 as before, 3 not judged",
        ),
    ],
)
def test_summary(checked, line):
    assert text.summary(checked) == line


def test_explanation():
    assert click.unstyle(text.explanation(ERROR)) == (
        "MC901 (error): a fault, of a test\n\nWhat it is.\n\nwrong:\n  a {\n  }\n\nright:\n  b {\n    c\n  }"
    )
    assert click.unstyle(text.explanation(WARNING)) == "MC902 (warning): something to look at\n\nWhat it is."


def test_a_long_name_is_cut():
    place = Place("", 0, "Add-14", 5000 * "n")
    shown = click.unstyle(text.lines(Checked("m.onnx", [ERROR.at(place, 5000 * "f")], {}, 1)))
    assert shown == (f"m.onnx: error MC901: node 0 (Add-14 {485 * 'n'} ... {499 * 'n'}): {500 * 'f'} ... {500 * 'f'}")
