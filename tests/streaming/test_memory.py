"""Memory is bounded whatever the size of the files: traced for small ones, measured for large ones."""

import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from mincli.spec.dtypes import BY_NAME
from mincli.streaming import minimum, reduction
from mincli.streaming.origins import Origins
from mincli.streaming.plan import Limits
from mincli.tensors import create_tensor, open_tensor
from tests import files
from tests.arrays import random_array

KIB, MIB = 1 << 10, 1 << 20
LIMITS = Limits(1, 512 * KIB)
OBJECTS = 64 * KIB
"""What Python's own objects may take besides the buffers."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder whose files are deleted at once: pytest would keep them."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for path in tmp_path.iterdir():
        path.unlink()


def traced(work):
    """Return the greatest number of bytes that were allocated at once."""
    work()  # what is imported or cached stays
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("origins", [False, True], ids=["", "origins"])
@pytest.mark.parametrize("count", [1, 2, 9, 20])
@pytest.mark.parametrize(
    ("name", "nan"),
    [("double", True), ("float16", True), ("float16", False), ("bfloat16", True), ("int8", False)],
)
def test_a_minimum_keeps_the_limit(folder, name, nan, count, origins):
    element, tensors = BY_NAME[name], []
    shape = (128, 2048 // element.itemsize)
    for number in range(count):
        path = folder / f"{number}.npy"
        array = random_array(number, shape, element, nan=nan)
        path.write_bytes(files.array_npy(array, element, order="CF"[number % 2]))
        tensors.append(open_tensor(path.name))

    def work():
        plan = minimum.make_plan(tensors, shape, LIMITS)
        with create_tensor("out.npy", element, shape) as target:
            minimum.minimum(tensors, target, plan, origins=Origins(count) if origins else None)

    assert traced(work) <= LIMITS.memory + OBJECTS
    for tensor in tensors:
        tensor.close()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", ["square", "tall", "wide"])
@pytest.mark.parametrize(("name", "nan"), [("double", True), ("float16", True), ("float16", False), ("int8", False)])
def test_a_reduction_keeps_the_limit(folder, name, nan, shape, order):
    element = BY_NAME[name]
    elements = MIB // element.itemsize
    shape = {"square": (1024, elements // 1024), "tall": (elements // 4, 4), "wide": (4, elements // 4)}[shape]
    array = random_array(1, shape, element, nan=nan)
    (folder / "a.npy").write_bytes(files.array_npy(array, element, order=order))
    with open_tensor("a.npy") as tensor:
        for axes, reduced in [((0,), (1, shape[1])), ((1,), (shape[0], 1)), ((0, 1), (1, 1)), ((), shape)]:

            def work(axes=axes, reduced=reduced):
                plan = reduction.make_plan(tensor, axes, LIMITS)
                with create_tensor("out.npy", element, reduced) as target:
                    reduction.reduce_min(tensor, target, plan, origins=Origins(0))

            assert traced(work) <= LIMITS.memory + OBJECTS


# A process starts with the peak of the one that started it, so a small one comes between pytest and mincli.
MEASURE = """
import resource, subprocess, sys
code = subprocess.call([sys.executable, "-m", "mincli", *sys.argv[1:]])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_maxrss, used.ru_minflt)
"""


def measured(*arguments):
    """Run mincli and return its peak resident memory in KiB, and how many pages it was given."""
    command = [sys.executable, "-c", MEASURE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    code, kib, pages = done.stdout.split()
    assert (code, done.stderr) == ("0", "")
    return int(kib), int(pages)


def peak_mib(*arguments):
    """Run mincli and return its peak resident memory in MiB."""
    return measured(*arguments)[0] / 1024


def test_what_one_block_frees_is_there_for_the_next(folder):
    small, large = np.ones((16, 16), "f4"), np.ones((1 << 20, 16), "f4")
    pages = []
    for array in (small, large):
        np.save("a.npy", array)
        pages.append(measured("reduce-min", "a.npy", "--axes", "1", "-j", "1", "-o", "out.npy")[1])
    assert pages[1] - pages[0] < 4096  # 16 MiB; given back and mapped anew it would be over 100 MiB


@pytest.mark.long
@pytest.mark.parametrize("size", [256 * MIB, 1024 * MIB], ids=["256-MiB", "1-GiB"])
def test_minimum_of_large_files(folder, size):
    rows, columns = size // (4 * MIB), MIB
    header = files.npy(files.header("<f4", (rows, columns)))
    lesser = [np.random.default_rng(row).random(columns, "f4") for row in range(8)]

    def low(row):
        """Return the lesser elements of a row, known before any minimum is taken."""
        return lesser[row % 8] - np.float32(row)

    first_is_low = np.random.default_rng(99).random(columns) < 0.5
    with open("a.npy", "wb") as a, open("b.npy", "wb") as b:
        for stream in (a, b):
            stream.write(header)
        for row in range(rows):
            a.write(np.where(first_is_low, low(row), low(row) + 1).tobytes())
            b.write(np.where(first_is_low, low(row) + 1, low(row)).tobytes())

    assert peak_mib("min", "a.npy", "b.npy", "-o", "out.npy") < 64
    with open("out.npy", "rb") as out:
        assert np.lib.format.read_magic(out) == (1, 0)
        assert np.lib.format.read_array_header_1_0(out) == ((rows, columns), False, np.dtype("<f4"))
        for row in range(rows):
            assert out.read(4 * columns) == low(row).tobytes()
        assert out.read() == b""


@pytest.mark.long
def test_reduction_of_a_large_file(folder):
    """bfloat16 in Fortran order, all at least 1 but for one negative element in each row and each column."""
    side = 8192
    column_of = np.random.default_rng(1).permutation(side)
    row_of = np.argsort(column_of)
    planted = 0xC000 + np.arange(side)  # patterns of negative numbers, the least of them last
    with open("a.npy", "wb") as stream:
        stream.write(files.npy(files.header("<V2", (side, side), fortran=True)))
        for column in range(side):
            patterns = np.random.default_rng(column).integers(0x3F80, 0x7F80, side, "u2")
            patterns[row_of[column]] = planted[row_of[column]]
            stream.write(patterns.tobytes())

    for axes, shape, patterns in [
        (["--axes", "0"], (1, side), planted[row_of]),
        (["--axes", "1"], (side, 1), planted),
        ([], (1, 1), [planted[-1]]),
    ]:
        assert peak_mib("reduce-min", "a.npy", *axes, "-o", "out.npy") < 64
        assert files.content("out.npy") == ("bfloat16", shape, list(patterns))
