"""Findings as workflow commands: what GitHub's runner reads back is what was found."""

import re
from collections.abc import Iterator

from mincli.cli.findings import github
from mincli.findings import Severity
from tests.cli.findings.results import CLEAN, HARMFUL, RESULT


def commands(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield what the runner understands of lines: commands, their properties and messages."""
    for line in text.split("\n"):
        name, properties, message = re.fullmatch(r"::(\w+) (.*?)::(.*)", line).groups()
        pairs = (pair.split("=", 1) for pair in properties.split(","))
        yield name, {key: unescape(value) for key, value in pairs}, unescape(message)


def unescape(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_lines():
    assert github.lines(RESULT) == (
        "::error file=dir/m.onnx,title=MC901 a fault%2C of a test::function own:f > node 3 (Conv-11 /conv): "
        "found it; expected: something else; rule changed: opset 12; hint: mend it\n"
        "::warning file=dir/m.onnx,title=MC902 something to look at::model: found it\n"
        "::notice file=dir/m.onnx,title=MC903 something to know::"
        "node 0 (If) then_branch > value x: found it; hint: look"
    )
    assert github.lines(CLEAN) == ""


def test_names_are_only_text():
    ((name, properties, message),) = commands(github.lines(HARMFUL))
    assert name == "error"
    assert properties == {
        "file": r"a\x1b[31m\n[bold]:x: [b](http://c){0} 50%, é\udcff.onnx",
        "title": "MC901 a fault, of a test",
    }
    assert message.startswith(r"node 0 (a\x1b[31m\n[bold]:x: [b](http://c){0} 50%, é\udcff a\x1b")


def test_every_severity_has_a_command():
    assert list(github.COMMANDS) == list(Severity)
