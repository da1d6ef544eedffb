"""The inputs of a run: which file is which input, and whether it may be."""

import os
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import onnx

from mincli.errors import EngineError, InputError, UsageError, counted, printable
from mincli.graphs.kinds import type_in_words
from mincli.models.declared import Symbols, check_shape, check_value
from mincli.models.load import Model
from mincli.models.reading import read_value
from mincli.models.values import Value
from mincli.tensors import STDIN


class Inputs(NamedTuple):
    """The inputs of a model.

    Attributes:
        declared: each input's type by name, in the order of the graph.
        defaults: the shapes of those that an initializer gives a value to, and that need not be given.
        constants: the names of initializers that are no inputs.
    """

    declared: dict[str, onnx.TypeProto]
    defaults: dict[str, tuple[int, ...]]
    constants: frozenset[str]

    @property
    def required(self) -> list[str]:
        """The names of the inputs that have to be given."""
        return [name for name, kind in self.declared.items() if name not in self.defaults and not _is_optional(kind)]


def inputs_of(model: Model) -> Inputs:
    """Return the inputs of a model. Up to IR version 3 each initializer is an input as well, from 4 on it may be.

    Raises:
        EngineError: an input that is declared sparse.
    """
    graph = model.proto.graph
    shapes = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    shapes |= {tensor.values.name: tuple(tensor.dims) for tensor in graph.sparse_initializer}
    declared = {value.name: value.type for value in graph.input}
    for name, kind in declared.items():
        if kind.WhichOneof("value") == "sparse_tensor_type":
            raise EngineError(
                f"the input {printable(name)} is declared {type_in_words(kind)}",
                details=["inputs may be tensors, sequences, maps and optionals, not sparse tensors"],
                hint="declare it as a tensor: a model runs the same on a dense one",
            )
    defaults = {name: shape for name, shape in shapes.items() if name in declared}
    return Inputs(declared, defaults, frozenset(shapes.keys() - defaults.keys()))


def bind(inputs: Inputs, given: Sequence[str]) -> dict[str, str]:
    """Say which file each input comes from.

    Args:
        inputs: of the model.
        given: `FILE`, for the first required input that has none yet, then for those with a default; or `NAME=FILE`,
            split only where NAME is an input. A path that exists is always taken as a path.

    Returns:
        The file of each input, by its name.

    Raises:
        UsageError: a file too many, two for one input, or several from standard input.
        InputError: a name that is no input.
    """
    bound: dict[str, str] = {}
    bare = []
    for word in given:
        name, path = (None, word) if os.path.exists(word) else split_name(word, inputs.declared)
        if name is None:
            _check_bare(inputs, word)
            bare.append(word)
        elif name in bound:
            raise UsageError(f"the input {printable(name)} is given twice", hint="give each input once")
        else:
            bound[name] = path
    free = [name for name in dict.fromkeys([*inputs.required, *inputs.declared]) if name not in bound]
    if len(bare) > len(free):
        raise UsageError(
            f"{counted(len(given), 'file')} for {counted(len(inputs.declared), 'input')}: "
            f"{printable(bare[len(free)])} is one too many",
            details=[listing("inputs", inputs.declared)],
        )
    bound |= dict(zip(free, bare, strict=False))
    if list(bound.values()).count(STDIN) > 1:
        raise UsageError("only one input can come from standard input")
    return bound


def split_name(word: str, names: Iterable[str]) -> tuple[str | None, str]:
    """Split `NAME=FILE` where NAME is one of the names, at the first such place; (None, word) if there is none."""
    known = set(names)
    for place, character in enumerate(word):
        if character == "=" and word[:place] in known:
            return word[:place], word[place + 1 :]
    return None, word


def nearest(name: str, names: Iterable[str]) -> str:
    """Return a hint at the name that was probably meant, or ""."""
    known = list(names)
    near = [other for other in known if other.casefold() == name.casefold()] or get_close_matches(name, known, n=1)
    return f"did you mean {printable(near[0])}?" if near else ""


def listing(what: str, declared: Mapping[str, onnx.TypeProto]) -> str:
    """Return what values of a kind a model has, the first ten of them: `the model's inputs: x float[2, 3]`."""
    names = [f"{printable(name)} {type_in_words(kind)}" for name, kind in list(declared.items())[:10]]
    more = f" and {len(declared) - 10} more" if len(declared) > 10 else ""
    return f"the model's {what}: {', '.join(names) or 'none'}{more}"


def _check_bare(inputs: Inputs, word: str) -> None:
    """Refuse `NAME=FILE` of a name that is no input, unless it is the path of a file."""
    name, separator, _ = word.partition("=")
    constant, _ = split_name(word, inputs.constants)
    if not separator or os.path.exists(word):
        return
    if constant is not None:
        raise InputError(
            f"{printable(constant)} is a constant of the model, no input",
            details=[listing("inputs", inputs.declared)],
            hint="to change it, make it an input of the graph as well",
        )
    raise no_input(inputs, name)


def no_input(inputs: Inputs, name: str) -> InputError:
    """Return the error for a name that is no input of the model."""
    return InputError(
        f"{printable(name)} is no input of the model",
        details=[listing("inputs", inputs.declared)],
        hint=nearest(name, inputs.declared),
    )


def read_feeds(inputs: Inputs, bound: Mapping[str, str]) -> dict[str, Value]:
    """Read the files of inputs.

    Raises:
        FileError: a file is missing or unreadable.
        FormatError: a file does not hold such a value.
    """
    return {name: read_value(path, inputs.declared[name]) for name, path in bound.items()}


def check_feeds(inputs: Inputs, feeds: Mapping[str, Value], files: Mapping[str, str] | None = None) -> Symbols:
    """Check that the values may be the inputs of the model, before anything runs.

    The defaults of inputs that are not given take part: their sizes may be those of symbolic dimensions, too.

    Args:
        inputs: of the model.
        feeds: values by the input's name.
        files: where they came from, which messages say; those of no file may be left out. None for values in memory,
            to which hints at files and options mean nothing.

    Returns:
        The symbolic dimensions, as the values have them.

    Raises:
        InputError: an input that is required and missing, or a name that is no input.
        ElementTypeError: a value of another type than declared.
        ShapeError: a rank or a size other than declared, or two sizes for one symbolic dimension.
    """
    for name in feeds:
        if name not in inputs.declared:
            raise no_input(inputs, name)
    missing = [name for name in inputs.required if name not in feeds]
    if missing:
        name = printable(missing[0])
        hint = f"give it a file ({name}=FILE), or random values to all that are missing (--random)"
        raise InputError(
            f"the input {name} is missing",
            details=[listing("inputs", inputs.declared)],
            hint="" if files is None else hint,
        )
    symbols: Symbols = {}
    for name, value in feeds.items():
        file = (files or {}).get(name)
        called = f"the input {printable(name)}" + (f" ({printable(file)})" if file else "")
        check_value(called, value, inputs.declared[name], symbols)
    for name, shape in inputs.defaults.items():
        if name not in feeds:
            check_shape(f"the default of the input {printable(name)}", shape, inputs.declared[name], symbols)
    return symbols


def complete(
    inputs: Inputs, feeds: Mapping[str, Value], defaults: Mapping[str, Value] | None = None
) -> dict[str, Value]:
    """Return feeds in the order of the graph, with None for optional inputs that are not given.

    Args:
        inputs: of the model.
        feeds: values by the input's name.
        defaults: values for inputs that have a default; None leaves those out.
    """
    full = {
        **dict.fromkeys(name for name in inputs.declared if name not in inputs.defaults),
        **(defaults or {}),
        **feeds,
    }
    return {name: full[name] for name in inputs.declared if name in full}


def _is_optional(kind: onnx.TypeProto) -> bool:
    return bool(kind.WhichOneof("value") == "optional_type")
