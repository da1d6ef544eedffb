"""Files to test with, written without mincli: .npy in any layout or broken on purpose, and what tensors hold."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mincli.spec.dtypes import ElementType
from mincli.tensors import open_tensor
from mincli.tensors.tensor import Tensor
from tests import oracle, refusals


def npy(header: str | bytes, data: bytes = b"", *, version: tuple[int, int] = (1, 0), size: int | None = None) -> bytes:
    """Return a .npy file with any header; `size` is what the header says its length is."""
    text = header.encode("latin-1") if isinstance(header, str) else header
    claimed = len(text) if size is None else size
    return b"\x93NUMPY" + bytes(version) + claimed.to_bytes(2 if version[0] == 1 else 4, "little") + text + data


def header(descr: str, shape: object, *, fortran: object = False) -> str:
    """Return the text of a header."""
    return f"{{'descr': {descr!r}, 'fortran_order': {fortran!r}, 'shape': {shape!r}, }}\n"


def array_npy(array: NDArray[Any], element: ElementType, *, order: str = "C", byteorder: str = "<") -> bytes:
    """Return the .npy file of an array of storage type, in C or Fortran order, in either byte order."""
    array = array.astype(f"{byteorder}{element.storage}")
    data = np.ascontiguousarray(
        array if order == "C" else array.T
    ).tobytes()  # tobytes("F") of 64 axes: not in NumPy 2.0
    descr = ("|" if element.itemsize == 1 else byteorder) + element.numpy
    return npy(header(descr, array.shape, fortran=order == "F"), data)


def zip_of(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """Return a zip archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def elements(tensor: Tensor) -> NDArray[Any]:
    """Return all elements of a tensor, in an array of storage type."""
    view = tensor.view(tensor.shape, tensor.strides)
    region = tuple(slice(0, size) for size in tensor.shape)
    return np.broadcast_to(view.read(region, np.empty(tensor.nbytes, np.uint8)), tensor.shape).copy()


def content(path: str | Path, raw: ElementType | None = None) -> tuple[str, tuple[int, ...], list[oracle.Bits]]:
    """Return the element type, shape and bit patterns that a file holds."""
    with open_tensor(str(path), raw) as tensor:
        bits = oracle.bits_of(elements(tensor), tensor.element)
        return tensor.element.name, tensor.shape, list(bits.values())


def refusal(path: str | Path, raw: ElementType | None = None) -> tuple[str, str]:
    """Return the name of the error that opening a file raises, and its whole text."""
    return refusals.refusal(open_tensor, str(path), raw)
