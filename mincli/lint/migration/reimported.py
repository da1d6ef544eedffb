"""A model as it is with another opset of ONNX's own domain in place of its own: what breaks a rule there."""

from collections.abc import Iterator

import onnx

from mincli.findings import Finding, Severity
from mincli.findings.migration import BREAKS, MEANING
from mincli.findings.shapes import DECLARED as OTHER_SHAPE
from mincli.findings.types import DECLARED as OTHER_TYPE
from mincli.graphs.nodes import own_domain
from mincli.lint import findings_in

_DECLARED = (OTHER_TYPE, OTHER_SHAPE)
_OF_OPERATORS = ("MC3", "MC4", "MC5")
"""The families of rules that an opset has a say in."""


def reimported(model: onnx.ModelProto, target: int) -> onnx.ModelProto:
    """Return a copy of a model that imports another opset of ONNX's own domain, in its functions too.

    Args:
        model: with the types that are inferred at its own opset: what differs from them has changed.
        target: the opset.
    """
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for owner in (copy, *copy.functions):
        for entry in owner.opset_import:
            if not own_domain(entry.domain):
                entry.version = target
    return copy


def broken(model: onnx.ModelProto, target: int) -> Iterator[Finding]:
    """Yield what is wrong with the nodes of a model only at another opset.

    Args:
        model: with the types that are inferred at its own opset.
        target: the opset.
    """
    for finding in findings_in(reimported(model, target)):
        of_operator = finding.place.node is not None and finding.rule.code.startswith(_OF_OPERATORS)
        if not of_operator or finding.rule.severity is not Severity.ERROR:
            continue
        if finding.rule in _DECLARED:
            found = f"at opset {target} {finding.expected}: another type or shape than at its own"
            yield MEANING.at(finding.place, found, opset=finding.opset)
        else:
            found = f"at opset {target}, {finding.rule.code}: {finding.found}"
            yield BREAKS.at(finding.place, found, finding.expected, finding.hint, finding.opset)
