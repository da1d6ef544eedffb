"""Write the files of a case: `python -m bench.make CASE FOLDER` (see `on_files.make`)."""

import os
import sys
from math import prod
from pathlib import Path

import numpy as np

from bench.case import MIB, Case, parse
from bench.model import model_of
from bench.on_files import MODEL, names_of
from bench.operands import values

_REPEATED = 64 * MIB
"""Bytes after which the elements come again."""


def write_array(path: Path, case: Case, operand: int) -> None:
    """Write an operand as .npy, and wait until it is on the disk: writing it later would disturb the measurements."""
    shape, layout = case.shapes[operand], case.layout(operand)
    count = prod(shape)
    block = values(case.element, min(count, _REPEATED // case.itemsize), operand, case.values)
    if layout == "S":
        block = block.byteswap().view(block.dtype.newbyteorder())
    header = {"descr": np.lib.format.dtype_to_descr(block.dtype), "fortran_order": layout == "F", "shape": shape}
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        while count:
            count -= file.write(block[:count].view(np.uint8).data) // case.itemsize
        file.flush()
        os.fsync(file.fileno())


if __name__ == "__main__":
    case, folder = parse(sys.argv[1]), Path(sys.argv[2])
    for operand, name in enumerate(names_of(case)):
        if not (folder / name).exists():
            write_array(folder / name, case, operand)
    (folder / MODEL).write_bytes(model_of(case))
