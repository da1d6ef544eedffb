"""What a model breaks of the operator schemas and of onnx.proto: all faults in one run, each with its place.

One file per family of rules; `findings/` has the words, in a file of the same name.
"""

from collections.abc import Iterable, Iterator

import onnx

from mincli.errors import printable
from mincli.findings import Finding
from mincli.graphs.functions import by_key, key_of_function
from mincli.graphs.nodes import own_domain
from mincli.lint import functions, graph, inference, nodes, subgraphs, tensors
from mincli.lint.model import check as check_versions
from mincli.lint.scopes import Scope


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
        for scope in root.all():
            yield from nodes.check(scope, model.ir_version)
            yield from tensors.check(scope, folder)
            yield from subgraphs.check(scope)


def check_model(model: onnx.ModelProto, folder: str | None = None) -> list[Finding]:
    """Return all that is to be said of a model.

    Args:
        model: the model.
        folder: of its external data; None if it is not known, and they are not looked at.
    """
    roots = scopes_of(model)
    structure = list(check_structure(model, roots, folder))
    return [*structure, *inference.check(model, roots, structure)]


def scopes_of(model: onnx.ModelProto) -> list[Scope]:
    """Return the main graph and the functions of a model, in order; subgraphs are in them."""
    functions = by_key(model.functions)
    opsets = opsets_of(model.opset_import) or ({"": 1} if model.ir_version < 3 else {})
    roots = [Scope(model.graph, opsets, functions, ir_version=model.ir_version)]
    for function in model.functions:
        name = ":".join(part for part in key_of_function(function) if part)
        path = f"function {printable(name)} > "
        own = opsets_of(function.opset_import)
        roots.append(Scope(function, own, functions, path, ir_version=model.ir_version))
    return roots


def opsets_of(imports: Iterable[onnx.OperatorSetIdProto]) -> dict[str, int]:
    """Return the opset of each domain that is imported; of several for one domain the highest binds (onnx.proto)."""
    opsets: dict[str, int] = {}
    for entry in imports:
        domain = own_domain(entry.domain)
        opsets[domain] = max(opsets.get(domain, entry.version), entry.version)
    return opsets
