"""Versions, opset imports and metadata of a model."""

from collections import Counter
from collections.abc import Iterable, Iterator

import onnx

from mincli.errors import printable
from mincli.findings import Finding, Place
from mincli.findings import model as rules
from mincli.graphs.nodes import own_domain
from mincli.graphs.signatures import newest_opset
from mincli.lint.scopes import Scope

UPGRADE = "pip install --upgrade onnx"
_GREATEST = 2**31 - 1
"""Opset that onnx can hold."""


def check(model: onnx.ModelProto, roots: list[Scope]) -> Iterator[Finding]:
    """Yield what is wrong with what a model says of itself.

    Args:
        model: the model.
        roots: its main graph and functions.
    """
    yield from _versions(model)
    defined = {own_domain(function.domain) for function in model.functions}
    yield from _imports(defined, Place(), model.opset_import)
    yield from _ages(model)
    for root, function in zip(roots[1:], model.functions, strict=True):
        yield from _imports(defined, root.place(), function.opset_import)
    for root in roots:
        for scope in root.all():
            if scope.graph is not None and not scope.graph.name:
                yield rules.GRAPH_WITHOUT_NAME.at(scope.place(), "the graph has no name", hint="set GraphProto.name")
    for key, count in Counter(entry.key for entry in model.metadata_props).items():
        if count > 1:
            yield rules.METADATA_TWICE.at(
                Place(), f"metadata_props has the key {printable(key)} {count} times", hint="keep one"
            )
    if model.producer_version and not model.producer_name:
        yield rules.PRODUCER.at(
            Place(), f"producer_version is {printable(model.producer_version)}, and producer_name is not set"
        )
    if model.training_info:
        yield rules.TRAINING.at(Place(), "the model has training_info")


def _versions(model: onnx.ModelProto) -> Iterator[Finding]:
    """Yield what is wrong with the IR version, and with whether there are opset imports at it."""
    version = model.ir_version
    if version < 1:
        said = f"it has IR version {version}" if version else "it says no IR version"
        yield rules.NO_IR_VERSION.at(Place(), said, "a version from 1 on", "set ModelProto.ir_version")
        return
    if version > onnx.IR_VERSION:
        yield rules.NEW_IR_VERSION.at(
            Place(),
            f"it has IR version {version}",
            f"the installed onnx {onnx.__version__} knows those up to {onnx.IR_VERSION}",
            UPGRADE,
        )
    if version >= 3 and not model.opset_import:
        yield rules.NO_OPSET.at(
            Place(),
            "it imports no opset",
            f"a model of IR version {version} has to (from 3 on)",
            "set ModelProto.opset_import",
        )
    if version < 3 and model.opset_import:
        yield rules.EARLY_OPSET.at(
            Place(),
            "it imports opsets",
            f"a model of IR version {version} may not (from 3 on)",
            "set ModelProto.ir_version to 3 or more",
        )


def _imports(defined: set[str], place: Place, imports: Iterable[onnx.OperatorSetIdProto]) -> Iterator[Finding]:
    """Yield what is wrong with the opsets that a model or a function imports; of the domains that are defined in it."""
    versions: dict[str, list[int]] = {}
    for entry in imports:
        versions.setdefault(own_domain(entry.domain), []).append(entry.version)
    for domain, several in versions.items():
        of = f" of {printable(domain)}" if domain else ""
        highest = max(several)
        if len(several) > 1:
            yield rules.IMPORTED_TWICE.at(
                place,
                f"the opsets {', '.join(map(str, several))}{of or ' of ONNX'} are imported",
                f"one; the highest binds, {highest}",
                "import that alone",
            )
        newest = newest_opset(domain)
        if newest is None:
            if highest > _GREATEST:
                yield rules.NEW_OPSET.at(place, f"it imports opset {highest}{of}", f"opsets are at most {_GREATEST}")
            if domain not in defined:
                yield rules.FOREIGN_DOMAIN.at(
                    place, f"onnx {onnx.__version__} has no operators of {printable(domain)}: its nodes are not judged"
                )
        elif highest > newest:
            yield rules.NEW_OPSET.at(
                place,
                f"it imports opset {highest}{of}",
                f"the installed onnx {onnx.__version__} knows those up to {newest}",
                UPGRADE,
            )
        elif highest < 1:
            yield rules.NO_SUCH_OPSET.at(
                place, f"it imports opset {highest}{of}", f"opsets from 1 to {newest}", "set OperatorSetIdProto.version"
            )


def _ages(model: onnx.ModelProto) -> Iterator[Finding]:
    """Yield the opsets that came after the IR version of the model."""
    first = onnx.helper.OP_SET_ID_VERSION_MAP
    for entry in model.opset_import:
        needed = first.get((entry.domain or "ai.onnx", entry.version), 0)
        if 3 <= model.ir_version < needed:
            yield rules.EARLY_IR_VERSION.at(
                Place(),
                f"it imports opset {entry.version}{f' of {entry.domain}' if entry.domain else ''} in IR version "
                f"{model.ir_version}",
                f"IR version {needed} or more",
                f"set ModelProto.ir_version to {needed}",
            )
