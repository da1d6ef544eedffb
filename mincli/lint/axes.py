"""Which versions of an operator take axes that count from the end, by the texts of the schemas."""

import re
from functools import cache
from typing import Any

import onnx

from mincli.graphs.signatures import Signature

_NEGATIVE = re.compile(r"(?<![Nn]on-)[Nn]egative|\[-r")


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
