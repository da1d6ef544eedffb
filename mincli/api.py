"""The minimum operators on NumPy arrays: the same kernels, rules and blocks as the command line."""

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mincli.errors import ElementTypeError
from mincli.spec import rules
from mincli.spec.dtypes import of_numpy
from mincli.spec.operators import OperatorVersion, resolve
from mincli.spec.shapes import reduced_shape
from mincli.streaming import minimum as streaming_minimum
from mincli.streaming import reduction as streaming_reduction
from mincli.streaming.plan import OWN_CHOICE
from mincli.tensors.array import ArrayTensor
from mincli.tensors.target import ArrayTarget
from mincli.tensors.tensor import OpaqueTensor, Tensor


def minimum(*arrays: ArrayLike, opset: int | None = None) -> NDArray[Any]:
    """Return the element-wise minimum as ONNX `Min` of an opset defines it.

    Args:
        arrays: one or more arrays of one type that the version takes, with shapes that it lets go together.
            bfloat16 is ml_dtypes' type, or raw two-byte elements (`V2`).
        opset: 1 to the newest known; None is the newest.

    Returns:
        A new array of the broadcast shape, in C order, of the arrays' type in native byte order. Any NaN gives
        NaN; -0 < +0.

    Raises:
        UsageError: there is no such opset (a ValueError).
        ElementTypeError: a type that the version does not take, or several types (a TypeError).
        TypeError: an opset that is no integer.
        ShapeError: no array, or shapes that do not go together (a ValueError).

    >>> minimum([1.0, 5.0], [[3.0], [0.0]])
    array([[1., 3.],
           [0., 0.]])
    """
    names = [f"argument {number}" for number in range(1, len(arrays) + 1)]
    return minimum_of([np.asanyarray(array) for array in arrays], names, _version("Min", opset))


def minimum_of(values: Sequence[NDArray[Any]], names: Sequence[str], version: OperatorVersion) -> NDArray[Any]:
    """Return the element-wise minimum of arrays by the rules of a version (see `minimum`).

    Args:
        values: the arrays.
        names: what messages call each of them.
        version: a row of Min.
    """
    tensors = [_tensor(array, name) for array, name in zip(values, names, strict=True)]
    shape = rules.minimum_shape(version, tensors)
    target = ArrayTarget.empty(shape, tensors[0].element)
    streaming_minimum.minimum(tensors, target, streaming_minimum.make_plan(tensors, shape, OWN_CHOICE))
    return _result(target, values[0])


def reduce_min(
    array: ArrayLike,
    axes: Sequence[int] | NDArray[np.integer] | int | None = None,
    keepdims: bool = True,
    noop_with_empty_axes: bool = False,
    opset: int | None = None,
) -> NDArray[Any]:
    """Return the minimum along axes as ONNX `ReduceMin` of an opset defines it.

    Args:
        array: an array of a type that the version takes.
        axes: the axes to reduce, each once; None or empty is all, or none with `noop_with_empty_axes`.
        keepdims: whether reduced axes stay with extent 1.
        noop_with_empty_axes: from opset 18 on, absent or empty axes reduce nothing.
        opset: 1 to the newest known; None is the newest.

    Returns:
        A new array in C order, of the array's type in native byte order. The minimum of no elements is +inf, the
        greatest integer, or True. Any NaN gives NaN; -0 < +0.

    Raises:
        UsageError: there is no such opset (a ValueError).
        ElementTypeError: a type that the version does not take (a TypeError).
        TypeError: axes or an opset that are no integers.
        AxesError: an axis out of range, repeated, or negative before opset 11 (a ValueError).
        OperatorAttributeError: `noop_with_empty_axes` before opset 18 (a ValueError).

    >>> reduce_min([[3, 1], [2, 5]], axes=[1], keepdims=False)
    array([1, 2])
    """
    version = _version("ReduceMin", opset)
    values = np.asanyarray(array)
    tensor = _tensor(values, "the array")
    given = [] if axes is None else [operator.index(axis) for axis in np.atleast_1d(axes)]
    reduced = rules.reduction_axes(version, tensor, given, noop_with_empty_axes=noop_with_empty_axes)
    target = ArrayTarget.empty(reduced_shape(tensor.shape, reduced, keepdims=keepdims), tensor.element)
    streaming_reduction.reduce_min(tensor, target, streaming_reduction.make_plan(tensor, reduced, OWN_CHOICE))
    return _result(target, values)


def _version(name: str, opset: int | None) -> OperatorVersion:
    return resolve(name, None if opset is None else operator.index(opset))


def _tensor(values: NDArray[Any], name: str) -> Tensor:
    if isinstance(values, np.ma.MaskedArray):
        raise ElementTypeError(f"{name} is a masked array", hint="fill or drop the masked elements first")
    values = np.asarray(values)
    element = of_numpy(values.dtype.str, values.dtype.name)
    if element is None or values.dtype.names:
        raise ElementTypeError(f"{name} has the type {values.dtype}, which is none of ONNX's")
    if not element.storage:
        return OpaqueTensor(element, values.shape, name)
    return ArrayTensor(values.view(np.dtype(element.storage).newbyteorder(values.dtype.byteorder)), element, name)


def _result(target: ArrayTarget, first: NDArray[Any]) -> NDArray[Any]:
    return target.array.view(first.dtype.newbyteorder("="))
