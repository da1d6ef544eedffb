"""Which versions of an operator take axes that count from the end, by the texts of the schemas."""

import re
from functools import cache
from typing import Any

import onnx

from mincli.graphs.signatures import Signature

_NEGATIVE = re.compile(r"(?<![Nn]on-)[Nn]egative|\[-r")
_FROM_ZERO = re.compile(r"[Nn]on-negative|\[0, ?[rR]")


@cache
def _texts(version_of: tuple[str, str, int]) -> dict[str, tuple[str, Any]]:
    """Return what the schema says of each attribute and input: its text and its default."""
    domain, name, since = version_of
    schema = onnx.defs.get_schema(name, since, domain)
    texts: dict[str, tuple[str, Any]] = {own.name: (own.description, None) for own in schema.inputs}
    for own in schema.attributes.values():
        default = onnx.helper.get_attribute_value(own.default_value) if own.default_value.type else None
        texts[own.name] = (own.description, default)
    return texts


def takes_negative(version: Signature, name: str) -> bool:
    """Whether an axis may count from the end: by the text of the attribute or input, or its default."""
    text, default = _texts((version.domain, version.name, version.since_version)).get(name, ("", None))
    return bool(_NEGATIVE.search(text)) or (isinstance(default, int) and default < 0)


def negative_from(own: Signature) -> dict[str, Signature]:
    """Return which axes of a version may not count from the end, and the version from which on they may.

    Args:
        own: the version of an operator.

    Returns:
        The newer version by the name of the attribute or input; not one of axes that no version counts from the end.
    """
    names = [*own.attributes, *(parameter.name for parameter in own.inputs)]
    found = {}
    for axis in names:
        if is_axis(axis) and not takes_negative(own, axis):
            later = next((version for version in own.later if takes_negative(version, axis)), None)
            if later is not None:
                found[axis] = later
    return found


def is_axis(name: str) -> bool:
    """Whether an attribute or input is an axis, or axes, by its name: `axis`, `scan_input_axes`."""
    return "axis" in name or "axes" in name


def refuses_negative(version: Signature, name: str) -> bool:
    """Whether an axis may surely not count from the end: its text says so, or the rules of ReduceMin do."""
    text, _ = _texts((version.domain, version.name, version.since_version)).get(name, ("", None))
    ours = version.name == "ReduceMin" and not version.domain  # what mincli refuses itself
    return bool(_FROM_ZERO.search(text)) or (ours and not takes_negative(version, name))
