"""Which versions of an operator take axes that count from the end, by the texts of the schemas."""

import re
from functools import cache

import onnx

from mincli.graphs.signatures import Signature

_NEGATIVE = re.compile(r"(?<![Nn]on-)[Nn]egative|\[-r")
_FROM_ZERO = re.compile(r"[Nn]on-negative|\[0, ?[rR]")


@cache
def _texts(domain: str, name: str, since: int) -> dict[str, str]:
    """Return the text that the schema of a version has on each attribute and input."""
    schema = onnx.defs.get_schema(name, since, domain)
    return {own.name: own.description for own in (*schema.inputs, *schema.attributes.values())}


def _text(version: Signature, name: str) -> str:
    return _texts(version.domain, version.name, version.since_version).get(name, "")


def takes_negative(version: Signature, name: str) -> bool:
    """Whether an axis may count from the end: by the text of the attribute or input, or its default."""
    default = version.attributes[name].default if name in version.attributes else None
    return bool(_NEGATIVE.search(_text(version, name))) or (isinstance(default, int) and default < 0)


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
    ours = version.name == "ReduceMin" and not version.domain  # what mincli refuses itself
    return bool(_FROM_ZERO.search(_text(version, name))) or (ours and not takes_negative(version, name))
