"""Findings to show: of rules of the table, with all fields, with none, and with names that would do harm."""

from mincli.findings import Place, Rule, Severity
from mincli.findings.model import UNREADABLE
from mincli.lint.files import Checked
from mincli.lint.migration import Migration

ERROR = Rule("MC901", Severity.ERROR, "a fault, of a test", "What it is.", "a {\n}\n", "b {\n  c\n}")
WARNING = Rule("MC902", Severity.WARNING, "something to look at", "What it is.")
NOTE = Rule("MC903", Severity.NOTE, "something to know", "What it is.")

HOSTILE = "a\x1b[31m\n[bold]:x: [b](http://c){0} 50%, é\udcff"
"""A control sequence, a line end, markup, a link, a placeholder, what GitHub escapes, a letter, an undecodable byte."""

FULL = ERROR.at(Place("function own:f > ", 3, "Conv-11", "/conv", "x"), "found it", "something else", "mend it", 12)
BARE = WARNING.at(Place(), "found it")
OF_VALUE = NOTE.at(Place("node 0 (If) then_branch > ", value="x"), "found it", hint="look")
WILD = ERROR.at(Place("", 0, HOSTILE, HOSTILE, HOSTILE), f"found {HOSTILE}", HOSTILE, HOSTILE)

RESULT = Checked("dir/m.onnx", [FULL, BARE, OF_VALUE], {"": 17, "own": 1}, 34)
MOVED = Checked("old.onnx", [BARE], {"": 13}, 4, Migration(18, [BARE], 2, 1, 3))
CLEAN = Checked("clean.onnx", [], {"": 21}, 1)
NOTHING = Checked("no.onnx", [UNREADABLE.at(Place(), "no.onnx is no model")], {}, 0)
HARMFUL = Checked(f"{HOSTILE}.onnx", [WILD], {HOSTILE: 1}, 0)
