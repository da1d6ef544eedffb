"""Values beside the types that a model declares for its inputs and outputs (TypeProto in onnx.proto)."""

from collections.abc import Mapping

import numpy as np
import onnx

from mincli.errors import ElementTypeError, ModelError, ShapeError, printable
from mincli.graphs.kinds import dims_of, type_in_words
from mincli.models.load import Model
from mincli.models.values import Value, type_of

Symbols = dict[str, tuple[int, str]]
"""The size of each symbolic dimension, and which value has it."""


def check_value(called: str, value: Value, kind: onnx.TypeProto, symbols: Symbols) -> None:
    """Check that a value is of a declared type.

    Args:
        called: the value in words.
        value: the value.
        kind: the type.
        symbols: the symbolic dimensions that are known; those of this value are added.

    Raises:
        ElementTypeError: it is of another type.
        ShapeError: a rank or a size other than declared, or two sizes for one symbolic dimension.
    """
    match kind.WhichOneof("value"):
        case "optional_type":
            if value is not None:
                check_value(called, value, kind.optional_type.elem_type, symbols)
        case "sequence_type":
            if not isinstance(value, list):
                raise _unlike(called, value, kind)
            for index, element in enumerate(value):
                check_value(f"element {index} of {called}", element, kind.sequence_type.elem_type, {})
        case "map_type":
            if not isinstance(value, dict):
                raise _unlike(called, value, kind)
        case "tensor_type":
            if not isinstance(value, np.ndarray):
                raise _unlike(called, value, kind)
            number = kind.tensor_type.elem_type
            if number and onnx.helper.np_dtype_to_tensor_dtype(value.dtype) != number:
                raise _unlike(called, value, kind)
            check_shape(called, value.shape, kind, symbols)


def check_shape(called: str, shape: tuple[int, ...], kind: onnx.TypeProto, symbols: Symbols) -> None:
    """Check that the shape of a tensor is as declared; arguments and errors as of `check_value`."""
    if not kind.tensor_type.HasField("shape"):
        return
    dims = dims_of(kind)
    declared = f"the model declares {type_in_words(kind)}"
    if len(dims) != len(shape):
        raise ShapeError(f"{called} has rank {len(shape)}, not {len(dims)}", details=[declared])
    for axis, (dim, size) in enumerate(zip(dims, shape, strict=True)):
        if isinstance(dim, int) and dim != size:
            raise ShapeError(f"{called} has {size} elements along axis {axis}, not {dim}", details=[declared])
        if isinstance(dim, str) and dim != "?":
            known, where = symbols.setdefault(dim, (size, called))
            if known != size:
                raise ShapeError(
                    f"the dimension {printable(dim)} is {known} in {where}, and {size} in {called}", details=[declared]
                )


def outputs_of(model: Model) -> dict[str, onnx.TypeProto]:
    """Return the outputs of a model: each one's type by name."""
    return {output.name: output.type for output in model.proto.graph.output}


def check_outputs(declared: Mapping[str, onnx.TypeProto], outputs: Mapping[str, Value], symbols: Symbols) -> list[str]:
    """Check that outputs are what the model declares; with another type it is no valid model.

    A shape is told and not refused, as onnxruntime does: exporters leave sizes behind that a model outgrew.

    Args:
        declared: the type of each output.
        outputs: values by name.
        symbols: the symbolic dimensions of the inputs: in a graph one name is one size (IR.md, Static tensor shapes).

    Returns:
        A line for each output whose rank or size is another than declared, or than a symbolic dimension has elsewhere.

    Raises:
        ModelError: an output of another type.
    """
    notes = []
    known = dict(symbols)
    for name, value in outputs.items():
        try:
            check_value(f"the output {printable(name)}", value, declared[name], known)
        except ElementTypeError as error:
            raise ModelError(error.message, details=error.details) from error
        except ShapeError as error:
            notes.append(f"{error.message}: {error.details[0]}")
    return notes


def _unlike(called: str, value: Value, kind: onnx.TypeProto) -> ElementTypeError:
    return ElementTypeError(f"{called} is {type_of(value)}", details=[f"the model declares {type_in_words(kind)}"])
