"""Where versions of an operator differ in what their schemas do not say: a small table, each row with its versions."""

from collections.abc import Callable
from typing import Any, NamedTuple

import onnx

from mincli.findings import Rule
from mincli.findings.migration import IMPOSSIBLE, MEANING, REWRITE
from mincli.graphs.kinds import dims_of
from mincli.graphs.signatures import Signature
from mincli.lint.known import Known
from mincli.lint.scopes import Node


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
            return self.old.attributes[name].default if name in self.old.attributes else None
        return None if attribute.ref_attr_name else onnx.helper.get_attribute_value(attribute)

    def shapes(self) -> list[list[int | str] | None]:
        """Return the shapes of the inputs, as `dims_of` has them; None for one that is not known."""
        kinds = (self.known.types.get(name) for name in self.node.inputs)
        return [dims_of(kind) if kind and kind.tensor_type.HasField("shape") else None for kind in kinds]


class Change(NamedTuple):
    """A change of meaning, or of what is allowed, between two versions of an operator.

    Attributes:
        operators: their names.
        since: the first version of the new meaning.
        before: what it was until then.
        after: what it is from then on.
        hint: what to do towards the newer version, and towards the older one.
        same: whether a node means the same in both: True, False, or None if that is not known.
        wider: whether the newer version only allows more, so that there is no change towards it.
        sure: the rule of a node that surely differs; of one that may, it is MEANING.
    """

    operators: tuple[str, ...]
    since: int
    before: str
    after: str
    hint: tuple[str, str] = ("", "")
    same: Callable[[Use], bool | None] = lambda use: False
    wider: bool = False
    sure: Rule = MEANING


def equal_shapes(use: Use) -> bool | None:
    """Whether all inputs have one shape."""
    shapes = use.shapes()
    if len(shapes) < 2:
        return True
    if None not in shapes:
        pairs = [list(zip(shapes[0], other, strict=False)) for other in shapes[1:]]  # type: ignore[arg-type]
        if len({len(shape) for shape in shapes if shape is not None}) > 1:
            return False
        if any(isinstance(a, int) and isinstance(b, int) and a != b for pair in pairs for a, b in pair):
            return False
        if all(a == b != "?" for pair in pairs for a, b in pair):
            return True
    return None


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


CHANGES = (
    Change(("Min", "Max", "Sum", "Mean"), 8, "the shapes of the inputs are equal", "shapes broadcast",
           ("", "give it inputs of one shape"), equal_shapes, wider=True, sure=IMPOSSIBLE),
    Change(("Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater", "Less"), 7,
           "shapes are equal, or broadcast = 1 and axis say how they go together", "shapes broadcast",
           ("", "where the shapes differ set broadcast = 1, and axis"), equal_shapes, wider=True, sure=REWRITE),
    Change(("Gemm",), 7, "C has the shape of the result, or broadcast = 1", "C broadcasts",
           ("", "where C is smaller set broadcast = 1"), lambda use: None, wider=True),
    Change(("Softmax", "LogSoftmax", "Hardmax"), 13, "the input is flattened to a matrix at axis, 1 by default",
           "it is computed along axis, -1 by default",
           ("for the values as they were put Flatten before it and Reshape behind it",
            "move the axis to the end with Transpose, and set axis to the last"), _last_axis),
    Change(("PRelu",), 7, "a slope of one axis is per channel", "the slope broadcasts to the input from the right",
           ("give the slope trailing axes of size 1", "give the slope one axis"), _one_slope),
    Change(("Tile",), 6, "tiles are for the one axis that the input axis says", "repeats has a number for each axis",
           ("make repeats a vector of ones, with tiles at axis", "use Tile once for each axis")),
    Change(("Scan",), 9, "inputs have a batch axis, and sequence_lens before them", "there is no batch axis",
           ("scan one sequence", "add a batch axis of size 1")),
    Change(("GroupNormalization",), 21, "scale and bias are per group", "they are per channel",
           ("repeat each element for the channels of its group", "")),
)  # fmt: skip
"""The changes that are known; the schemas themselves say all others (Changelog.md of onnx; each operator's page)."""

ANYTHING = object()
WITHOUT: dict[tuple[str, str], Any] = {
    ("Dropout", "is_test"): 1,
    ("Dropout", "seed"): ANYTHING,
    ("BatchNormalization", "is_test"): 1,
    ("Resize", "coordinate_transformation_mode"): b"asymmetric",
    ("Resize", "nearest_mode"): b"floor",
    ("RoiAlign", "coordinate_transformation_mode"): b"output_half_pixel",
    ("RNN", "output_sequence"): ANYTHING,
    ("GRU", "output_sequence"): ANYTHING,
    ("LSTM", "output_sequence"): ANYTHING,
}
"""As which value of an attribute the versions without it behave, where that is not its default."""

INSTEAD: dict[tuple[str, str], str] = {
    ("Pad", "paddings"): "pads",
    ("Pad", "pads"): "paddings",
    ("Upsample", "height_scale"): "scales",
    ("Upsample", "width_scale"): "scales",
    ("Upsample", "scales"): "height_scale and width_scale",
    **{("Constant", f"value_{kind}"): "value" for kind in ("int", "ints", "float", "floats", "string", "strings")},
    ("Scan", "directions"): "scan_input_directions",
    ("Scan", "scan_input_directions"): "directions",
}
"""What an attribute is called in the versions that do not have it by that name."""

VALUES: dict[tuple[str, str], tuple[tuple[bytes, bytes], ...]] = {
    ("GridSample", "mode"): ((b"bilinear", b"linear"), (b"bicubic", b"cubic")),
    ("GRU", "direction"): ((b"foward", b"forward"),),
}
"""Values of attributes that have another name, in older versions and in newer ones; `foward` is a slip in GRU-1."""


def without(use: Use, attribute: str, default: Any) -> Any:
    """Return as which value of an attribute the versions without it behave; `ANYTHING` if none matters."""
    if attribute == "consumed_inputs":
        return ANYTHING
    if (use.old.name, attribute) == ("BatchNormalization", "is_test") and any(use.node.outputs[1:]):
        return 0  # with more than one output they train
    return WITHOUT.get((use.old.name, attribute), default)


def same_value(operator: str, attribute: str, older: Any, newer: Any) -> bool:
    """Whether two values mean the same, one in older versions and one in newer ones."""
    return bool(older == newer) or (older, newer) in VALUES.get((operator, attribute), ())


def boundary(use: Use, says: Callable[[Signature], Any]) -> int:
    """Return the first opset, up to the newer version of a node, where what is said is not as in the older."""
    before = says(use.old if use.up else use.new)
    return next((own for own in use.passed if says(own) != before), use.passed[-1]).since_version


def crossed(use: Use) -> list[Change]:
    """Return the changes between the two versions of a node."""
    passed = {own.since_version for own in use.passed}
    return [change for change in CHANGES if use.old.name in change.operators and change.since in passed]
