"""The attributes of a node: against its operator version, and in themselves."""

from collections.abc import Iterable, Iterator
from typing import Any

import onnx

from mincli.errors import printable
from mincli.findings import Finding, Place
from mincli.findings import nodes as rules
from mincli.graphs.nearest import did_you_mean
from mincli.graphs.nodes import PLAIN
from mincli.graphs.signatures import Signature, history
from mincli.lint import moves
from mincli.lint.equations import is_equation
from mincli.lint.scopes import Node, Scope
from mincli.spec.changes import ALLOWED, allowed
from mincli.spec.dtypes import BY_NUMBER

FIELDS = {
    "FLOAT": "f", "INT": "i", "STRING": "s", "TENSOR": "t", "GRAPH": "g", "SPARSE_TENSOR": "sparse_tensor",
    "TYPE_PROTO": "tp", "FLOATS": "floats", "INTS": "ints", "STRINGS": "strings", "TENSORS": "tensors",
    "GRAPHS": "graphs", "SPARSE_TENSORS": "sparse_tensors", "TYPE_PROTOS": "type_protos",
}  # fmt: skip
"""The field of an AttributeProto that holds a value of a type (onnx.proto)."""
TYPES = {field: name for name, field in FIELDS.items()}
MESSAGES = {"TENSOR", "GRAPH", "SPARSE_TENSOR", "TYPE_PROTO"}
"""Types whose value has to be there: of the others a missing one is zero, or empty (onnx/defs/schema.cc)."""
_SMALL = 1000
"""Bytes of an attribute up to which it is compared whole: of long lists no rule asks for the elements."""
UNCHECKED = {"LayerNormalization-17"}
"""Versions whose nodes may have any attributes: Python's schemas do not say it (onnx/defs/schema.h)."""
_ELEMENT_TYPES = ("to", "dtype")
"""Attributes that hold a number of TensorProto.DataType, in all operators that have them."""
TYPED_SINCE = 2
"""The IR version from which on an attribute has to say its type (onnx.proto, AttributeProto.type)."""


def marks(node: Node) -> Iterable[object]:
    """Return what decides whether the attributes of a node are sound: equal if the same is true of them."""
    return [_mark(attribute) for attribute in node.attributes] if node.attributes else ()


def _mark(attribute: onnx.AttributeProto) -> object:
    content: bytes = attribute.SerializeToString() if attribute.type in PLAIN else b""
    if content and (len(content) < _SMALL or attribute.type == attribute.STRING):
        return content
    return attribute.name, attribute.type, attribute.ref_attr_name, *_fields(attribute)


def declared_by(scope: Scope) -> set[str] | None:
    """Return the attributes of the function that a scope is of; None if it is in no function."""
    while scope.outer is not None:
        scope = scope.outer
    if not isinstance(scope.proto, onnx.FunctionProto):
        return None
    return {*scope.proto.attribute, *(attribute.name for attribute in scope.proto.attribute_proto)}


def check(
    scope: Scope, node: Node, version: Signature | None, ir_version: int, references: set[str] | None
) -> Iterator[Finding]:
    """Yield what is wrong with the attributes of a node.

    Args:
        scope: its graph or function.
        node: the node.
        version: of its operator; None if it is not to be held against one.
        ir_version: of the model.
        references: the attributes of the function around it, or None.
    """
    place = scope.place(node)
    names = [attribute.name for attribute in node.attributes]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield rules.ATTRIBUTE_TWICE.at(
            place, f"the attribute {printable(name)} is given {names.count(name)} times", "once"
        )
    for attribute in node.attributes:
        yield from _itself(place, attribute, ir_version, references)
    if version is None:
        return
    inputs = moves.as_inputs(version, names)
    for attribute in node.attributes:
        if attribute.name in version.attributes:
            yield from _type(place, version, attribute)
            yield from _value(place, version, attribute)
        elif attribute.name in inputs:
            yield _moved(place, version, attribute.name, inputs[attribute.name])
        elif attribute.name and not attribute.name.startswith("__") and version.label not in UNCHECKED:
            yield _unknown(place, version, attribute.name)
    given = {*names, *moves.as_attributes(version, range(version.max_inputs, len(node.inputs))).values()}
    for name, own in version.attributes.items():
        if own.required and name not in given:
            yield _missing(place, version, name)


def values(scope: Scope, node: Node) -> Iterator[Finding]:
    """Yield the attributes of a node that have values which its operator version does not allow.

    Args:
        scope: its graph, or the body of a function with the attributes of a call.
        node: the node.
    """
    if node.signature is not None:
        for attribute in node.attributes:
            yield from _value(scope.place(node), node.signature, attribute)


def _itself(
    place: Place, attribute: onnx.AttributeProto, ir_version: int, references: set[str] | None
) -> Iterator[Finding]:
    """Yield what is wrong with an attribute, whatever the operator."""
    name, reference = printable(attribute.name), attribute.ref_attr_name
    if not attribute.name:
        yield rules.ATTRIBUTE_TYPE.at(place, "an attribute has no name", hint="set AttributeProto.name")
    fields = _fields(attribute)
    if reference:
        if references is None:
            yield rules.REFERENCE.at(place, f"{name} refers to {printable(reference)} outside a function", "a value")
        elif reference not in references:
            declared = ", ".join(sorted(map(printable, references))) or "none"
            expected = f"attributes that the function declares: {declared}"
            yield rules.REFERENCE.at(place, f"{name} refers to {printable(reference)}, which is not declared", expected)
        if fields:
            yield rules.REFERENCE.at(
                place, f"{name} refers to {printable(reference)}, and has a value too", "one of them"
            )
    kind = onnx.AttributeProto.AttributeType.Name(attribute.type) if attribute.type else ""
    if not kind and ir_version >= TYPED_SINCE:
        expected = f"it is {TYPES[fields[0]]} by its value" if len(fields) == 1 else ""
        yield rules.ATTRIBUTE_TYPE.at(place, f"the attribute {name} has no type", expected, "set AttributeProto.type")
    elif reference:
        return
    elif len(fields) > 1:
        expected = f"{FIELDS[kind]} alone" if kind else "one of them"
        yield rules.ATTRIBUTE_TYPE.at(place, f"the attribute {name} has values in {' and '.join(fields)}", expected)
    elif kind and fields and fields[0] != FIELDS[kind]:
        expected = f"{kind} is in {FIELDS[kind]}"
        yield rules.ATTRIBUTE_TYPE.at(place, f"the attribute {name} has its value in {fields[0]}", expected)
    elif kind in MESSAGES and not fields:
        yield rules.ATTRIBUTE_TYPE.at(place, f"the attribute {name} has no value", f"{kind} is in {FIELDS[kind]}")


def _fields(attribute: onnx.AttributeProto) -> list[str]:
    """Return the fields of values that an attribute has."""
    return [field.name for field, _ in attribute.ListFields() if field.name in TYPES]


def value_of(attribute: onnx.AttributeProto) -> Any:
    """Return the value of an attribute, a string as text; None if it refers to that of a function, or has none."""
    if attribute.ref_attr_name:
        return None
    if not attribute.type:  # a model of IR version 1 need not say it
        fields = _fields(attribute)
        return _plain(getattr(attribute, fields[0])) if len(fields) == 1 else None
    return _plain(onnx.helper.get_attribute_value(attribute))


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value if isinstance(value, str | int | float) or not hasattr(value, "__iter__") else list(value)


def _type(place: Place, version: Signature, attribute: onnx.AttributeProto) -> Iterator[Finding]:
    """Yield that an attribute has another type than its operator version says."""
    kind, fields = attribute.type, _fields(attribute)
    if kind:
        found = onnx.AttributeProto.AttributeType.Name(kind)
    elif len(fields) == 1:  # a model of IR version 1 need not say it
        found = TYPES[fields[0]]
    else:
        return
    wanted = version.attributes[attribute.name].type
    if found != wanted:
        others = [own for own in history(version.domain, version.name) if _has(own, attribute.name, found)]
        hint = f"{others[-1].label} ({others[-1].opsets}) has it as {found}" if others else ""
        expected = f"in {version.label} it is {wanted}"
        yield rules.ATTRIBUTE_TYPE.at(place, f"the attribute {printable(attribute.name)} is {found}", expected, hint)


def _value(place: Place, version: Signature, attribute: onnx.AttributeProto) -> Iterator[Finding]:
    """Yield that an attribute has a value that its operator version does not allow."""
    if attribute.name in _ELEMENT_TYPES and attribute.type == attribute.INT and _fields(attribute) == ["i"]:
        if attribute.i not in BY_NUMBER:
            found = f"the attribute {attribute.name} is {attribute.i}, which is no element type"
            yield rules.ATTRIBUTE_VALUE.at(place, found, "a number of TensorProto.DataType")
    elif (version.name, attribute.name) in ALLOWED and attribute.type == attribute.STRING:
        value = value_of(attribute)
        if not version.domain and not allowed(version.name, attribute.name, value, version.since_version):
            yield _value_too_new(place, version, attribute.name, value)
    elif version.name == "Einsum" and attribute.name == "equation" and attribute.HasField("s"):
        text = attribute.s.decode("utf-8", "replace")
        if not is_equation(text):
            expected = "letters and at most one ... for each input, commas between, and -> before those of the output"
            yield rules.ATTRIBUTE_VALUE.at(place, f"the equation {printable(text)} is none", expected)


def _value_too_new(place: Place, version: Signature, name: str, value: str) -> Finding:
    """Return that an attribute has a value that only newer versions have, and which."""
    first = next(own for own in version.later if allowed(own.name, name, value, own.since_version))
    found = f"the attribute {name} is {value}, which {version.label} ({version.opsets}) does not have"
    hint = f"{first.label} introduced it: use opset {first.since_version} or newer"
    return rules.ATTRIBUTE_VALUE.at(place, found, "", hint, first.since_version)


def _has(version: Signature, name: str, kind: str) -> bool:
    return name in version.attributes and version.attributes[name].type == kind


def _moved(place: Place, version: Signature, name: str, number: int) -> Finding:
    had = [own for own in history(version.domain, version.name) if name in own.attributes][-1]
    first, last = had.later[0], had.last_opset
    return rules.MOVED.at(
        place,
        f"{name} is given as an attribute",
        f"from {first.label} on it is input {number} ({version.inputs[number].name})",
        f"make it an initializer and input {number}, or use opset {last}, the last where it is an attribute",
        first.since_version,
    )


def _unknown(place: Place, version: Signature, name: str) -> Finding:
    """Return that an operator version does not have an attribute, and which version has, or the nearest name."""
    expected = f"{version.label} has {', '.join(sorted(version.attributes)) or 'none'}"
    found = f"{version.label} has no attribute {printable(name)}"
    newer = [own for own in version.later if name in own.attributes]
    older = [own for own in version.earlier if name in own.attributes]
    if newer:
        first = newer[0].since_version
        hint = f"{newer[0].label} introduced it: use opset {first} or newer"
        return rules.ATTRIBUTE.at(place, found, expected, hint, first)
    if older:
        hint = f"{older[-1].label} ({older[-1].opsets}) was the last to have it"
        return rules.ATTRIBUTE.at(place, found, expected, hint, older[-1].later[0].since_version)
    return rules.ATTRIBUTE.at(place, found, expected, did_you_mean(name, version.attributes))


def _missing(place: Place, version: Signature, name: str) -> Finding:
    """Return that a required attribute is missing, and in which version it may be."""
    kind = version.attributes[name].type
    free = [own for own in history(version.domain, version.name) if name in own.attributes]
    free = [own for own in free if not own.attributes[name].required]
    hint = f"in {free[-1].label} ({free[-1].opsets}) it may be left out" if free else ""
    opset = free[-1].later[0].since_version if free and free[-1].later else None
    return rules.NO_ATTRIBUTE.at(
        place, f"the attribute {name} is missing", f"{version.label} requires it: {kind}", hint, opset
    )
