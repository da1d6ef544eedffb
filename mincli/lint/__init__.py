"""What a model breaks of the operator schemas and of onnx.proto: all faults in one run, each with its place.

One file per family of rules; `findings/` has the words, in a file of the same name.
"""

from collections.abc import Iterable, Iterator

import onnx

from mincli.errors import printable
from mincli.findings import Finding
from mincli.graphs.functions import by_key
from mincli.graphs.nodes import own_domain
from mincli.lint import graph, nodes
from mincli.lint.scopes import Scope


def check_structure(model: onnx.ModelProto, folder: str | None = None) -> list[Finding]:
    """Return what is wrong with a model before any type or shape is asked for: what no engine could run.

    Args:
        model: the model.
        folder: of its external data; None if they are inside.
    """
    return list(_structure(scopes_of(model), model.ir_version))


def check_model(model: onnx.ModelProto, folder: str | None = None) -> list[Finding]:
    """Return all that is to be said of a model.

    Args:
        model: the model.
        folder: of its external data; None if they are inside.
    """
    return check_structure(model, folder)


def _structure(roots: list[Scope], ir_version: int) -> Iterator[Finding]:
    for root in roots:
        for scope in root.all():
            yield from graph.check(scope)
            yield from nodes.check(scope, ir_version)


def scopes_of(model: onnx.ModelProto) -> list[Scope]:
    """Return the main graph and the functions of a model; subgraphs are in them."""
    functions = by_key(model.functions)
    roots = [Scope(model.graph, opsets_of(model.opset_import) or {"": 1}, functions)]
    for key, function in functions.items():
        name = ":".join(printable(part) for part in key if part)
        roots.append(Scope(function, opsets_of(function.opset_import), functions, f"function {name} > "))
    return roots


def opsets_of(imports: Iterable[onnx.OperatorSetIdProto]) -> dict[str, int]:
    """Return the opset of each domain that is imported; of several for one domain the highest binds (onnx.proto)."""
    opsets: dict[str, int] = {}
    for entry in imports:
        domain = own_domain(entry.domain)
        opsets[domain] = max(opsets.get(domain, 0), entry.version)
    return opsets
