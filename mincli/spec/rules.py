"""May these operands go into this operator version, and what shape comes out?

What a row forbids is raised as the error that explains it.
"""

from collections.abc import Sequence
from typing import Protocol

from mincli.errors import ElementTypeError, OperatorAttributeError, ShapeError, counted
from mincli.spec.dtypes import ElementType
from mincli.spec.operators import OperatorVersion, Standard, versions
from mincli.spec.shapes import broadcast_shapes, drawing, in_words, is_possible, reduced_axes


class Operand(Protocol):
    """What the rules need to know of an operand: its name in messages, its element type and its shape."""

    @property
    def name(self) -> str: ...
    @property
    def element(self) -> ElementType: ...
    @property
    def shape(self) -> tuple[int, ...]: ...


def minimum_shape(version: OperatorVersion, operands: Sequence[Operand], *, broadcast: bool = True) -> tuple[int, ...]:
    """Check the operands of an element-wise minimum and return the shape of its result.

    Args:
        version: a row of Min or Minimum.
        operands: any number of operands.
        broadcast: False forbids broadcasting even where the version allows it (oneDNN `auto_broadcast` none).

    Raises:
        ShapeError: wrong number of operands, shapes that do not broadcast, or unequal shapes where they must be equal.
        ElementTypeError: a type that the version does not take, or several types.
    """
    check_count(version, len(operands))
    check_types(version, operands)
    shapes = [operand.shape for operand in operands]
    if broadcast and version.broadcasts:
        shape = broadcast_shapes(shapes, [operand.name for operand in operands])
        if not is_possible(shape, operands[0].element.itemsize):
            raise ShapeError(f"the result's shape {in_words(shape)} is more than an array can have")
        return shape
    if any(shape != shapes[0] for shape in shapes):
        raise ShapeError(
            f"{version.label} needs equal shapes" + ("" if broadcast else " with auto_broadcast none"),
            details=drawing(shapes, [operand.name for operand in operands]),
            hint=_broadcast_hint(version),
        )
    return shapes[0]


def _broadcast_hint(version: OperatorVersion) -> str:
    if version.broadcasts:
        return "--auto-broadcast numpy allows NumPy broadcasting"
    first = next(row for row in versions(version.name) if row.broadcasts)
    return f"broadcasting is allowed from {first.label} on: use --opset {first.since_version} or newer"


def reduction_axes(
    version: OperatorVersion, operand: Operand, axes: Sequence[int] | None, *, noop_with_empty_axes: bool = False
) -> tuple[int, ...]:
    """Check the operand and the attributes of a reduction and return the axes that it removes.

    Args:
        version: a row of ReduceMin.
        operand: what is reduced.
        axes: as given; None if absent.
        noop_with_empty_axes: the attribute of that name; False is its default.

    Returns:
        The axes, non-negative and sorted (see `shapes.reduced_axes`).

    Raises:
        ElementTypeError: a type that the version does not take.
        OperatorAttributeError: `noop_with_empty_axes` where the version lacks it.
        AxesError: an axis out of range, repeated, or negative where the version forbids it.
    """
    check_types(version, [operand])
    if noop_with_empty_axes:
        check_attribute(version, "noop_with_empty_axes")
    return reduced_axes(version, len(operand.shape), axes, noop_with_empty_axes=noop_with_empty_axes)


def check_count(version: OperatorVersion, count: int) -> None:
    """Raise ShapeError unless the version takes `count` inputs."""
    low, high = version.min_inputs, version.max_inputs
    if not low <= count <= high:
        allowed = f"exactly {counted(low, 'input')}" if low == high else f"{low} to {high} inputs"
        raise ShapeError(f"{version.label} takes {allowed}, not {count}")


def check_types(version: OperatorVersion, operands: Sequence[Operand]) -> None:
    """Raise ElementTypeError unless all operands have one type that the version takes."""
    for operand in operands:
        if operand.element.name not in version.types:
            raise _type_error(version, operand)
    first = operands[0]
    for operand in operands[1:]:
        if operand.element is not first.element:
            raise ElementTypeError(
                f"{version.label} needs one element type for all inputs",
                details=[f"{first.name} is {first.element}, {operand.name} is {operand.element}"],
                hint="convert one of them first: mincli never promotes",
            )


def _type_error(version: OperatorVersion, operand: Operand) -> ElementTypeError:
    rows = versions(version.name, version.standard)
    first = next((row for row in rows if operand.element.name in row.types), None)
    if first:
        hint = f"{operand.element} is accepted from {first.label} on: use --opset {first.since_version} or newer"
    elif version.standard is Standard.ONEDNN:
        hint = f"oneDNN has no other version of {version.name}; --spec onnx takes more types"
    elif operand.element.name == "bool":
        hint = f"no version of {version.name} accepts bool; for a logical minimum use And"
    else:
        hint = f"no version of {version.name} accepts {operand.element}"
    opsets = f" ({version.opsets})" if version.opsets else ""
    return ElementTypeError(
        f"{version.label} does not accept {operand.element} ({operand.name})",
        details=[f"{version.label}{opsets} accepts {', '.join(version.types)}"],
        hint=hint,
    )


def check_attribute(version: OperatorVersion, name: str) -> None:
    """Raise OperatorAttributeError unless the version has the attribute `name`."""
    if version.has_attribute(name):
        return
    having = [row for row in versions(version.name, version.standard) if row.has_attribute(name)]
    hint = ""
    if having and having[0].since_version > version.since_version:
        hint = f"{having[0].label} introduced it: use --opset {having[0].since_version} or newer"
    elif having:
        hint = f"{having[-1].label} was the last to have it"
    raise OperatorAttributeError(
        f"{version.label} has no attribute {name}",
        details=[f"its attributes: {', '.join(a.name for a in version.attributes) or 'none'}"],
        hint=hint,
    )
