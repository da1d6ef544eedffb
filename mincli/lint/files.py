"""Models in files or in memory: what `check-schema` says of each, also of a file that holds none."""

import os
from collections.abc import Callable
from typing import NamedTuple

import onnx

from mincli.errors import EngineError, InputError
from mincli.findings import Finding, Place, Severity
from mincli.findings.model import UNREADABLE
from mincli.graphs.read import no_memory, path_or_model, read_model
from mincli.lint import findings_in, migration
from mincli.lint.migration import Migration
from mincli.lint.scopes import opsets_of

Engine = Callable[[onnx.ModelProto, str], list[Finding]]
"""Tells what an engine does not run of a model, whose external data lie in a folder; raises EngineError."""


class Checked(NamedTuple):
    """What was found in a file.

    Attributes:
        path: of the file.
        findings: of its model; the only one says why there is none.
        opsets: that the model imports, by domain; "" is ONNX's own.
        nodes: of the main graph.
        migration: what it takes to bring it to another opset, if that was asked for; its findings are among `findings`.
        failure: why an engine that was to be asked could not be.
    """

    path: str
    findings: list[Finding]
    opsets: dict[str, int]
    nodes: int
    migration: Migration | None = None
    failure: EngineError | None = None

    @property
    def readable(self) -> bool:
        """Whether there is a model in it."""
        return not any(finding.rule is UNREADABLE for finding in self.findings)


def check_model(model: str | os.PathLike[str] | onnx.ModelProto, target_opset: int | None = None) -> list[Finding]:
    """Return all that is to be said of an ONNX model: faults, warnings and notes.

    Args:
        model: the model, or the path of its file. That a file cannot be read is a finding, too (MC101).
        target_opset: tell what it takes to bring it to this opset of ONNX's own domain, too.

    Raises:
        UsageError: there is no such opset, or what is no model (a ValueError).

    >>> text = '<ir_version: 10, opset_import: ["": 21]> g (float[2] x) => (float[2] y) { y = Add (x, bias) }'
    >>> for finding in check_model(onnx.parser.parse_model(text)):
    ...     print(finding)
    error MC201: node 0 (Add-14): nothing makes its input bias
    """
    given = path_or_model(model)
    if isinstance(given, str):
        return check_file(given, target_opset).findings
    return _checked("", given, None, target_opset).findings


def check_file(path: str, target_opset: int | None = None, engine: Engine | None = None) -> Checked:
    """Check the model in a file. External data are looked at, and never loaded, but by an engine.

    Args:
        path: of the file.
        target_opset: tell what it takes to bring it there, too.
        engine: tells what an engine does not run; asked only about a model without errors.

    Raises:
        UsageError: there is no such opset.
    """
    try:
        model = read_model(path)
    except InputError as error:
        return _refused(path, error)
    try:
        return _checked(path, model, os.path.dirname(os.path.abspath(path)), target_opset, engine)
    except MemoryError:
        return _refused(path, no_memory(path))


def _refused(path: str, error: InputError) -> Checked:
    found = ": ".join([error.message, *error.details])
    return Checked(path, [UNREADABLE.at(Place(), found, hint=error.hint)], {}, 0)


def _checked(
    path: str, model: onnx.ModelProto, folder: str | None, target_opset: int | None, engine: Engine | None = None
) -> Checked:
    findings = findings_in(model, folder)
    faulty = {(own.place.path, own.place.node) for own in findings if own.rule.severity is Severity.ERROR}
    towards, failure = None, None
    if engine is not None and not faulty:
        try:
            findings += engine(model, folder or "")
        except EngineError as error:
            failure = error
    if target_opset is not None:
        towards = migration.check(model, target_opset, faulty)
        findings += towards.findings
    return Checked(path, _in_order(findings), opsets_of(model.opset_import), len(model.graph.node), towards, failure)


def _in_order(findings: list[Finding]) -> list[Finding]:
    """Return findings graph by graph, the main graph first, and in each node by node: they come family by family."""
    graphs = {"": 0}
    for finding in findings:
        graphs.setdefault(finding.place.path, len(graphs))

    def order(finding: Finding) -> tuple[int, int]:
        node = finding.place.node
        return graphs[finding.place.path], -1 if node is None else node

    return sorted(findings, key=order)
