"""Models in files: what `check-schema` says of each, also of a file that holds none."""

import os
from typing import NamedTuple

from mincli.errors import InputError
from mincli.findings import Finding, Place
from mincli.findings.model import UNREADABLE
from mincli.graphs.read import read_model
from mincli.lint import check_model, opsets_of


class Checked(NamedTuple):
    """What was found in a file.

    Attributes:
        path: of the file.
        findings: of its model; the only one says why there is none.
        opsets: that the model imports, by domain; "" is ONNX's own.
        nodes: of the main graph.
    """

    path: str
    findings: list[Finding]
    opsets: dict[str, int]
    nodes: int


def check_file(path: str) -> Checked:
    """Check the model in a file. External data are looked at, and never loaded.

    Args:
        path: of the file.
    """
    try:
        model = read_model(path)
    except InputError as error:
        return Checked(path, [UNREADABLE.at(Place(), error.message, "; ".join(error.details), error.hint)], {}, 0)
    findings = check_model(model, os.path.dirname(os.path.abspath(path)))
    return Checked(path, findings, opsets_of(model.opset_import), len(model.graph.node))
