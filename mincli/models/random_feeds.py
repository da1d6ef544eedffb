"""Random values for the inputs that are not given: the same for the same seed, whatever else is given."""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from mincli.errors import UsageError, printable
from mincli.graphs.kinds import dims_of, type_in_words
from mincli.models.feeds import Inputs, listing, nearest
from mincli.models.values import Value
from mincli.spec.dtypes import BY_NUMBER, ElementType

STRINGS = ("a", "b", "abc", "")
"""What a string is chosen from."""

MAX_ELEMENTS = 1 << 31
"""More of one input are a mistake in a size."""

BLOCK = 1 << 16
"""Elements that are drawn at once, as double or int64: up to eight times the room of their type."""

Shape = tuple[int, ...]


def random_feeds(
    inputs: Inputs,
    given: Mapping[str, Value],
    *,
    seed: int = 0,
    dims: Mapping[str, int] | None = None,
    shapes: Mapping[str, Shape] | None = None,
) -> dict[str, Value]:
    """Make values for the required inputs that are not given, and for those whose shape is.

    Floats are of the standard normal distribution, integers 0 to 9 (0 or 1 for those of few bits), strings short.
    A symbolic dimension has the size that it has in `dims`, in the shapes given, in the inputs given, or in defaults of
    the others.

    Args:
        inputs: of the model.
        given: the values that there are.
        seed: of the random numbers.
        dims: sizes of symbolic dimensions, by name.
        shapes: shapes of inputs, by name.

    Raises:
        UsageError: a dimension that is neither known nor given, a name that the model does not have, the shape of an
            input that is given, or an input that is no tensor.
    """
    shapes = shapes or {}
    _check_names(inputs, given, dims or {}, shapes)
    defaults = {name: shape for name, shape in inputs.defaults.items() if name not in given and name not in shapes}
    known = sizes_of(inputs, defaults)
    known |= sizes_of(inputs, {name: value.shape for name, value in given.items() if isinstance(value, np.ndarray)})
    known |= sizes_of(inputs, shapes) | dict(dims or {})
    names = [name for name in inputs.declared if name in shapes or (name in inputs.required and name not in given)]
    return {name: _random(name, inputs.declared[name], seed, known, shapes.get(name)) for name in names}


def sizes_of(inputs: Inputs, shapes: Mapping[str, Shape]) -> dict[str, int]:
    """Return the sizes of the symbolic dimensions that the shapes of some inputs tell; of several the first."""
    sizes: dict[str, int] = {}
    for name, shape in shapes.items():
        kind = inputs.declared.get(name, onnx.TypeProto())
        for dim, size in zip(dims_of(kind), shape, strict=False):
            if isinstance(dim, str) and dim != "?":
                sizes.setdefault(dim, size)
    return sizes


def _check_names(
    inputs: Inputs, given: Mapping[str, Value], dims: Mapping[str, int], shapes: Mapping[str, Shape]
) -> None:
    symbols = {dim: None for kind in inputs.declared.values() for dim in dims_of(kind) if isinstance(dim, str)}
    for name in dims:
        if name not in symbols or name == "?":
            shown = ", ".join(printable(symbol) for symbol in symbols if symbol != "?") or "none"
            raise UsageError(
                f"no input has a dimension called {printable(name)}",
                details=[f"the dimensions with a name: {shown}"],
                hint=nearest(name, symbols),
            )
    for name in shapes:
        if name not in inputs.declared:
            raise UsageError(
                f"--input-shape: {printable(name)} is no input of the model",
                details=[listing("inputs", inputs.declared)],
                hint=nearest(name, inputs.declared),
            )
        if name in given:
            raise UsageError(f"--input-shape: the input {printable(name)} is given, and has the shape that it has")


def _random(name: str, kind: onnx.TypeProto, seed: int, dims: Mapping[str, int], shape: Shape | None) -> Value:
    shown = printable(name)
    if kind.WhichOneof("value") != "tensor_type" or kind.tensor_type.elem_type not in BY_NUMBER:
        raise UsageError(
            f"--random makes tensors, and the input {shown} is declared {type_in_words(kind)}",
            hint=f"give it a file: {shown}=FILE",
        )
    shape = _shape(shown, kind, dims) if shape is None else shape
    if prod(shape) > MAX_ELEMENTS:
        raise UsageError(
            f"the input {shown} would have {prod(shape)} elements",
            details=[f"--random makes at most {MAX_ELEMENTS} of an input"],
        )
    generator = np.random.default_rng([seed, *name.encode("utf-8", "surrogateescape")])
    return _drawn(BY_NUMBER[kind.tensor_type.elem_type], shape, generator)


def _drawn(element: ElementType, shape: Shape, generator: np.random.Generator) -> NDArray[Any]:
    """Return an array of random elements: of complex ones first all real parts."""
    values: NDArray[Any] = np.empty(shape, onnx.helper.tensor_dtype_to_np_dtype(element.number))
    flat = values.reshape(-1)
    for part in [flat.real, flat.imag] if element.name.startswith("complex") else [flat]:
        for start in range(0, part.size, BLOCK):
            block = part[start : start + BLOCK]
            block[:] = _elements(element, block.size, generator).astype(block.dtype)
    return values


def _elements(element: ElementType, count: int, generator: np.random.Generator) -> NDArray[Any]:
    if element.name == "string":
        return np.array(STRINGS, object)[generator.integers(0, len(STRINGS), count)]
    if element.is_integer or element.name == "bool":
        few = element.name == "bool" or element.bits < 8
        return generator.integers(0, 2 if few else 10, count)
    return generator.standard_normal(count)


def _shape(shown: str, kind: onnx.TypeProto, dims: Mapping[str, int]) -> Shape:
    if not kind.tensor_type.HasField("shape"):
        raise UsageError(
            f"the shape of the input {shown} is not known",
            details=[f"it is declared {type_in_words(kind)}"],
            hint=f"give it: --input-shape {shown}:2,3",
        )
    sizes = []
    for axis, dim in enumerate(dims_of(kind)):
        if isinstance(dim, str) and dim not in dims:
            unknown = f"the dimension {printable(dim)}" if dim != "?" else f"the size of axis {axis}"
            example = ",".join(str(size) if isinstance(size, int) else "1" for size in dims_of(kind))
            raise UsageError(
                f"{unknown} of the input {shown} is not known",
                details=[f"it is declared {type_in_words(kind)}"],
                hint=f"give it: --dim {printable(dim)}=1"
                if dim != "?"
                else f"give the shape: --input-shape {shown}:{example}",
            )
        sizes.append(dims[dim] if isinstance(dim, str) else dim)
    return tuple(sizes)
