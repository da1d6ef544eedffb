"""A model called from Python: values by name or in order, made what the model declares where they are plain Python."""

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx

from mincli.errors import ElementTypeError, ModelError, UsageError, counted, printable
from mincli.graphs.read import path_or_model
from mincli.models import engines
from mincli.models.declared import check_outputs, outputs_of
from mincli.models.feeds import check_feeds, complete, inputs_of
from mincli.models.load import Model, as_model, load_model
from mincli.models.values import Value, element_of
from mincli.spec.dtypes import BY_NUMBER


def run_model(
    model: onnx.ModelProto | str | os.PathLike[str],
    inputs: Any = (),
    *,
    engine: str = engines.REFERENCE,
) -> dict[str, Value]:
    """Run an ONNX model by the rules of the opset that it imports; what `mincli run-model` does, on values in memory.

    Args:
        model: the path of a model, or a model in memory with its external data inside.
        inputs: a mapping of values by the input's name; or a list or tuple of values in the order of the graph, either
            all or those that have no default; or the only value. A tensor is an array (bfloat16 and the like are
            ml_dtypes' types, strings are of dtype object); numbers, and lists of them, become the declared type where
            it can hold them. A sequence is a list, a map a dict, an optional that is absent None.
        engine: "reference", or "onnxruntime" (an extra).

    Returns:
        The outputs by name, in the order of the graph. A shape other than declared is told in a UserWarning.

    Raises:
        UsageError: there is no such engine, what is no model, or a name that is no string (a ValueError).
        FileError: the model is missing or unreadable (an OSError).
        FormatError: the file holds no model (a ValueError).
        InputError: an input that is required and missing, or a name that is no input.
        ModelError: the model breaks the rules of ONNX; too many inputs (a ValueError).
        ElementTypeError: an input of another type than declared (a TypeError).
        ShapeError: an input of another rank or size than declared (a ValueError).
        EngineError: the engine cannot run the model (a RuntimeError).

    >>> from onnx import parser
    >>> text = '<ir_version: 8, opset_import: ["" : 17]> g (float[n] x, float y) => (float[n] z) { z = Min (x, y) }'
    >>> run_model(parser.parse_model(text), {"x": [1.0, 5.0], "y": 3})
    {'z': array([1., 3.], dtype=float32)}
    """
    if engine not in engines.ENGINES:
        raise UsageError(f"there is no engine {printable(str(engine))}", hint=f"use {' or '.join(engines.ENGINES)}")
    ready = Ready(model_of(model), engine)
    outputs = ready(inputs)
    for note in ready.notes:
        warnings.warn(note, stacklevel=2)
    return outputs


class Ready:
    """A model that is ready to be called.

    Args:
        model: the model.
        engine: what runs it, one of `engines.ENGINES`.

    Attributes:
        notes: where an output of the last call has another shape than the model declares.
    """

    def __init__(self, model: Model, engine: str) -> None:
        self.notes: list[str] = []
        self._inputs = inputs_of(model)
        self._outputs = outputs_of(model)
        self._engine = engines.prepare(model, engine)

    def __call__(self, inputs: Any) -> dict[str, Value]:
        """Return the outputs (see `run_model`)."""
        declared = self._inputs.declared
        named = _by_name(inputs) if isinstance(inputs, Mapping) else self._named(listed(inputs))
        feeds = {
            name: as_value(value, f"the input {printable(name)}", declared.get(name, onnx.TypeProto()))
            for name, value in named.items()
        }
        symbols = check_feeds(self._inputs, feeds)
        outputs = self._engine.run(complete(self._inputs, feeds))
        self.notes = check_outputs(self._outputs, outputs, symbols)
        return outputs

    def _named(self, values: Sequence[Any]) -> dict[str, Any]:
        required, declared = self._inputs.required, list(self._inputs.declared)
        names = required if len(values) == len(required) else declared
        if len(values) > len(names):
            raise ModelError(
                f"the model takes {counted(len(names), 'input')}, not {len(values)}",
                details=[f"they are {', '.join(map(printable, names))}"] if names else [],
            )
        return dict(zip(names, values, strict=False))


def _by_name(inputs: Mapping[Any, Any]) -> Mapping[str, Any]:
    """Return inputs by name; refuse what is no name."""
    for name in inputs:
        if not isinstance(name, str):
            raise UsageError(
                f"the name of an input is a string, not {type(name).__name__}",
                hint="values in the order of the inputs are a list or a tuple",
            )
    return inputs


def listed(inputs: Any) -> list[Any]:
    """Return inputs in order as a list; what is neither a list nor a tuple is the only one."""
    return list(inputs) if isinstance(inputs, list | tuple) else [inputs]


def model_of(model: onnx.ModelProto | str | os.PathLike[str]) -> Model:
    """Return a model from its path or from memory.

    Raises:
        UsageError: it is neither.
        InputError, EngineError: it cannot be loaded (see `load.load_model`).
    """
    given = path_or_model(model)
    if isinstance(given, str):
        return load_model(given)
    return as_model(given, printable(given.graph.name) if given.graph.name else "the model")


def as_value(value: Any, called: str, kind: onnx.TypeProto) -> Value:
    """Return a value of Python as one of a model (see `run_model`).

    Args:
        value: the value.
        called: the value in words.
        kind: its declared type; of an unknown one lists are sequences, and numbers become what NumPy makes of them.

    Raises:
        ElementTypeError: an array of a type that ONNX does not have, or what makes no array.
    """
    match kind.WhichOneof("value"):
        case "optional_type":
            return as_value(value, called, kind.optional_type.elem_type)
        case "tensor_type" if isinstance(value, list):
            return _tensor(value, called, kind.tensor_type.elem_type)
    if isinstance(value, list):
        elements = enumerate(value)
        return [as_value(element, f"element {n} of {called}", kind.sequence_type.elem_type) for n, element in elements]
    return value if value is None or isinstance(value, dict) else _tensor(value, called, kind.tensor_type.elem_type)


def _tensor(value: Any, called: str, number: int) -> Value:
    if isinstance(value, np.ma.MaskedArray):
        raise ElementTypeError(f"{called} is a masked array", hint="fill or drop the masked elements first")
    try:
        array = np.asarray(value)
    except ValueError as error:  # lists of several lengths
        raise ElementTypeError(f"{called} is no array: {error}") from error
    if array.dtype.kind == "U":
        array = array.astype(object)
    if array.dtype.kind == "O":
        _check_strings(array, called)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    try:
        element_of(array)
    except (KeyError, ValueError, TypeError):
        raise ElementTypeError(f"{called} has the type {array.dtype}, which is none of ONNX's") from None
    return array if hasattr(value, "dtype") or number not in BY_NUMBER else _plain(array, number)


def _check_strings(array: Any, called: str) -> None:
    """Refuse objects other than strings: NumPy takes any for elements, also integers that none of its types holds."""
    for element in array.reshape(-1).tolist():
        if not isinstance(element, str):
            raise ElementTypeError(
                f"{called} holds an object of the type {type(element).__name__}, which is none of ONNX's",
                details=["strings are objects; integers have at most 64 bits"],
            )


def _plain(array: Any, number: int) -> Value:
    """Return plain numbers as the declared type where that can hold them: integers exactly, floats rounded."""
    element = BY_NUMBER[number]
    if array.dtype.kind not in "iuf" or element.name in ("string", "bool"):
        return array
    with np.errstate(all="ignore"):
        converted = array.astype(onnx.helper.tensor_dtype_to_np_dtype(number))
    if not element.is_integer or not array.size:
        return converted
    return converted if array.dtype.kind != "f" and (converted.astype(array.dtype) == array).all() else array
