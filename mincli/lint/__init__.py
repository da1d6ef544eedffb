"""What a model breaks of the operator schemas and of onnx.proto: all faults in one run, each with its place.

`findings/` has the rules, family by family; what looks for them is in these files:

    MC1xx  model       model.py; what cannot be read: files.py; external data: tensors.py
    MC2xx  graph       graph.py, ends.py; tensors: tensors.py
    MC3xx  nodes       nodes.py, attributes.py
    MC4xx  types       types.py; what is declared, and what onnx refuses: inference/
    MC5xx  shapes      shapes.py, axes.py, older.py; what is declared, and what onnx refuses or crashes on: inference/
    MC6xx  functions   functions.py, subgraphs.py; outputs that nothing makes: graph.py
    MC7xx  migration   migration/
"""

from collections.abc import Iterator

import onnx

from mincli.findings import Finding
from mincli.lint import functions, graph, inference, nodes, subgraphs, tensors
from mincli.lint.model import check as check_versions
from mincli.lint.scopes import Scope, scopes_of


def check_structure(model: onnx.ModelProto, roots: list[Scope], folder: str | None = None) -> Iterator[Finding]:
    """Yield what is wrong with a model before any type or shape is asked for: what no engine could run.

    Args:
        model: the model.
        roots: its main graph and its functions (`scopes_of`).
        folder: of its external data; None if it is not known, and they are not looked at.
    """
    yield from check_versions(model, roots)
    yield from functions.check(model, roots)
    for root in roots:
        yield from graph.check(root)
        own = root.proto if isinstance(root.proto, onnx.FunctionProto) else model
        yield from nodes.check_domains(root, own.opset_import)
        for scope in root.all():
            yield from nodes.check(scope, model.ir_version)
            yield from tensors.check(scope, folder)
            yield from subgraphs.check(scope)


def findings_in(model: onnx.ModelProto, folder: str | None = None) -> list[Finding]:
    """Return all that is to be said of a model.

    Args:
        model: the model.
        folder: of its external data; None if it is not known, and they are not looked at.
    """
    roots = scopes_of(model)
    structure = list(check_structure(model, roots, folder))
    return [*structure, *inference.check(model, roots, structure)]
