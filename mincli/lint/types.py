"""The types of a node's inputs against the type constraints of its operator version."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import onnx

from mincli.errors import printable
from mincli.findings import Finding
from mincli.findings.shapes import AXES_INPUT
from mincli.findings.types import NOT_TAKEN, SEVERAL
from mincli.graphs.kinds import short, spelling, type_in_words
from mincli.graphs.signatures import Signature, history, parameter_at, signature
from mincli.lint.scopes import Node, Scope
from mincli.spec.dtypes import BY_NAME

Kinds = Sequence[onnx.TypeProto | None]
"""The types of a node's inputs; None for one that is left out or not known."""

Fault = tuple[int, int]
"""The number of an input, and of the input before it that it differs from; -1 if no input may be of its type."""


def faults(node: Node, kinds: Kinds) -> tuple[Fault, ...]:
    """Return which inputs of a node are of a wrong type.

    Args:
        node: the node; of one that calls a function nothing is asked.
        kinds: the types of its inputs.
    """
    if node.signature is None or not node.signature.inputs:
        return ()
    spelled = tuple(spelling(kind) if kind is not None else "" for kind in kinds)
    own = node.signature
    return _faults(own.domain, own.name, own.since_version, spelled)


def check(scope: Scope, node: Node, kinds: Kinds) -> Iterator[Finding]:
    """Yield what is wrong with the types of a node's inputs.

    Args:
        scope: the graph of the node.
        node: the node.
        kinds: the types of its inputs.
    """
    not_taken: dict[tuple[str, str], list[int]] = {}
    for number, other in faults(node, kinds):
        if other < 0:
            variable = parameter_at(_signature(node).inputs, number).variable
            not_taken.setdefault((variable, spelling(_kind(kinds, number))), []).append(number)
        else:
            yield _several(scope, node, (number, other), kinds)
    for numbers in not_taken.values():
        yield _not_taken(scope, node, numbers, kinds)


def sure_outputs(node: Node, kinds: Kinds) -> list[onnx.TypeProto | None]:
    """Return the types of a node's outputs, without shapes, that follow from its type variables alone.

    Args:
        node: the node.
        kinds: the types of its inputs, some of which may be wrong.
    """
    own = node.signature
    if own is None or not own.outputs:
        return []
    wrong = {parameter_at(own.inputs, number).variable for number, _ in faults(node, kinds)}
    bound: dict[str, str] = {}
    for number, kind in enumerate(kinds if own.inputs else ()):
        parameter = parameter_at(own.inputs, number)
        if kind is not None and parameter.homogeneous and parameter.variable not in wrong:
            bound[parameter.variable] = spelling(kind)
    outputs = (parameter_at(own.outputs, number) for number in range(len(node.outputs)))
    spelled = [next(iter(own.types)) if len(own.types) == 1 else bound.get(own.variable, "") for own in outputs]
    return [_type_of(words) for words in spelled]


@cache
def _faults(domain: str, name: str, since_version: int, spelled: tuple[str, ...]) -> tuple[Fault, ...]:
    own = signature(domain, name, since_version)
    parameters = own.inputs if own else ()
    found = []
    first: dict[str, int] = {}
    for number, words in enumerate(spelled):
        parameter = parameter_at(parameters, number)
        if not words:
            continue
        if parameter.types and words not in parameter.types:
            found.append((number, -1))
        elif parameter.homogeneous and spelled[first.setdefault(parameter.variable, number)] != words:
            found.append((number, first[parameter.variable]))
    return tuple(found)


def described(node: Node, number: int, kinds: Kinds) -> str:
    """Return an input of a node in words: `data_0 (x) is int32[2, 3]`."""
    name = printable(node.inputs[number])
    kind = kinds[number]
    words = type_in_words(kind) if kind is not None else "unknown"
    if node.signature is None or parameter_at(node.signature.inputs, number).variadic:
        return f"{name} is {words}"
    return f"{parameter_at(node.signature.inputs, number).name} ({name}) is {words}"


def accepted(types: Iterable[str]) -> str:
    """Return types of a schema in words, tensors by their elements: `float16, float, double`."""
    names = set(map(short, types))
    known = [name for name in BY_NAME if name in names]
    return ", ".join([*known, *sorted(names.difference(known))])


def _not_taken(scope: Scope, node: Node, numbers: Sequence[int], kinds: Kinds) -> Finding:
    own = _signature(node)
    number = numbers[0]
    inputs = list(dict.fromkeys(described(node, each, kinds) for each in numbers))
    more = f", and {len(inputs) - 3} more" if len(inputs) > 3 else ""
    parameter = parameter_at(own.inputs, number)
    rule = AXES_INPUT if parameter.name == "axes" and parameter.types == {"tensor(int64)"} else NOT_TAKEN
    words = spelling(_kind(kinds, number))
    since, hint = _where_taken(own, number, words)
    return rule.at(
        scope.place(node, node.inputs[number]),
        ", ".join(inputs[:3]) + more,
        f"{own.label} ({own.opsets}) accepts {accepted(parameter.types)}",
        hint,
        since,
    )


def _where_taken(own: Signature, number: int, words: str) -> tuple[int | None, str]:
    """Return the opset from which on a type is taken, if there is one, and the next step in words."""
    able = (one for one in history(own.domain, own.name) if not one.deprecated and number < one.max_inputs)
    taking = [version for version in able if words in parameter_at(version.inputs, number).types]
    later = next((version for version in taking if version in own.later), None)
    if later is not None:
        return (
            later.since_version,
            f"{accepted([words])} is accepted from {later.label} on (opset {later.since_version})",
        )
    if taking:
        return None, f"{taking[-1].label} ({taking[-1].opsets}) was the last to accept {accepted([words])}"
    return None, f"no version of {own.name} accepts {accepted([words])} here"


def _several(scope: Scope, node: Node, fault: Fault, kinds: Kinds) -> Finding:
    own = _signature(node)
    number, other = fault
    return SEVERAL.at(
        scope.place(node, node.inputs[number]),
        f"{described(node, other, kinds)}, and {described(node, number, kinds)}",
        f"{own.label} takes inputs of one type for {parameter_at(own.inputs, number).variable}",
        "convert one of them with Cast: ONNX never converts by itself",
    )


def _signature(node: Node) -> Signature:
    assert node.signature is not None
    return node.signature


def _kind(kinds: Kinds, number: int) -> onnx.TypeProto:
    kind = kinds[number]
    assert kind is not None
    return kind


def _type_of(words: str) -> onnx.TypeProto | None:
    """Return the type of a tensor as a schema spells it, without a shape; None for other types."""
    element = BY_NAME.get(short(words))
    return onnx.TypeProto(tensor_type=onnx.TypeProto.Tensor(elem_type=element.number)) if element else None
