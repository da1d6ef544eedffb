"""Equations of Einsum: onnx's own inference does not end on some that are none, so that it must not be given those."""

import re

import onnx

_TERM = re.compile(r"[A-Za-z]*(\.\.\.[A-Za-z]*)?")


def is_equation(text: str) -> bool:
    """Whether a text is one: terms of letters with commas between them, and `->` before that of the output.

    Each may have an ellipsis, and spaces count for nothing (Einsum-12).
    """
    inputs, arrow, output = text.replace(" ", "").partition("->")
    return all(map(_TERM.fullmatch, [*inputs.split(","), *([output] if arrow else [])]))


def has_equation(node: onnx.NodeProto) -> bool:
    """Whether an Einsum says its equation: itself, and rightly."""
    return any(
        own.name == "equation" and not own.ref_attr_name and is_equation(own.s.decode("latin-1"))
        for own in node.attribute
    )
