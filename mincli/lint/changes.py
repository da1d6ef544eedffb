"""Whether a node means the same in two versions of its operator, by the changes that are known (spec/changes.py)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import onnx

from mincli.findings import Rule
from mincli.findings.migration import IMPOSSIBLE, MEANING, REWRITE
from mincli.graphs.kinds import dims_of, spelling
from mincli.graphs.signatures import Signature
from mincli.lint.attributes import value_of
from mincli.lint.known import Known
from mincli.lint.scopes import Node
from mincli.spec import changes
from mincli.spec.changes import Change, Condition

Shape = list[int | str] | None
"""As `dims_of` has it: sizes, names of symbolic dimensions, "?"; None if it is not known."""


class Use(NamedTuple):
    """A node that is to go from one version of its operator to another.

    Attributes:
        node: the node.
        old: the version that it is of.
        new: the version that the target opset means.
        given: its attributes by name; those that refer to a function's attribute have no value.
        known: the types and constants that it sees.
    """

    node: Node
    old: Signature
    new: Signature
    given: dict[str, onnx.AttributeProto]
    known: Known

    @property
    def up(self) -> bool:
        """Whether the new version is the newer one."""
        return self.new in self.old.later

    @property
    def passed(self) -> tuple[Signature, ...]:
        """The versions after the older of the two, up to the newer one."""
        older, newer = (self.old, self.new) if self.up else (self.new, self.old)
        return older.later[: len(older.later) - len(newer.later)]

    def value(self, name: str) -> Any:
        """Return the value of an attribute: given, or the default of the node's version; None if neither is known."""
        attribute = self.given.get(name)
        if attribute is None:
            return plain(self.old.attributes[name].default) if name in self.old.attributes else None
        return value_of(attribute)

    def shapes(self) -> list[Shape]:
        """Return the shapes of the inputs."""
        return [shape_of(self.known.types.get(name)) for name in self.node.inputs]


def plain(value: Any) -> Any:
    """Return the value of an attribute, a string as text."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def shape_of(kind: onnx.TypeProto | None) -> Shape:
    """Return the shape of a type; None if it is not known."""
    return dims_of(kind) if kind is not None and kind.tensor_type.HasField("shape") else None


def equal(shapes: Sequence[Shape]) -> bool | None:
    """Whether all shapes are one; None if that is not known."""
    known = [shape for shape in shapes if shape is not None]
    if len(shapes) < 2:
        return True
    pairs = [pair for other in known[1:] for pair in zip(known[0], other, strict=False)]
    if len({len(shape) for shape in known}) > 1:
        return False
    if any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs):
        return False
    return True if len(known) == len(shapes) and all(a == b != "?" for a, b in pairs) else None


def result_of_gemm(shapes: Sequence[Shape], attributes: Mapping[str, Any]) -> Shape:
    """Return the shape of the product of a Gemm; None if it is not known.

    Args:
        shapes: of its inputs.
        attributes: their values by name, as far as they are given.
    """
    matrices = [shape for shape in shapes[:2] if shape is not None and len(shape) == 2]
    if len(matrices) < 2:
        return None
    return [matrices[0][1 if attributes.get("transA") else 0], matrices[1][0 if attributes.get("transB") else 1]]


def fits(condition: Condition, shapes: Sequence[Shape], attributes: Mapping[str, Any]) -> bool | None:
    """Whether a node is right in a version that wants its shapes to be equal; None if that is not known.

    Args:
        condition: of a change that made more shapes right.
        shapes: of its inputs.
        attributes: their values by name, as far as they are given; None for one that is not known.
    """
    if condition is not Condition.EQUAL_SHAPES and attributes.get("broadcast", 0) != 0:
        return True if attributes["broadcast"] else None
    if condition is Condition.WHOLE_C:
        return equal([result_of_gemm(shapes, attributes), shapes[2]]) if len(shapes) > 2 else True
    return equal(shapes)


def _fits(use: Use) -> bool | None:
    change = changes.stricter(use.new.name, use.new.since_version)
    values = {name: use.value(name) for name in use.given}
    return None if change is None else fits(change.same, use.shapes(), values)


def _last_axis(use: Use) -> bool | None:
    """Whether a node works along the last axis in both versions, where flattening changes nothing."""
    shape = use.shapes()[0] if use.node.inputs else None
    axes = [use.value("axis")]
    if "axis" not in use.given:
        axes.append(use.new.attributes["axis"].default)
    if None in axes:
        return None
    if all(axis == -1 for axis in axes):
        return True
    return None if shape is None else all(axis in (-1, len(shape) - 1) for axis in axes)


def _one_slope(use: Use) -> bool | None:
    shape = use.shapes()[1] if len(use.node.inputs) > 1 else None
    return True if shape is not None and all(size == 1 for size in shape) else None


def _no_negative_index(use: Use) -> bool | None:
    name = use.node.inputs[0] if use.node.inputs else ""
    kind, indices = use.known.types.get(name), use.known.constant(name)
    if kind is not None and "uint" in spelling(kind):
        return True
    return None if indices is None else not any_negative(indices)


def any_negative(values: Any) -> bool:
    """Whether a number, or one in nested lists, is negative."""
    if isinstance(values, list):
        return any(map(any_negative, values))
    return isinstance(values, int | float) and values < 0


def _no_odd_padding(use: Use) -> bool | None:
    automatic = use.value("auto_pad") in ("SAME_UPPER", "SAME_LOWER")
    return None if automatic or "output_shape" in use.given else True


def _axis_or_rank_3(use: Use) -> bool | None:
    if "axis" in use.given or any(use.node.inputs[2:]):
        return True
    shape = use.shapes()[0] if use.node.inputs else None
    return None if shape is None else len(shape) == 3


_SAME: dict[Condition, Callable[[Use], bool | None]] = {
    Condition.NEVER: lambda use: False,
    Condition.EQUAL_SHAPES: _fits,
    Condition.EQUAL_OR_BROADCAST: _fits,
    Condition.WHOLE_C: _fits,
    Condition.LAST_AXIS: _last_axis,
    Condition.ONE_SLOPE: _one_slope,
    Condition.NO_NEGATIVE_INDEX: _no_negative_index,
    Condition.NO_ODD_PADDING: _no_odd_padding,
    Condition.NO_CEILING: lambda use: not use.value("ceil_mode"),
    Condition.AXIS_OR_RANK_3: _axis_or_rank_3,
}
_SURE: dict[Condition, Rule] = {
    Condition.EQUAL_SHAPES: IMPOSSIBLE,
    Condition.EQUAL_OR_BROADCAST: REWRITE,
    Condition.WHOLE_C: REWRITE,
}
"""The rule of a node that surely differs, where that is not MEANING."""


def verdict(use: Use, change: Change) -> Rule | None:
    """Return the rule that a node breaks by a change; None if it is the same in both versions."""
    if change.wider and use.up:
        return None
    same = _SAME[change.same](use)
    if same:
        return None
    return MEANING if same is None else _SURE.get(change.same, MEANING)


def without(use: Use, attribute: str, default: Any) -> Any:
    """Return as which value of an attribute the versions without it behave; `ANYTHING` if none matters."""
    if (use.old.name, attribute) == ("BatchNormalization", "is_test") and any(use.node.outputs[1:]):
        return 0  # with more than one output they train
    return changes.without(use.old.name, attribute, plain(default))


def boundary(use: Use, says: Callable[[Signature], Any]) -> int:
    """Return the first opset, up to the newer version of a node, where what is said is not as in the older."""
    before = says(use.old if use.up else use.new)
    return next((own for own in use.passed if says(own) != before), use.passed[-1]).since_version


def crossed(use: Use) -> list[Change]:
    """Return the changes between the two versions of a node."""
    return changes.between(use.old.name, use.old.since_version, use.new.since_version)
