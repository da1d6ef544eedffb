"""How the attributes and inputs of a node have to be written for another version of its operator."""

from collections.abc import Iterator
from typing import Any

from mincli.errors import printable
from mincli.findings import Finding, Place
from mincli.findings.migration import IMPOSSIBLE, MEANING, REWRITE
from mincli.graphs.signatures import Signature
from mincli.lint import moves
from mincli.lint.changes import Use, any_negative, boundary, crossed, plain, without
from mincli.lint.migration.otherwise import FILLED, needed, otherwise
from mincli.lint.negative_axes import is_axis, refuses_negative, takes_negative
from mincli.lint.scopes import Scope
from mincli.spec.changes import ANYTHING, INSTEAD, VALUES, allowed, same_value


def attributes_of(scope: Scope, use: Use) -> Iterator[Finding]:
    """Yield what changes at the attributes of a node, given or not."""
    place = scope.place(use.node)
    inputs = moves.as_inputs(use.new, use.given)
    for name in use.given:
        if name not in use.old.attributes:
            continue  # a fault of its own
        if name in use.new.attributes:
            yield from _kept(place, use, name)
        elif name in inputs:
            opset = boundary(use, lambda own, name=name: name in own.attributes)  # type: ignore[misc]
            found, hint = (
                f"{name}: attribute to input {inputs[name]}",
                f"make it an initializer and input {inputs[name]}",
            )
            yield REWRITE.at(place, found, f"from {use.old.name}-{opset} on it is an input", hint, opset)
        else:
            yield _gone(place, use, name)
    filled = {own for name in use.given for own in INSTEAD.get((use.old.name, name), "").split(" and ")}
    numbers = [n for n, name in enumerate(use.node.inputs) if name and n >= use.new.max_inputs]
    filled |= set(moves.as_attributes(use.new, numbers).values())
    for name in [*use.old.attributes, *(own for own in use.new.attributes if own not in use.old.attributes)]:
        if name not in use.given and name not in filled:
            yield from _not_given(place, use, name)
    yield from _needed(place, use)


def _needed(place: Place, use: Use) -> Iterator[Finding]:
    """Yield what a node has to be given that its own version does without."""
    if hint := needed(use):
        opset = boundary(use, lambda own: "num_outputs" in own.attributes)
        found = "neither num_outputs nor split is given"
        yield REWRITE.at(place, found, f"{use.new.label} requires one of them", hint, opset)


def _kept(place: Place, use: Use, name: str) -> Iterator[Finding]:
    """Yield how an attribute that both versions have is given in another way."""
    old, new = use.old.attributes[name], use.new.attributes[name]
    if old.type != new.type:
        opset = boundary(use, lambda own: own.attributes[name].type if name in own.attributes else "")
        yield REWRITE.at(place, f"{name}: {old.type} to {new.type}", "", f"give it as {new.type}", opset)
    for pair in VALUES.get((use.old.name, name), ()):
        old_value, new_value = pair if use.up else pair[::-1]
        if use.value(name) == old_value and old.default != new.default:
            opset = boundary(use, lambda own: own.attributes[name].default if name in own.attributes else "")
            called, hint = _shown(new_value), f"set {name} = {_shown(new_value)}"
            found = f"{name}: {_shown(old_value)} is called {called} in {use.new.label}"
            yield REWRITE.at(place, found, "", hint, opset)
    values = use.value(name)
    if isinstance(values, str) and not allowed(use.new.name, name, values, use.new.since_version):
        found = f"{use.new.label} does not have {name} = {_shown(values)}"
        opset = boundary(use, lambda own: allowed(own.name, name, values, own.since_version))
        yield IMPOSSIBLE.at(place, found, opset=opset)
    if new.type in ("INT", "INTS") and _loses_negative(use, name) and any_negative(values):
        yield _negative(place, use, name, values)


def _gone(place: Place, use: Use, name: str) -> Finding:
    """Return that the other version has no such attribute, and whether that matters."""
    value = use.value(name)
    opset = boundary(use, lambda own: name in own.attributes)
    found = f"{use.new.label} has no attribute {name}"
    if instead := INSTEAD.get((use.old.name, name)):
        return REWRITE.at(place, f"{name}: {instead} in {use.new.label}", "", f"give it as {instead}", opset)
    if "broadcast" in use.old.attributes and name in ("broadcast", "axis"):
        hint = "remove it; with an axis, give the second input trailing axes of size 1 (Unsqueeze)"
        return REWRITE.at(place, found, "inputs broadcast as in NumPy", hint, opset)
    if hint := otherwise(use, name):
        return REWRITE.at(place, found, "", hint, opset)
    usual = without(use, name, use.old.attributes[name].default)
    if name == "noop_with_empty_axes" and len(use.node.inputs) > 1 and use.known.constant(use.node.inputs[1]):
        usual = ANYTHING  # there are axes
    if usual is ANYTHING or value == usual or (usual is None and name == "dilations" and set(value or ()) == {1}):
        return REWRITE.at(place, found, "", "remove it: it changes nothing here", opset)
    expected = "" if usual is None else f"it computes as with {_shown(usual)}"
    return IMPOSSIBLE.at(place, f"{found}, which is {_shown(value)}", expected, "", opset)


def _not_given(place: Place, use: Use, name: str) -> Iterator[Finding]:
    """Yield what the default of an attribute does that is not given."""
    old, new = use.old.attributes.get(name), use.new.attributes.get(name)
    if new is not None and new.required:
        if old is None or not old.required:
            opset = boundary(use, lambda own: name in own.attributes and own.attributes[name].required)
            known = old is not None and old.default is not None
            hint = f"set {name} = {_shown(old.default)}, the default of {use.old.label}" if known and old else ""
            yield REWRITE.at(place, f"{name} has to be given", f"{use.new.label} requires it: {new.type}", hint, opset)
        return
    before = _as(use, use.old, name)
    after = _as(use, use.new, name)
    if ANYTHING in (before, after) or before is None or after is None:
        return
    pair = (before, after) if use.up else (after, before)
    if same_value(use.old.name, name, *pair) or any(name == "axis" for _ in crossed(use)):
        return
    opset = boundary(use, lambda own: _as(use, own, name))
    found = f"{name}: {use.old.label} computes as with {_shown(before)}, {use.new.label} as with {_shown(after)}"
    yield MEANING.at(place, found, "", f"set {name} = {_shown(before)}" if new else "", opset)


def _as(use: Use, version: Signature, name: str) -> Any:
    """Return as which value of an attribute a version computes where it is not given."""
    if name in version.attributes:
        return plain(version.attributes[name].default)
    has = use.old if name in use.old.attributes else use.new
    return without(use, name, has.attributes[name].default)


def inputs_of(scope: Scope, use: Use) -> Iterator[Finding]:
    """Yield what changes at the inputs and outputs of a node."""
    place = scope.place(use.node)
    filled = set(moves.as_inputs(use.new, use.given).values())
    for number, name in enumerate(use.node.inputs):
        if not name:
            continue
        own = use.old.inputs[min(number, len(use.old.inputs) - 1)].name if use.old.inputs else ""
        to = counterpart(use, number)
        if to is None:
            yield _input_gone(scope, use, number, own)
            continue
        filled.add(to)
        if to != number:
            opset = boundary(use, lambda version, own=own: _place_of(version, own))  # type: ignore[misc]
            found, hint = f"{own}: input {number} to input {to}", f"move it from input {number} to {to}"
            yield REWRITE.at(scope.place(use.node, name), found, "", hint, opset)
    for number, parameter in enumerate(use.new.inputs):
        needed = number < use.new.min_inputs or not (parameter.optional or parameter.variadic)
        before = [own for own in use.old.inputs if own.name == parameter.name and not own.optional]
        if needed and number not in filled and not before:
            found = f"input {number} ({parameter.name}) has to be given"
            hint = FILLED.get((use.new.name, parameter.name), "")
            yield REWRITE.at(place, found, f"{use.new.label} requires it", hint)
    yield from _too_many(place, use)


def _too_many(place: Place, use: Use) -> Iterator[Finding]:
    """Yield outputs that the other version does not have, and empty names of inputs and outputs that it does not."""
    outputs = use.node.outputs
    used = max((number for number, name in enumerate(outputs) if name), default=-1)
    for number in range(use.new.max_outputs, len(outputs)):
        own = use.old.outputs[min(number, len(use.old.outputs) - 1)].name
        found = f"{use.new.label} has no output {number} ({own})"
        opset = boundary(use, lambda version, number=number: number < version.max_outputs)  # type: ignore[misc]
        if number <= used:
            yield IMPOSSIBLE.at(place, found, opset=opset)
        else:
            yield REWRITE.at(place, found, "", "remove its empty name", opset)
    for number in range(use.new.max_inputs, len(use.node.inputs)):
        if not use.node.inputs[number]:
            opset = boundary(use, lambda version, number=number: number < version.max_inputs)  # type: ignore[misc]
            found = f"{use.new.label} has no input {number} ({use.old.inputs[number].name})"
            yield REWRITE.at(place, found, "", "remove its empty name", opset)


def _place_of(version: Signature, name: str) -> int | None:
    names = [parameter.name for parameter in version.inputs]
    return names.index(name) if name in names else None


def counterpart(use: Use, number: int) -> int | None:
    """Return which input of the other version an input is: the one of its name, or at its place; None if none."""
    last = len(use.old.inputs) - 1
    own = use.old.inputs[min(number, last)]
    behind = max(0, number - last)
    names = [parameter.name for parameter in use.new.inputs]
    if own.name in names:
        return names.index(own.name) + behind
    known = {parameter.name for parameter in use.old.inputs}
    free = number < len(names) and names[number] not in known
    return number if free or (bool(use.new.inputs) and use.new.inputs[-1].variadic) else None


def _input_gone(scope: Scope, use: Use, number: int, own: str) -> Finding:
    """Return that an input is none in the other version: it is an attribute there, or nothing."""
    name = use.node.inputs[number]
    place = scope.place(use.node, name)
    opset = boundary(use, lambda version: _place_of(version, own))
    attribute = moves.as_attributes(use.new, [number]).get(number)
    if attribute is None:
        gone, hint = f"{use.new.label} has no input {number} ({own})", otherwise(use, own)
        return REWRITE.at(place, gone, "", hint, opset) if hint else IMPOSSIBLE.at(place, gone, opset=opset)
    found = f"{attribute}: input {number} to attribute"
    values = use.known.constant(name)
    if values is None:
        expected = f"in {use.new.label} it is an attribute, and {printable(name)} is no constant"
        return IMPOSSIBLE.at(place, found, expected, opset=opset)
    if use.new.attributes[attribute].type.endswith("S") and not isinstance(values, list):
        values = [values]
    hint = f"make it the attribute {attribute} = {_shown(values)}"
    if _loses_negative(use, attribute) and any_negative(values):
        hint += f", counted from the front: {use.new.label} takes no negative ones"
    return REWRITE.at(place, found, f"in {use.new.label} it is an attribute", hint, opset)


def _negative(place: Place, use: Use, name: str, values: Any) -> Finding:
    opset = boundary(use, lambda own: takes_negative(own, name))
    sure = refuses_negative(use.new, name)
    found = f"{name} = {_shown(values)}: {use.new.label} {'takes no' if sure else 'says nothing of'} negative ones"
    return (REWRITE if sure else MEANING).at(place, found, "", "count from the front", opset)


def _loses_negative(use: Use, name: str) -> bool:
    return is_axis(name) and takes_negative(use.old, name) and not takes_negative(use.new, name)


def _shown(value: Any) -> str:
    return printable(str(plain(value)))[:60]
