"""The inputs of a run: which file is which input, whether it may be, and values for those that are not given."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np
import onnx

from mincli.errors import ElementTypeError, ModelError, ShapeError, UsageError, printable
from mincli.models.load import Model
from mincli.models.values import Value, dims_of, read_value, type_in_words, type_of
from mincli.spec.dtypes import BY_NUMBER
from mincli.spec.shapes import in_words


class Inputs(NamedTuple):
    """The inputs of a model.

    Attributes:
        declared: each input's type by name, in the order of the graph.
        defaults: the names of those that an initializer gives a value to, and that need not be given.
        constants: the names of initializers that are no inputs.
    """

    declared: dict[str, onnx.TypeProto]
    defaults: frozenset[str]
    constants: frozenset[str]

    @property
    def required(self) -> list[str]:
        """The names of the inputs that have to be given."""
        return [name for name, kind in self.declared.items() if name not in self.defaults and not _is_optional(kind)]


def inputs_of(model: Model) -> Inputs:
    """Return the inputs of a model. Up to IR version 3 each initializer is an input as well, from 4 on it may be."""
    graph = model.proto.graph
    valued = {tensor.name for tensor in graph.initializer} | {tensor.values.name for tensor in graph.sparse_initializer}
    declared = {value.name: value.type for value in graph.input}
    return Inputs(declared, frozenset(valued & declared.keys()), frozenset(valued - declared.keys()))


def bind(inputs: Inputs, given: Sequence[str]) -> dict[str, str]:
    """Say which file each input comes from.

    Args:
        inputs: of the model.
        given: `NAME=FILE`, split only where NAME is an input; or `FILE`, for the first required input that has none
            yet, then for those with a default.

    Returns:
        The file of each input, by its name.

    Raises:
        UsageError: a file too many, or two for one input.
        ModelError: a name that is no input.
    """
    bound: dict[str, str] = {}
    bare = []
    for word in given:
        name, path = _split(inputs, word)
        if not name:
            bare.append(word)
        elif name in bound:
            raise UsageError(f"the input {printable(name)} is given twice", hint="give each input once")
        else:
            bound[name] = path
    order = [name for name in [*inputs.required, *inputs.declared] if name not in bound]
    free = list(dict.fromkeys(order))
    if len(bare) > len(free):
        raise UsageError(
            f"there are {len(bare)} files for {len(free)} inputs",
            details=[_listing(inputs)],
            hint=_hint(inputs, bare[-1]),
        )
    return bound | dict(zip(free, bare, strict=False))


def _split(inputs: Inputs, word: str) -> tuple[str, str]:
    places = [place for place, character in enumerate(word) if character == "="]
    for place in places:
        if word[:place] in inputs.declared:
            return word[:place], word[place + 1 :]
    if places and word[: places[0]] in inputs.constants:
        raise ModelError(
            f"{printable(word[: places[0]])} is a constant of the model, no input", details=[_listing(inputs)]
        )
    return "", word


def _hint(inputs: Inputs, word: str) -> str:
    name, separator, _ = word.partition("=")
    near = get_close_matches(name, inputs.declared, n=1) if separator else []
    return f"did you mean {printable(near[0])}?" if near else ""


def _listing(inputs: Inputs) -> str:
    names = [f"{printable(name)} {type_in_words(kind)}" for name, kind in list(inputs.declared.items())[:10]]
    more = f" and {len(inputs.declared) - 10} more" if len(inputs.declared) > 10 else ""
    return f"the model's inputs: {', '.join(names) or 'none'}{more}"


def read_feeds(inputs: Inputs, bound: Mapping[str, str]) -> dict[str, Value]:
    """Read the files of inputs.

    Raises:
        FileError: a file is missing or unreadable.
        FormatError: a file does not hold such a value.
    """
    return {name: read_value(path, inputs.declared[name]) for name, path in bound.items()}


def check_feeds(inputs: Inputs, feeds: Mapping[str, Value]) -> None:
    """Check that the values may be the inputs of the model, before anything runs.

    Raises:
        ModelError: an input that is required and missing, or a name that is no input.
        ElementTypeError: a value of another type than declared.
        ShapeError: a rank or a size other than declared, or two sizes for one symbolic dimension.
    """
    for name in feeds:
        if name not in inputs.declared:
            near = get_close_matches(name, inputs.declared, n=1)
            hint = f"did you mean {printable(near[0])}?" if near else ""
            raise ModelError(f"{printable(name)} is no input of the model", details=[_listing(inputs)], hint=hint)
    missing = [name for name in inputs.required if name not in feeds]
    if missing:
        raise ModelError(
            f"the input {printable(missing[0])} is missing",
            details=[_listing(inputs)],
            hint=f"give it a file ({printable(missing[0])}=FILE), or all that are missing random values (--random)",
        )
    symbols: dict[str, tuple[int, str]] = {}
    for name, value in feeds.items():
        _check_value(name, value, inputs.declared[name], symbols)


def _check_value(name: str, value: Value, kind: onnx.TypeProto, symbols: dict[str, tuple[int, str]]) -> None:
    match kind.WhichOneof("value"):
        case "optional_type":
            if value is not None:
                _check_value(name, value, kind.optional_type.elem_type, symbols)
        case "sequence_type":
            if not isinstance(value, list):
                raise _unlike(name, value, kind)
            for index, element in enumerate(value):
                _check_value(f"{name}[{index}]", element, kind.sequence_type.elem_type, {})
        case "map_type":
            if not isinstance(value, dict):
                raise _unlike(name, value, kind)
        case "tensor_type":
            if not isinstance(value, np.ndarray):
                raise _unlike(name, value, kind)
            number = kind.tensor_type.elem_type
            if number and onnx.helper.np_dtype_to_tensor_dtype(value.dtype) != number:
                raise _unlike(name, value, kind)
            if kind.tensor_type.HasField("shape"):
                _check_shape(name, value, kind, symbols)


def _unlike(name: str, value: Value, kind: onnx.TypeProto) -> ElementTypeError:
    return ElementTypeError(
        f"the input {printable(name)} is {type_of(value)}", details=[f"the model declares {type_in_words(kind)}"]
    )


def _check_shape(name: str, value: Value, kind: onnx.TypeProto, symbols: dict[str, tuple[int, str]]) -> None:
    dims = dims_of(kind)
    declared = f"the model declares {type_in_words(kind)}"
    if len(dims) != value.ndim:
        raise ShapeError(f"the input {printable(name)} has rank {value.ndim}, not {len(dims)}", details=[declared])
    for axis, (dim, size) in enumerate(zip(dims, value.shape, strict=True)):
        if isinstance(dim, int) and dim != size:
            raise ShapeError(
                f"the input {printable(name)} has {size} elements along axis {axis}, not {dim}", details=[declared]
            )
        if isinstance(dim, str) and dim != "?":
            known, where = symbols.setdefault(dim, (size, name))
            if known != size:
                raise ShapeError(
                    f"the dimension {dim} is {known} in the input {printable(where)}, and {size} in {printable(name)}",
                    details=[declared],
                )


def random_feeds(
    inputs: Inputs,
    names: Sequence[str],
    *,
    seed: int = 0,
    dims: Mapping[str, int] | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> dict[str, Value]:
    """Make values for inputs: the same for the same seed, whatever else is given.

    Floats are of a normal distribution, integers 0 to 9 (0 or 1 for those of few bits), strings short.

    Args:
        inputs: of the model.
        names: the inputs to make.
        seed: of the random numbers.
        dims: sizes of symbolic dimensions, by name.
        shapes: shapes of inputs, by name.

    Raises:
        UsageError: a dimension that is neither known nor given; an input that is no tensor.
    """
    return {name: _random(name, inputs.declared[name], seed, dims or {}, (shapes or {}).get(name)) for name in names}


def _random(
    name: str, kind: onnx.TypeProto, seed: int, dims: Mapping[str, int], shape: tuple[int, ...] | None
) -> Value:
    shown = printable(name)
    if kind.WhichOneof("value") != "tensor_type":
        raise UsageError(f"the input {shown} is a {type_in_words(kind)}, which --random does not make")
    if shape is None:
        shape = _shape(shown, kind, dims)
    element = BY_NUMBER[kind.tensor_type.elem_type]
    generator = np.random.default_rng([seed, *name.encode()])
    dtype = onnx.helper.tensor_dtype_to_np_dtype(element.number)
    if element.name == "string":
        return generator.choice(np.array(["a", "b", "abc", ""], object), shape)
    if element.name.startswith("complex"):
        return (generator.standard_normal(shape) + 1j * generator.standard_normal(shape)).astype(dtype)
    if element.is_float or element.name.startswith("float"):
        return np.asarray(generator.standard_normal(shape)).astype(dtype)
    few = element.name in ("bool", "int2", "uint2", "int4", "uint4")
    return np.asarray(generator.integers(0, 2 if few else 10, shape)).astype(dtype)


def _shape(shown: str, kind: onnx.TypeProto, dims: Mapping[str, int]) -> tuple[int, ...]:
    if not kind.tensor_type.HasField("shape"):
        raise UsageError(f"the shape of the input {shown} is not known", hint=f"give it: --input-shape {shown}:2,3")
    sizes = []
    for axis, dim in enumerate(dims_of(kind)):
        if dim == "?":
            raise UsageError(
                f"the size of axis {axis} of the input {shown} is not known",
                details=[f"it is declared {type_in_words(kind)}"],
                hint=f"give the shape: --input-shape {shown}:{in_words(dims_of(kind)).replace(' x ', ',')}",
            )
        if isinstance(dim, str) and dim not in dims:
            raise UsageError(
                f"the dimension {dim} of the input {shown} is not known",
                details=[f"it is declared {type_in_words(kind)}"],
                hint=f"give it: --dim {dim}=1",
            )
        sizes.append(dims[dim] if isinstance(dim, str) else dim)
    return tuple(sizes)


def _is_optional(kind: onnx.TypeProto) -> bool:
    return bool(kind.WhichOneof("value") == "optional_type")
