"""Whole processes, from files to a file, in a warm page cache."""

from collections.abc import Iterator

from bench.case import GIB, KIB, MIB, PATTERNS, Case, broadcast, minimum, reduction
from bench.on_files import race
from bench.record import Record
from bench.rounds import QUICK, Effort

EFFORT = Effort(3, 7, 3)

ALL = ("cat", "numpy", "torch", "onnxruntime", "dask")
NEAREST = ("cat", "numpy")

LARGE = 256 * MIB

CASES: list[tuple[str, Case, tuple[str, ...]]] = [
    ("min", minimum("float32", 2, KIB), ALL),
    ("min", minimum("float32", 3, KIB), NEAREST),
    ("min", minimum("float32", 8, KIB), NEAREST),
    ("min", minimum("float32", 2, MIB), ALL),
    ("min", minimum("float32", 3, MIB), NEAREST),
    ("min", minimum("float32", 8, MIB), NEAREST),
    ("min", minimum("float32", 2, LARGE), ALL),
    ("min", minimum("float32", 3, LARGE), NEAREST),
    ("min", minimum("float32", 8, LARGE), ALL),
    ("min", broadcast("float32", LARGE, "row"), NEAREST),
    ("min", broadcast("float32", LARGE, "column"), NEAREST),
    ("min", broadcast("float32", LARGE, "scalar"), NEAREST),
    ("min", minimum("float32", 2, LARGE, "FF"), NEAREST),
    ("min", minimum("float32", 2, LARGE, "CF"), NEAREST),
    ("min", minimum("float32", 2, LARGE, "SS"), NEAREST),
    ("min", minimum("float16", 2, LARGE), ALL),
    ("min", minimum("bfloat16", 2, LARGE), ALL),
    ("min", minimum("int8", 2, LARGE), ALL),
    ("min", minimum("float32", 2, GIB), NEAREST),
    *(("reduce-min", reduction(pattern, "float32", LARGE), ALL) for pattern in PATTERNS),
    ("reduce-min", reduction(((-1, 4096), (0,)), "float32", LARGE, "F"), NEAREST),
    ("reduce-min", reduction(((-1, 4096), (1,)), "float32", LARGE, "S"), NEAREST),
    ("reduce-min", reduction(((-1, 4096), (1,)), "float16", LARGE), NEAREST),
    ("reduce-min", reduction(((-1, 16), (1,)), "int8", LARGE), NEAREST),
    *(("reduce-min of 1 GiB", reduction(pattern, "float32", GIB), NEAREST) for pattern in PATTERNS),
]
"""Table of the report, case, and peers."""

FEW: list[tuple[str, Case, tuple[str, ...]]] = [
    ("min", minimum("float32", 2, KIB), NEAREST),
    ("min", minimum("float32", 2, 16 * MIB), ALL),
    ("min", minimum("bfloat16", 2, 16 * MIB), NEAREST),
    ("reduce-min", reduction(((-1, 4), (1,)), "float32", 16 * MIB), ALL),
]


def measure(quick: bool) -> Iterator[Record]:
    """Measure all cases, or a few."""
    for group, case, peers in FEW if quick else CASES:
        yield race("files", group, case, peers, QUICK if quick else EFFORT)
