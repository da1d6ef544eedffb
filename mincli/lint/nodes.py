"""Operators, their numbers of inputs and outputs, and what is left out of them; attributes are in `attributes.py`."""

import re
from collections.abc import Iterable, Iterator
from itertools import product

import onnx

from mincli.errors import printable
from mincli.findings import Finding, Place
from mincli.findings.nodes import (
    DEPRECATED,
    DOMAIN_NAME,
    EXPERIMENTAL,
    INPUT_LEFT_OUT,
    INPUTS,
    MOVED,
    NO_EFFECT,
    NO_OPERATOR,
    NOT_IMPORTED,
    NOT_JUDGED,
    NOT_YET,
    NOTHING,
    OUTPUT_LEFT_OUT,
    OUTPUTS,
    UNKNOWN,
)
from mincli.graphs.nearest import MOST_NAMES, did_you_mean
from mincli.graphs.signatures import Parameter, Signature, history, newest_opset, operators, parameter_at
from mincli.lint import attributes, moves
from mincli.lint.scopes import Node, Scope

_DROPPED = (
    *("ATen", "Affine", "ConstantFill", "Crop", "DynamicSlice", "FC", "GRUUnit", "GivenTensorFill", "ImageScaler"),
    *("LoopIndexTensor", "MeanVarianceNormalization", "ParametricSoftplus", "Scale", "ScaledTanh", "ThresholdedRelu"),
)
DROPPED = {("", name, version) for name, version in product(_DROPPED, range(1, 10))}
"""Operators that were experimental in an opset, and are unknown to onnx today (Operators.md of onnx 1.0 to 1.4)."""

SOME_OUTPUTS = {"BatchNormalization"}
"""Operators that have the least number of outputs or the greatest, and none between (its page, Outputs)."""

_REPLACED = re.compile(r"[Pp]lease use (\w+)")
_REPLACEMENTS = {"Upsample": "Resize"}
"""What replaces a deprecated operator whose own text does not say it."""


def check(scope: Scope, ir_version: int) -> Iterator[Finding]:
    """Yield what is wrong with the nodes of a graph or function, the graphs in them aside.

    Args:
        scope: the graph or function.
        ir_version: of the model.
    """
    references = attributes.declared_by(scope)
    sound = set()
    hints: dict[tuple[str, str], str] = {}
    for node in scope.nodes:
        meant = id(node.signature or node.function)
        key = (meant, _given(node.inputs), _given(node.outputs), *attributes.marks(node))
        if key in sound:
            continue
        version = node.signature
        found = [*_operator(scope, node, hints), *attributes.check(scope, node, version, ir_version, references)]
        if not node.inputs and not node.outputs:
            found.append(NOTHING.at(scope.place(node), "it has neither inputs nor outputs"))
        elif version is not None:
            found += _against(scope, node, version)
        if not found and (version or node.function):
            sound.add(key)
        yield from found


def check_domains(root: Scope, imports: Iterable[onnx.OperatorSetIdProto]) -> Iterator[Finding]:
    """Yield where nodes name ONNX's own domain otherwise than it is imported: once for each graph.

    Args:
        root: the main graph or a function.
        imports: its own.
    """
    if "" not in root.opsets or any(entry.domain == "ai.onnx" for entry in imports):
        return
    for scope in root.all():
        named = [node for node in scope.nodes if not node.domain and node.proto.domain]
        if named:
            more = {1: "", 2: ", and that of one more node"}.get(
                len(named), f", and that of {len(named) - 1} more nodes"
            )
            yield DOMAIN_NAME.at(
                scope.place(named[0]),
                f"its domain is ai.onnx{more}, and the import has the empty name",
                "one name of the domain",
                "leave the domain of the node out",
            )


def _given(names: tuple[str, ...]) -> object:
    """Return which values a node has, for comparing."""
    return tuple(map(bool, names)) if "" in names else len(names)


def _operator(scope: Scope, node: Node, hints: dict[tuple[str, str], str]) -> Iterator[Finding]:
    """Yield what is to be said of the operator of a node, and that nothing can be.

    Args:
        scope: the graph or function.
        node: the node.
        hints: which operators may be meant by domains and names that are none, as far as they came before.
    """
    place, name, domain = scope.place(node), printable(node.proto.op_type), printable(node.domain or "ai.onnx")
    known = newest_opset(node.domain) is not None
    if not node.proto.op_type:
        yield NO_OPERATOR.at(place, "it has no op_type", hint="set NodeProto.op_type")
    elif not node.judged:
        return  # which is the fault of the model or function
    elif node.opset is None:
        yield NOT_IMPORTED.at(
            place,
            f"the domain {domain} is not imported",
            f"imported: {', '.join(sorted(printable(own or 'ai.onnx') for own in scope.opsets)) or 'none'}",
            f"import {domain}" + (f": opset {newest_opset(node.domain)} is the newest" if known else ""),
        )
    elif node.function is not None:
        return
    elif not known:
        yield NOT_JUDGED.at(place, f"{domain}:{name} is not judged: onnx knows no domain {domain}")
    elif node.signature is None:
        yield _missing(node, place, hints)
    elif node.signature.deprecated:
        yield _deprecated(node.signature, place)
    elif node.signature.experimental:
        yield EXPERIMENTAL.at(place, f"{node.signature.label} is experimental")


def _missing(node: Node, place: Place, hints: dict[tuple[str, str], str]) -> Finding:
    """Return what is to be said of an operator that the opset does not have."""
    name, domain, versions = node.proto.op_type, node.domain, history(node.domain, node.proto.op_type)
    where = f"opset {node.opset} of {domain or 'ai.onnx'}"
    if (domain, name, node.opset) in DROPPED:
        return EXPERIMENTAL.at(place, f"{name} was experimental, and is not judged: onnx has dropped what it was then")
    if versions:
        first = versions[0].since_version
        hint = f"{versions[0].label} introduced it: use opset {first} or newer"
        return NOT_YET.at(
            place, f"{where} has no operator {name} yet", f"{name} exists from opset {first} on", hint, first
        )
    others = [other for other in ("", "ai.onnx.ml") if other != domain and history(other, name)]
    if others:
        hint = f"{others[0] or 'ai.onnx'} has it: set the domain of the node"
    else:
        if (domain, name) not in hints and len(hints) < MOST_NAMES:
            hints[domain, name] = did_you_mean(name, operators(domain))
        hint = hints.get((domain, name), "")
    return UNKNOWN.at(place, f"{domain or 'ai.onnx'} has no operator {printable(name)}", "", hint)


def _deprecated(version: Signature, place: Place) -> Finding:
    found = f"{version.name} is deprecated in {version.opsets}"
    if version.earlier:  # an older version was not
        replacement = replaced_by(version)
        expected = f"{version.name} may be used until opset {version.since_version - 1}"
        return DEPRECATED.at(place, found, expected, f"use {replacement}" if replacement else "", version.since_version)
    newer = version.later[0]
    expected = f"{version.name} may be used from opset {newer.since_version} on, with other inputs or attributes"
    return DEPRECATED.at(place, found, expected, f"use opset {newer.since_version} or newer", newer.since_version)


def replaced_by(version: Signature) -> str:
    """Return what replaces a deprecated operator; "" if its own text does not say it."""
    match = _REPLACED.search(onnx.defs.get_schema(version.name, version.since_version, version.domain).doc)
    return match[1] if match else _REPLACEMENTS.get(version.name, "")


def _against(scope: Scope, node: Node, version: Signature) -> Iterator[Finding]:
    """Yield how a node differs from its operator version in its numbers of inputs and outputs, and what is left out."""
    place = scope.place(node)
    yield from _inputs(scope, node, version)
    count, low, high = len(node.outputs), version.min_outputs, version.max_outputs
    allowed = count in (low, high) if version.name in SOME_OUTPUTS else low <= count <= high
    if not allowed:
        between = " or " if version.name in SOME_OUTPUTS else " to "
        expected = f"{version.label} has {_number(low, high, 'output', between)}"
        yield OUTPUTS.at(place, f"it has {_number(count, count, 'output')}", expected)
    required = _left_out(node.outputs, version.outputs, variadic=False)
    for number, parameter in required:
        yield OUTPUT_LEFT_OUT.at(
            place, f"output {number} ({parameter.name}) is left out", f"{version.label} requires it"
        )
    if not required and node.outputs and not any(node.outputs):
        yield NO_EFFECT.at(place, "all its outputs are left out", hint="remove the node")


def _inputs(scope: Scope, node: Node, version: Signature) -> Iterator[Finding]:
    place, count = scope.place(node), len(node.inputs)
    extra = moves.as_attributes(version, [n for n in range(version.max_inputs, count) if node.inputs[n]])
    for number, name in extra.items():
        newer = next(
            other for other in history(version.domain, version.name)
            if name not in other.attributes and len(other.inputs) > number
        )  # fmt: skip
        yield MOVED.at(
            scope.place(node, node.inputs[number]),
            f"{name} is given as input {number}",
            f"before {newer.label} it is an attribute",
            f"make it the attribute {name}, or use opset {newer.since_version} or newer",
            newer.since_version,
        )
    moved = moves.as_inputs(version, [attribute.name for attribute in node.attributes])
    missing = [n for n in range(count, version.min_inputs) if n not in moved.values()]
    if missing or (count > version.max_inputs and not extra):
        expected = f"{version.label} takes {_number(version.min_inputs, version.max_inputs, 'input')}"
        hint, opset = _when_taken(version, count)
        yield INPUTS.at(place, f"it has {_number(count, count, 'input')}", expected, hint, opset)
    for number, parameter in _left_out(node.inputs, version.inputs, variadic=True):
        if number not in moved.values():
            expected = f"{version.label} takes any number of them, and none is optional" if parameter.variadic else ""
            found = f"input {number} ({parameter.name}) is left out"
            yield INPUT_LEFT_OUT.at(place, found, expected or f"{version.label} requires it")


def _when_taken(version: Signature, count: int) -> tuple[str, int | None]:
    """Return in which other versions a node may have a number of inputs, and the opset where that changed."""
    for other in version.later:
        if other.min_inputs <= count <= other.max_inputs:
            return f"{other.label} takes {count}: use opset {other.since_version} or newer", other.since_version
    for other in reversed(version.earlier):
        if other.min_inputs <= count <= other.max_inputs:
            return f"{other.label} ({other.opsets}) took {count}", other.later[0].since_version
    return "", None


def _left_out(
    names: tuple[str, ...], parameters: tuple[Parameter, ...], *, variadic: bool
) -> list[tuple[int, Parameter]]:
    """Return which required values have an empty name: their numbers and parameters."""
    if "" not in names or not parameters:
        return []
    numbered = [(number, parameter_at(parameters, number)) for number, name in enumerate(names) if not name]
    return [
        (number, own) for number, own in numbered
        if not own.optional and (variadic if own.variadic else number < len(parameters))
    ]  # fmt: skip


def _number(low: int, high: int, noun: str, between: str = " to ") -> str:
    """Return a number, or a range of them, in words: `1 input`, `2 to 3 inputs`."""
    count = str(low) if low == high else f"{low}{between}{high}"
    return f"{count} {noun}" + ("" if count == "1" else "s")
