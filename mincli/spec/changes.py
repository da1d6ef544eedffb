"""Where versions of an operator differ in what their schemas do not say: rows of data, each with its versions."""

from enum import Enum, auto
from typing import Any, NamedTuple


class Condition(Enum):
    """When a node means the same in both versions, or is right in the older one."""

    NEVER = auto()
    EQUAL_SHAPES = auto()
    """Its inputs have one shape."""
    EQUAL_OR_BROADCAST = auto()
    """Its inputs have one shape, or the attribute broadcast is 1."""
    WHOLE_C = auto()
    """Its input C has the shape of the result, or the attribute broadcast is 1."""
    LAST_AXIS = auto()
    """It works along the last axis in both versions."""
    ONE_SLOPE = auto()
    """Its slope has one element."""
    NO_NEGATIVE_INDEX = auto()
    """No element of its first input is negative."""
    NO_ODD_PADDING = auto()
    """Its padding is given, and not computed."""
    NO_CEILING = auto()
    """The attribute ceil_mode is 0."""
    AXIS_OR_RANK_3 = auto()
    """Its axis is given, or its input has rank 3, where both defaults are one axis."""


class Change(NamedTuple):
    """A change of meaning, or of what is allowed, between two versions of an operator.

    Attributes:
        operators: their names.
        since: the first version of the new meaning.
        before: what it was until then.
        after: what it is from then on.
        hint: what to do towards the newer version, and towards the older one.
        same: when a node is the same in both.
        wider: whether the newer version only allows more, so that there is no change towards it.
    """

    operators: tuple[str, ...]
    since: int
    before: str
    after: str
    hint: tuple[str, str] = ("", "")
    same: Condition = Condition.NEVER
    wider: bool = False


CHANGES = (
    Change(("Min", "Max", "Sum", "Mean"), 8, "the shapes of the inputs are equal", "shapes broadcast",
           ("", "give it inputs of one shape"), Condition.EQUAL_SHAPES, wider=True),
    Change(("Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater", "Less"), 7,
           "shapes are equal, or broadcast = 1 and axis say how they go together", "shapes broadcast",
           ("", "where the shapes differ set broadcast = 1, and axis"), Condition.EQUAL_OR_BROADCAST, wider=True),
    Change(("Gemm",), 7, "C has the shape of the result, or broadcast = 1", "C broadcasts",
           ("", "where C is smaller set broadcast = 1"), Condition.WHOLE_C, wider=True),
    Change(("Softmax", "LogSoftmax", "Hardmax"), 13, "the input is flattened to a matrix at axis, 1 by default",
           "it is computed along axis, -1 by default",
           ("for the values as they were put Flatten before it and Reshape behind it",
            "move the axis to the end with Transpose, and set axis to the last"), Condition.LAST_AXIS),
    Change(("PRelu",), 7, "a slope of one axis is per channel", "the slope broadcasts to the input from the right",
           ("give the slope trailing axes of size 1", "give the slope one axis"), Condition.ONE_SLOPE),
    Change(("Tile",), 6, "tiles are for the one axis that the input axis says", "repeats has a number for each axis",
           ("make repeats a vector of ones, with tiles at axis", "use Tile once for each axis")),
    Change(("Scan",), 9, "inputs have a batch axis, and sequence_lens before them", "there is no batch axis",
           ("scan one sequence", "add a batch axis of size 1")),
    Change(("GroupNormalization",), 21, "scale and bias are per group", "they are per channel",
           ("repeat each element for the channels of its group", "")),
    Change(("OneHot",), 11, "a negative index gives off_value everywhere", "it counts from the end",
           ("make negative indices at least depth", "add depth to negative indices"), Condition.NO_NEGATIVE_INDEX),
    Change(("ConvTranspose",), 11, "the larger half of an odd padding is at the end, for SAME_UPPER at the beginning",
           "it is at the beginning, for SAME_UPPER at the end", ("give pads", "give pads"), Condition.NO_ODD_PADDING),
    Change(("MaxPool", "AveragePool"), 22, "with ceil_mode = 1 windows may start in the padding at the end",
           "such windows are left out", same=Condition.NO_CEILING),
    Change(("DFT",), 20, "the axis is 1 by default", "the axis is -2 by default",
           ("make input 2 (axis) the constant 1", "set axis = -2"), Condition.AXIS_OR_RANK_3),
)  # fmt: skip
"""The changes that are known; the schemas themselves say all others (Changelog.md of onnx; each operator's page)."""

ANYTHING = object()
"""Of an attribute whose value changes nothing."""
WITHOUT: dict[tuple[str, str], Any] = {
    ("Dropout", "is_test"): 1,
    ("Dropout", "seed"): ANYTHING,
    ("BatchNormalization", "is_test"): 1,
    ("Resize", "coordinate_transformation_mode"): "asymmetric",
    ("Resize", "nearest_mode"): "floor",
    ("RoiAlign", "coordinate_transformation_mode"): "output_half_pixel",
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

VALUES: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("GridSample", "mode"): (("bilinear", "linear"), ("bicubic", "cubic")),
    ("GRU", "direction"): (("foward", "forward"),),
}
"""Values of attributes that have another name, in older versions and in newer ones; `foward` is a slip in GRU-1."""

ALLOWED: dict[tuple[str, str], dict[str, int]] = {
    ("Pad", "mode"): {"wrap": 19},
    ("Resize", "coordinate_transformation_mode"): {"half_pixel_symmetric": 19},
    ("ScatterElements", "reduction"): {"max": 18, "min": 18},
    ("ScatterND", "reduction"): {"max": 18, "min": 18},
}
"""Values that not all versions with the attribute have: the first version that does."""


def between(operator: str, one: int, other: int) -> list[Change]:
    """Return the known changes between two versions of an operator of ONNX's own domain.

    Args:
        operator: its name.
        one: the first opset of a version.
        other: that of another, older or newer.
    """
    older, newer = sorted((one, other))
    return [change for change in CHANGES if operator in change.operators and older < change.since <= newer]


def stricter(operator: str, since_version: int) -> Change | None:
    """Return what a newer version allows and this one does not; None if nothing is known."""
    changes = (change for change in CHANGES if operator in change.operators and change.wider)
    return next((change for change in changes if since_version < change.since), None)


def without(operator: str, attribute: str, default: Any) -> Any:
    """Return as which value of an attribute the versions without it behave; `ANYTHING` if none matters."""
    return ANYTHING if attribute == "consumed_inputs" else WITHOUT.get((operator, attribute), default)


def same_value(operator: str, attribute: str, older: Any, newer: Any) -> bool:
    """Whether two values mean the same, one in older versions and one in newer ones."""
    return bool(older == newer) or (older, newer) in VALUES.get((operator, attribute), ())


def allowed(operator: str, attribute: str, value: Any, since_version: int) -> bool:
    """Whether a version has a value of an attribute, as far as is known."""
    return since_version >= ALLOWED.get((operator, attribute), {}).get(value, since_version)
