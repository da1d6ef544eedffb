"""How to say otherwise what another version of an operator has no attribute or input for, where its text tells."""

from collections.abc import Callable
from typing import Any

from mincli.lint.changes import Shape, Use

Hint = Callable[[Use], str]
"""Returns what to do, or "" if it cannot be said."""


def _parts(use: Use) -> str:
    """Say the parts of Split-18 by their sizes: the last is smaller where they are not equal."""
    count, axis, shape = use.value("num_outputs"), use.value("axis"), use.shapes()[0]
    size = shape[axis] if shape is not None and isinstance(axis, int) and -len(shape) <= axis < len(shape) else None
    if not isinstance(size, int) or not isinstance(count, int) or count < 1:
        return "remove it where the parts are equal, and give split where they are not"
    if not size % count:
        return "remove it: the parts are equal"
    part = -(-size // count)
    sizes = [min(part, max(size - start, 0)) for start in range(0, part * count, part)]
    if "split" in use.new.attributes:
        return f"set split = {sizes} in its place"
    return f"make input 1 (split) the constant {sizes} in its place"


def _pads(use: Use) -> str:
    """Say the pads of some axes for all axes."""
    axes = use.known.constant(use.node.inputs[3])
    shape: Shape = use.shapes()[0]
    if shape is None or not isinstance(axes, list) or not all(-len(shape) <= axis < len(shape) for axis in axes):
        return ""
    given: Any = use.known.constant(use.node.inputs[1])
    if not isinstance(given, list) or len(given) != 2 * len(axes):
        return f"remove it, and give {2 * len(shape)} pads: 0 for the other axes"
    pads = [0] * (2 * len(shape))
    for place, axis in enumerate(axes):
        first = axis % len(shape)
        pads[first], pads[len(shape) + first] = given[place], given[len(axes) + place]
    return f"remove it, and give pads for all axes: {pads}"


def _scales(use: Use) -> str:
    """Say the scales or sizes of some axes for all axes."""
    shape: Shape = use.shapes()[0]
    return (
        ""
        if shape is None
        else f"remove it, and give {len(shape)} scales or sizes: for the other axes 1, or the size as it is"
    )


_OTHERWISE: dict[tuple[str, str], Hint] = {
    ("Split", "num_outputs"): _parts,
    ("Pad", "axes"): _pads,
    ("Resize", "axes"): _scales,
}
FILLED = {("Resize", "roi"): "an empty tensor will do"}
"""What to give for an input that another version requires, and that changes nothing."""


def otherwise(use: Use, name: str) -> str:
    """Return how to say otherwise what an attribute or input says; "" if that is not known, or not possible."""
    hint = _OTHERWISE.get((use.old.name, name))
    return hint(use) if hint else ""


def needed(use: Use) -> str:
    """Return what a node has to be given in the other version though its schema requires it of none; "" if nothing."""
    if use.old.name != "Split" or "num_outputs" not in use.new.attributes or "num_outputs" in use.old.attributes:
        return ""
    given = "split" in use.given or any(use.node.inputs[1:])
    return "" if given else f"set num_outputs = {len(use.node.outputs)}"
