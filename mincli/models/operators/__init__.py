"""Operators that onnx's evaluator does not compute by the rules of their version: one file per operator.

`REPLACEMENTS` has a row for each: its domain, its name, the first opset and the last that the class is for, and the
class. Everything else is onnx's own.
"""

from typing import NamedTuple

from onnx.reference.op_run import OpRun

from mincli.models.operators import minimum


class Replacement(NamedTuple):
    """A class in place of onnx's own.

    Attributes:
        name: of the operator.
        since: the first opset that it is for.
        until: the last; 0 if it is for all that follow.
        operator: the class.
        domain: of the operator; "" is ONNX's own.
    """

    name: str
    since: int
    until: int
    operator: type[OpRun]
    domain: str = ""


REPLACEMENTS = (
    Replacement("Min", 1, 0, minimum.Min),
    Replacement("ReduceMin", 1, 0, minimum.ReduceMin),
)


def replacement(domain: str, name: str, opset: int) -> type[OpRun] | None:
    """Return the class to use for an operator at an opset, or None if onnx's own is right."""
    rows = _BY_NAME.get((domain, name), ())
    return next((row.operator for row in rows if row.since <= opset and (not row.until or opset <= row.until)), None)


_BY_NAME: dict[tuple[str, str], list[Replacement]] = {}
for _row in REPLACEMENTS:
    _BY_NAME.setdefault((_row.domain, _row.name), []).append(_row)
