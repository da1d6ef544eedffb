"""Tensors in initializers and attributes: their element types, fields, sizes and external data."""

import math
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import onnx

from mincli.errors import FileError, printable
from mincli.findings import Finding, Place
from mincli.findings.graph import BAD_SPARSE, BAD_TENSOR, TENSOR_SIZE
from mincli.findings.model import EXTERNAL_DATA
from mincli.graphs.external import is_external, locate
from mincli.graphs.storage import FIELDS, bytes_of, entries_of, field_of, range_of
from mincli.lint.scopes import Node, Scope
from mincli.spec.dtypes import BY_NUMBER, ElementType

_NUMBERS = {onnx.TensorProto.DESCRIPTOR.fields_by_name[name].number: name for name in FIELDS}
"""The fields of elements by their numbers: those are had faster than names."""


class Held(NamedTuple):
    """A tensor of a graph.

    Attributes:
        tensor: dense or sparse.
        scope: the graph or function.
        name: of the tensor; or of the attribute that it is in.
        node: that has the attribute; None if it is an initializer.
    """

    tensor: onnx.TensorProto | onnx.SparseTensorProto
    scope: Scope
    name: str
    node: Node | None = None

    @property
    def place(self) -> Place:
        """Of its node or of the graph."""
        return self.scope.place(self.node) if self.node else self.scope.place(value=self.name)

    @property
    def what(self) -> str:
        """It, in words."""
        if self.node:
            return f"the tensor in its attribute {printable(self.name)}"
        kind = "tensor" if isinstance(self.tensor, onnx.TensorProto) else "sparse tensor"
        return f"the {kind} {printable(self.name)}"


def tensors_in(scope: Scope) -> Iterator[Held]:
    """Yield the tensors of a graph or function, the graphs in its nodes aside."""
    if scope.graph is not None:
        for tensor in scope.graph.initializer[:]:
            yield Held(tensor, scope, tensor.name)
        for sparse in scope.graph.sparse_initializer:
            yield Held(sparse, scope, sparse.values.name)
    for node, attribute in scope.holders:
        single = [getattr(attribute, field) for field in ("t", "sparse_tensor") if attribute.HasField(field)]
        for held in (*single, *attribute.tensors, *attribute.sparse_tensors):
            yield Held(held, scope, attribute.name, node)


def dense_in(scope: Scope) -> Iterator[onnx.TensorProto]:
    """Yield the dense tensors of a graph or function, and the parts of its sparse ones."""
    for held in tensors_in(scope):
        if isinstance(held.tensor, onnx.TensorProto):
            yield held.tensor
        else:
            yield from (held.tensor.values, held.tensor.indices)


def check(scope: Scope, folder: str | None) -> Iterator[Finding]:
    """Yield what is wrong with the tensors of a graph or function, the graphs in its nodes aside.

    Args:
        scope: the graph or function.
        folder: of external data; None if it is not known.
    """
    for held in tensors_in(scope):
        if isinstance(held.tensor, onnx.TensorProto):
            yield from _dense(held.tensor, held, folder)
        else:
            yield from _sparse(held.tensor, held, folder)


def _dense(tensor: onnx.TensorProto, held: Held, folder: str | None) -> Iterator[Finding]:
    element = BY_NUMBER.get(tensor.data_type)
    if element is None:
        known = f"has the element type {tensor.data_type}, which is none" if tensor.data_type else "has no element type"
        yield BAD_TENSOR.at(held.place, f"{held.what} {known}", "a number of TensorProto.DataType")
        return
    dims = tensor.dims[:]
    if dims and min(dims) < 0:
        yield BAD_TENSOR.at(held.place, f"{held.what} has the shape {dims}", "no negative dims")
        return
    filled = {
        _NUMBERS[number]: value
        for field, value in tensor.ListFields()
        if (number := field.number) in _NUMBERS and len(value)
    }
    if is_external(tensor):
        yield from _external(tensor, held, folder, sorted(filled))
    elif len(filled) > 1:
        yield BAD_TENSOR.at(held.place, f"{held.what} has elements in {' and in '.join(sorted(filled))}", "one field")
    else:
        allowed = [field_of(element), *(["raw_data"] if element.name != "string" else [])]
        name, value = next(iter(filled.items()), (allowed[0], ()))
        if name not in allowed:
            yield BAD_TENSOR.at(
                held.place, f"{held.what} has {element.name} elements in {name}", f"they are in {' or '.join(allowed)}"
            )
            return
        yield from _elements(element, held, name, value)
        yield from _size(element, dims, held, name, value)


def _external(tensor: onnx.TensorProto, held: Held, folder: str | None, filled: list[str]) -> Iterator[Finding]:
    if filled:
        yield BAD_TENSOR.at(
            held.place, f"{held.what} has external data, and elements in {' and in '.join(filled)}", "one of the two"
        )
    try:
        found = locate(tensor, folder)
    except FileError as error:
        yield EXTERNAL_DATA.at(held.place, f"{error.message}: {error.details[0]}", hint=error.hint)
        return
    needed = bytes_of(tensor.data_type, tensor.dims)
    if needed is None:
        yield BAD_TENSOR.at(held.place, f"{held.what} is of strings, and external", "strings are in string_data")
        return
    there = found.length if found.length is not None else found.room
    if there is not None and (there < needed or (there > needed and found.length is not None)):
        yield _unfit(BY_NUMBER[tensor.data_type], list(tensor.dims), held, f"{there} bytes", f"{needed} bytes")


def _elements(element: ElementType, held: Held, name: str, value: Any) -> Iterator[Finding]:
    """Yield which elements are none of their type; of raw_data all are."""
    if name == "int32_data":
        low, high = range_of(element)
        least, greatest = min(value, default=low), max(value, default=high)
        if least < low or greatest > high:
            wrong = least if least < low else greatest
            yield BAD_TENSOR.at(
                held.place,
                f"{held.what} has {wrong} in int32_data, which is no {element.name}",
                f"entries from {low} to {high}",
            )
    elif name == "string_data":
        for string in value:
            try:
                string.decode()
            except UnicodeDecodeError:
                yield BAD_TENSOR.at(held.place, f"{held.what} has a string that is no UTF-8", "strings in UTF-8")
                return


def _size(element: ElementType, dims: list[int], held: Held, name: str, value: object) -> Iterator[Finding]:
    """Yield whether elements and shape disagree; also where the last of packed elements leaves bits that are set."""
    count = math.prod(dims)
    there = len(value)  # type: ignore[arg-type]
    if name == "raw_data":
        needed, unit = bytes_of(element.number, dims) or 0, "bytes"
    else:
        needed, unit = entries_of(element, count), "entries"
    if there != needed:
        yield _unfit(element, dims, held, f"{there} {unit}", f"{needed} {unit}")
    elif name == "raw_data" and element.bits == 6 and value[-1] >> (count * 6 % 8 or 8):  # type: ignore[index]
        yield BAD_TENSOR.at(held.place, f"{held.what} has bits set behind its last element", "they are 0")


def _unfit(element: ElementType, dims: list[int], held: Held, there: str, needed: str) -> Finding:
    kind = f"{element.name}[{', '.join(map(str, dims))}]"
    return TENSOR_SIZE.at(
        held.place, f"the data of {held.what} do not fit its shape: there are {there}", f"{kind} takes {needed}"
    )


def _sparse(sparse: onnx.SparseTensorProto, held: Held, folder: str | None) -> Iterator[Finding]:
    values, indices = sparse.values, sparse.indices
    parts = [*_dense(values, held, folder), *(_dense(indices, held, folder) if sparse.HasField("indices") else ())]
    yield from parts
    fault = "" if parts else _shape_fault(sparse) or ("" if is_external(indices) else _index_fault(sparse))
    if fault:
        yield BAD_SPARSE.at(held.place, f"{held.what} has {fault}")


def _shape_fault(sparse: onnx.SparseTensorProto) -> str:
    """Return what is wrong with the shapes of a sparse tensor and of its parts, in words."""
    dims, values, indices = list(sparse.dims), list(sparse.values.dims), list(sparse.indices.dims)
    if not dims or min(dims) < 1:
        return f"the shape {dims}, and each of at least one dimension has to be positive"
    if len(values) != 1:
        return f"values of the shape {values}, not a vector"
    if not sparse.HasField("indices"):
        return f"{values[0]} values, and no indices" if values[0] else ""
    if sparse.indices.data_type != onnx.TensorProto.INT64:
        return f"indices of type {BY_NUMBER[sparse.indices.data_type].name}, not int64"
    if indices not in (values, [*values, len(dims)]):
        return f"indices of the shape {indices}, not {values} or {[*values, len(dims)]}"
    return ""


def _index_fault(sparse: onnx.SparseTensorProto) -> str:
    """Return which index of a sparse tensor is out of range or of order, in words."""
    dims, indices = list(sparse.dims), sparse.indices
    raw = indices.raw_data
    numbers = struct.unpack(f"<{len(raw) // 8}q", raw) if raw else tuple(indices.int64_data)
    axes = dims if len(indices.dims) == 2 else [math.prod(dims)]
    last: tuple[int, ...] = ()
    for start in range(0, len(numbers), len(axes)):
        index = numbers[start : start + len(axes)]
        shown = index[0] if len(index) == 1 else list(index)
        if not all(0 <= number < size for number, size in zip(index, axes, strict=True)):
            return f"the index {shown}, which is outside the shape {dims}"
        if last and index <= last:
            return f"the index {shown} out of order: they ascend, and each is there once"
        last = index
    return ""
