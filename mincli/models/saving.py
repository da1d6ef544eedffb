"""Values written to files: each to one of its own, or all to an .npz archive."""

import io
import os
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import EncodeError
from numpy.typing import NDArray

from mincli.errors import OutputError, printable
from mincli.models.messages import to_message
from mincli.models.values import Value, element_of, type_of
from mincli.tensors import npy
from mincli.tensors.atomic import replacing
from mincli.tensors.destination import check_output
from mincli.tensors.runs import write_exactly

_MOST_STRING_BYTES = 1 << 28
"""A .npy file gives each string the room of the longest; more than this is no longer worth it."""


def write_value(path: str, value: Value, name: str) -> str:
    """Write a value: a tensor as .npy; as the .pb file of its message what is no tensor, or strings .npy cannot hold.

    Args:
        path: without the suffix, which is added.
        value: any value.
        name: of the value, which a message says.

    Returns:
        The path with its suffix.

    Raises:
        OutputError: it cannot be written.
    """
    path = file_of(path, value)
    if path.endswith(".npy"):
        header, data = npy_parts(np.asarray(value))
    else:
        header, data = b"", memoryview(serialized(path, value, name))
    with replacing(path, len(header) + len(data)) as file:
        write_exactly(file, memoryview(header), 0)
        write_exactly(file, data, len(header))
    return path


def check_writable(path: str, value: Value, name: str) -> None:
    """Check that `write_value` can write a value into a folder that is there, as far as that can be seen beforehand.

    Raises:
        OutputError: the file cannot be replaced, or the value has no message.
    """
    path = file_of(path, value)
    check_output(path)
    if path.endswith(".pb"):
        serialized(path, value, name)


def file_of(path: str, value: Value) -> str:
    """Return the path of the file of a value with its suffix (see `write_value`)."""
    plain = isinstance(value, np.ndarray | np.generic) and _fits_npy(np.asarray(value))
    return f"{path}.npy" if plain else f"{path}.pb"


def write_npz(path: str, values: Mapping[str, Value]) -> dict[str, list[str]]:
    """Write values to an .npz archive: a tensor under its name, the elements of a sequence as `name.0`, `name.1`, ...

    Args:
        path: where the archive is to appear, complete.
        values: by name; any name may be that of a member.

    Returns:
        The members of each value.

    Raises:
        OutputError: it cannot be written; a value has no form in an archive, or two would get one name.
    """
    members, places = npz_members(path, values)
    with (
        replacing(path, sum(array.nbytes for array in members.values() if array.dtype != object)) as descriptor,
        os.fdopen(os.dup(descriptor), "wb") as file,
        zipfile.ZipFile(file, "w") as archive,
    ):
        for member, array in members.items():
            with archive.open(zipfile.ZipInfo(f"{member}.npy"), "w", force_zip64=True) as stream:
                for part in npy_parts(array):
                    stream.write(part)
    return places


def npz_members(path: str, values: Mapping[str, Value]) -> tuple[dict[str, NDArray[Any]], dict[str, list[str]]]:
    """Return the members of an .npz archive, and which of them each value is (see `write_npz`).

    Raises:
        OutputError: a value has no form in an archive, or two would get one name.
    """
    members: dict[str, NDArray[Any]] = {}
    places: dict[str, list[str]] = {}
    for name, value in values.items():
        places[name] = []
        for member, array in _members(path, name, value):
            if member in members:
                raise _refused(path, f"two values would be its member {printable(member)}")
            members[member] = array
            places[name].append(member)
    return members, places


def npy_parts(array: NDArray[Any]) -> tuple[bytes, memoryview]:
    """Return the header and the elements of the .npy file of an array.

    Strings are NumPy's, and what NumPy cannot name is raw elements, as ml_dtypes writes them.
    """
    if array.dtype.kind in "OU":
        stream = io.BytesIO()
        np.save(stream, array.astype(str), allow_pickle=False)
        return b"", stream.getbuffer()
    element = element_of(array)
    if element.numpy in ("", "f1"):  # NumPy writes f1 and refuses to read it
        element = element._replace(numpy="V1")
    native = array.astype(array.dtype.newbyteorder("="), order="C", copy=False)
    return npy.format_header(element, array.shape), native.reshape(-1).view(np.uint8).data


def _members(path: str, name: str, value: Value) -> Iterator[tuple[str, NDArray[Any]]]:
    if isinstance(value, list) and value:
        for index, element in enumerate(value):
            yield from _members(path, f"{name}.{index}", element)
    elif not isinstance(value, np.ndarray | np.generic):
        raise _refused(path, f"{printable(name)} is {type_of(value)}")
    elif not _fits_npy(np.asarray(value)):
        raise _refused(path, f"{printable(name)} has strings that end in NUL, or are too long")
    elif "\0" in name:
        raise _refused(path, f"the name {printable(name)} has a NUL")
    else:
        yield name, np.asarray(value)


def _fits_npy(array: NDArray[Any]) -> bool:
    """Whether a .npy file can hold an array: NumPy drops NULs at the end of strings."""
    if array.dtype.kind not in "OU":
        return True
    elements = array.reshape(-1).tolist()
    longest = max(map(len, elements), default=0)
    return 4 * longest * len(elements) <= _MOST_STRING_BYTES and not any(text.endswith("\0") for text in elements)


def serialized(path: str, value: Value, name: str, kind: onnx.TypeProto | None = None) -> bytes:
    """Return the bytes of the message of a value (see `messages.to_message`).

    Raises:
        OutputError: it has none; the text names the path.
    """
    try:
        return bytes(to_message(value, name, kind).SerializeToString())
    except (EncodeError, ValueError) as error:
        raise OutputError(f"{printable(path)} cannot be written: {error}") from error


def _refused(path: str, why: str) -> OutputError:
    return OutputError(
        f"{printable(path)} cannot be written: {why}",
        details=["an .npz archive holds tensors and sequences of tensors, each under a name of its own"],
        hint="write a folder instead",
    )
