"""What older versions of operators refuse and newer ones take: unequal shapes, and axes that count from the end."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import onnx

from mincli.errors import printable
from mincli.findings import Finding
from mincli.findings.shapes import AXIS_NEGATIVE, AXIS_UNSAID, UNEQUAL
from mincli.graphs.signatures import Signature, signature
from mincli.lint.attributes import value_of
from mincli.lint.changes import any_negative, equal, fits, result_of_gemm, shape_of
from mincli.lint.constants import Constants, elements
from mincli.lint.negative_axes import negative_from, refuses_negative
from mincli.lint.scopes import Node, Scope
from mincli.lint.shapes import is_ours
from mincli.lint.types import Kinds, described
from mincli.spec.changes import Change, Condition, stricter

_TAKES = {
    Condition.EQUAL_SHAPES: "takes inputs of one shape",
    Condition.EQUAL_OR_BROADCAST: "takes inputs of one shape, or broadcast = 1",
    Condition.WHOLE_C: "takes a C of the shape of the result, or broadcast = 1",
}


@cache
def _change(name: str, since_version: int) -> Change | None:
    return stricter(name, since_version)


@cache
def _axes(name: str, since_version: int) -> dict[str, Signature]:
    own = signature("", name, since_version)
    return negative_from(own) if own else {}


def is_strict(own: Signature | None) -> bool:
    """Whether a newer version of an operator takes shapes or axes that this one does not."""
    if own is None or own.domain:
        return False
    key = own.name, own.since_version
    return _change(*key) is not None or bool(_axes(*key))


def check(scope: Scope, node: Node, kinds: Kinds, constants: Constants) -> Iterator[Finding]:
    """Yield the shapes and axes of a node that only newer versions of its operator take.

    Args:
        scope: the graph of the node.
        node: the node, of a version that `is_strict`.
        kinds: the types of its inputs.
        constants: of its graph.
    """
    own = node.signature
    assert own is not None
    given = {attribute.name: attribute for attribute in node.attributes}
    change = _change(own.name, own.since_version)
    if change is not None:
        yield from _shapes(scope, node, kinds, given, change)
    if is_ours(own):
        return  # its axes are looked at with all that is known of them
    for name, later in _axes(own.name, own.since_version).items():
        values = value_of(given[name]) if name in given else _constant(node, own, name, constants)
        if any_negative(values):
            sure = refuses_negative(own, name)
            expected = f"{own.label} ({own.opsets}) {'counts axes from 0' if sure else 'says nothing of negative ones'}"
            yield (AXIS_NEGATIVE if sure else AXIS_UNSAID).at(
                scope.place(node),
                f"{name} {'are' if isinstance(values, list) else 'is'} {_listed(values)}",
                expected,
                f"negative axes are accepted from {later.label} on (opset {later.since_version})",
                later.since_version,
            )


def _shapes(
    scope: Scope, node: Node, kinds: Kinds, given: dict[str, onnx.AttributeProto], change: Change
) -> Iterator[Finding]:
    """Yield the first input whose shape is not what a version wants that does not broadcast it."""
    own = node.signature
    assert own is not None
    values = {name: value_of(attribute) for name, attribute in given.items()}
    shapes = [shape_of(kind) for kind in kinds]
    if fits(change.same, shapes, values) is not False:
        return
    later = signature("", own.name, change.since)
    assert later is not None
    if change.same is Condition.WHOLE_C:
        number = 2
        product = result_of_gemm(shapes, values)
        found = f"the product is [{', '.join(map(str, product or ()))}], and {described(node, 2, kinds)}"
    else:
        first = next(place for place, shape in enumerate(shapes) if shape is not None)
        number = next(
            place for place in range(first + 1, len(shapes)) if equal([shapes[first], shapes[place]]) is False
        )
        found = f"{described(node, first, kinds)}, and {described(node, number, kinds)}"
    yield UNEQUAL.at(
        scope.place(node, node.inputs[number]),
        found,
        f"{own.label} ({own.opsets}) {_TAKES[change.same]}",
        f"they are broadcast from {later.label} on (opset {later.since_version})",
        later.since_version,
    )


def _constant(node: Node, own: Signature, name: str, constants: Constants) -> Any:
    names = [parameter.name for parameter in own.inputs]
    number = names.index(name) if name in names else len(node.inputs)
    return elements(constants.get(node.inputs[number])) if number < len(node.inputs) else None


def _listed(values: Any) -> str:
    return printable(", ".join(map(str, values)) if isinstance(values, list) else str(values))[:60]
