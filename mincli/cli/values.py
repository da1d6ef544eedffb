"""The values of options: how their text is parsed."""

import re
from typing import Any

import click

from mincli.spec.dtypes import BY_NAME, ElementType

_UNITS = {"": 1, "B": 1}
for _power, _letter in enumerate("KMGT", 1):
    _UNITS |= {_letter: 1024**_power, f"{_letter}IB": 1024**_power, f"{_letter}B": 1000**_power}


class Count(click.IntRange):
    """An integer of ASCII digits: `int` takes digits of every script, and underscores."""

    name = "integer"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if isinstance(value, str) and not re.fullmatch("[+-]?[0-9]+", value):
            self.fail(f"{value!r} is not a valid {self.name}.", parameter, context)
        return super().convert(value, parameter, context)


def parse_size(_context: click.Context, _option: click.Parameter, text: str | None) -> int:
    """Parse a number of bytes.

    Args:
        text: with a unit or none: `256MiB`, `1GB` (powers of 1000), `64K` (1024); None if absent.

    Returns:
        The bytes; 0 if absent.

    Raises:
        click.BadParameter: it is no size, or none above 0.
    """
    if text is None:
        return 0
    match = re.fullmatch(r"([0-9]{1,18})(?:\.([0-9]{1,18}))?\s*([A-Za-z]*)", text.strip())
    size = 0
    if match:
        whole, fraction, unit = match[1], match[2] or "", _UNITS.get(match[3].upper(), 0)
        size = int(whole + fraction) * unit // 10 ** len(fraction)
    if not size:
        raise click.BadParameter(f"{text!r} is no size; write it like 256MiB or 1GB")
    return size


def parse_axes(_context: click.Context, _option: click.Parameter, text: str | None) -> list[int] | str | None:
    """Parse a list of axes.

    Args:
        text: `0,-1`; "" for given but empty; `@FILE`; None if absent.

    Returns:
        The axes, or the path of the file that holds them, or None if absent.

    Raises:
        click.BadParameter: it is no list of integers and names no file.
    """
    if text is None:
        return None
    if not text.strip():
        return []
    if text.startswith("@") and len(text) > 1:
        return text[1:]
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*(,\s*[+-]?[0-9]{1,18}\s*)*", text):
        raise click.BadParameter(f"{text!r} is no list of axes; write it like 0,-1 or @axes.npy")
    return [int(part) for part in text.split(",")]


def parse_dtype(_context: click.Context, _option: click.Parameter, name: str | None) -> ElementType | None:
    """Parse the name of an element type.

    Args:
        name: as ONNX has it, or `float32` or `float64` for float and double; None if absent.

    Returns:
        The element type, or None if absent.

    Raises:
        click.BadParameter: ONNX has no such type.
    """
    if name is None:
        return None
    element = BY_NAME.get({"float32": "float", "float64": "double"}.get(name.lower(), name.lower()))
    if element is None:
        raise click.BadParameter(f"{name!r} is no ONNX type; the types are {', '.join(BY_NAME)}")
    return element
