"""Models in files or in memory, checked: what cannot be read is a finding too."""

import os
from typing import NamedTuple

import onnx

from mincli.errors import FileError, FormatError
from mincli.findings import Finding, Place
from mincli.findings.model import UNREADABLE
from mincli.graphs.read import read_model
from mincli.lint import check_model as findings_of
from mincli.lint import opsets_of


class Checked(NamedTuple):
    """What there is to say of a file.

    Attributes:
        path: as given.
        findings: in the order of the model.
        opsets: that it imports, by domain; ONNX's own domain is "".
        nodes: how many its main graph has.
        readable: whether it is a model at all.
    """

    path: str
    findings: list[Finding]
    opsets: dict[str, int]
    nodes: int
    readable: bool = True


def check_model(model: str | os.PathLike[str] | onnx.ModelProto) -> list[Finding]:
    """Return all that is to be said of an ONNX model: faults, warnings and notes, in the order of the model.

    Args:
        model: the model, or the path of its file. A file that cannot be read is a finding, too (MC101).

    >>> text = '<ir_version: 10, opset_import: ["": 21]> g (float[2] x) => (float[2] y) { y = Add (x, bias) }'
    >>> for finding in check_model(onnx.parser.parse_model(text)):
    ...     print(finding.rule.code, finding.place.node, finding.found)
    MC201 0 nothing makes the input bias
    """
    return findings_of(model) if isinstance(model, onnx.ModelProto) else check_file(os.fspath(model)).findings


def check_file(path: str) -> Checked:
    """Check the file of a model; its external data are left where they are.

    Args:
        path: of the file.
    """
    try:
        model = read_model(path)
    except (FileError, FormatError) as error:
        found = UNREADABLE.at(Place(), error.message, expected="; ".join(error.details), hint=error.hint)
        return Checked(path, [found], {}, 0, readable=False)
    findings = findings_of(model, os.path.dirname(os.path.abspath(path)))
    return Checked(path, findings, opsets_of(model.opset_import), len(model.graph.node))
