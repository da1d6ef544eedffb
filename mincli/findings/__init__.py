"""What `check-schema` finds, and the table of its rules: a stable code, a severity, and words for each.

One file per family has the rows; `lint/__init__.py` says what looks for them, `models/engines/support.py` for MC8xx.

    MC1xx  model       the file, versions, opset imports, external data
    MC2xx  graph       names, order, cycles, initializers, inputs and outputs
    MC3xx  nodes       operators, arity, attributes
    MC4xx  types       element types against the type constraints of a version
    MC5xx  shapes      broadcasting, axes, declared shapes
    MC6xx  functions   functions and subgraphs
    MC7xx  migration   what changes towards another opset
    MC8xx  engine      what an engine has no kernel for
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from mincli.errors import printable


class Severity(StrEnum):
    """How bad it is: an error breaks a rule, a warning may give another result elsewhere, a note is only told."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Place(NamedTuple):
    """Where in a model something is.

    Attributes:
        path: of the graph or function, from the outside in, in words; "" is the main graph.
        node: the number of the node in its graph, or None if it is no node.
        operator: of the node: `Min-8`, or `Min` where there is no such version.
        name: of the node.
        value: the name of the value that it is about, or "".
    """

    path: str = ""
    node: int | None = None
    operator: str = ""
    name: str = ""
    value: str = ""

    @property
    def words(self) -> str:
        """It, its value aside: `function own:f > node 3 (Conv-11 /conv)`; "" is the model or its main graph."""
        if self.node is None:
            return self.path.removesuffix(" > ")
        name = f" {printable(self.name)}" if self.name else ""
        return f"{self.path}node {self.node} ({printable(self.operator)}{name})"

    def __str__(self) -> str:
        """It in one line; of a node without its value.

        >>> str(Place("function own:f > ", 3, "Conv-11", "/conv")), str(Place(value="x"))
        ('function own:f > node 3 (Conv-11 /conv)', 'value x')
        """
        if self.node is None and self.value:
            return f"{self.path}value {printable(self.value)}"
        return self.words or "model"


class Finding(NamedTuple):
    """One fault, or something else to know, at one place.

    Attributes:
        rule: which rule it is of.
        place: where.
        found: what is there, in one line.
        expected: what the rule allows, or "".
        hint: the next step, or "".
        opset: the opset where the rule changed, or None: what was found is right on the other side of it.
    """

    rule: "Rule"
    place: Place
    found: str
    expected: str = ""
    hint: str = ""
    opset: int | None = None

    @property
    def details(self) -> Iterator[tuple[str, str]]:
        """What else there is to say of it, with what that is: what is expected, where the rule changed, a hint."""
        if self.expected:
            yield "expected", self.expected
        if self.opset is not None:
            yield "rule changed", f"opset {self.opset}"
        if self.hint:
            yield "hint", self.hint

    @property
    def message(self) -> str:
        """All there is to say of it, its place aside, in one line."""
        return "; ".join([self.found, *(f"{what}: {said}" for what, said in self.details)])

    def __str__(self) -> str:
        """It in one line, as `check-schema` shows it behind the name of the file."""
        return f"{self.rule.severity} {self.rule.code}: {self.place}: {self.message}"


class Rule(NamedTuple):
    """A row of the table.

    Attributes:
        code: `MC` and three digits; the first is the family's. It never changes its meaning.
        severity: of every finding of the rule.
        title: the fault in a few words.
        meaning: what the rule is, why it matters, and where it is written.
        wrong: a model in onnx's text form that breaks this rule alone; "" if text cannot.
        right: the same, mended.
    """

    code: str
    severity: Severity
    title: str
    meaning: str
    wrong: str = ""
    right: str = ""

    def at(self, place: Place, found: str, expected: str = "", hint: str = "", opset: int | None = None) -> Finding:
        """Return a finding of this rule."""
        return Finding(self, place, found, expected, hint, opset)
