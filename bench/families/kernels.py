"""Kernels in memory, on arrays of 64 MiB, with the output given: one thread, and all."""

import os
from collections.abc import Iterator

from bench.case import ELEMENTS, MIB, PATTERNS, Case, minimum, reduction
from bench.in_memory import Job, race_all
from bench.record import Record
from bench.rounds import QUICK, Effort
from mincli.errors import counted

EFFORT = Effort(3, 9, 1)

PEERS = ("numpy", "torch", "onnxruntime")
SIZE = 64 * MIB

UNUSUAL = (minimum("float16", 2, SIZE), minimum("float32", 2, SIZE), reduction(PATTERNS[1], "float32", SIZE))
"""Zeros and NaNs may cost a second look. These cases do not count for the bars (see `report.bars.counted`)."""

CASES: list[tuple[str, Case]] = [
    *(("minimum", minimum(element, count, SIZE)) for element in ELEMENTS for count in (2, 8)),
    *(
        ("reduction", reduction(pattern, element, SIZE))
        for element in ("float32", "int8", "float16", "int64")
        for pattern in PATTERNS
    ),
    *(("unusual values", case._replace(values=special)) for case in UNUSUAL for special in ("ReLU", "NaN")),
]
"""Table of the report, and case; each is measured with one thread and with all."""

FEW = [
    ("minimum", minimum("float32", 2, SIZE)),
    ("minimum", minimum("bfloat16", 2, SIZE)),
    ("reduction", reduction(((-1, 4), (1,)), "float32", SIZE)),
    ("reduction", reduction(((-1, 512, 64), (0, 1)), "int8", SIZE)),
]


def measure(quick: bool) -> Iterator[Record]:
    """Measure all cases, or a few."""
    jobs = [
        Job(f"{group}, {counted(threads, 'thread')}", case, threads)
        for group, case in (FEW if quick else CASES)
        for threads in sorted({1, len(os.sched_getaffinity(0))})
    ]
    return race_all("kernels", jobs, PEERS, QUICK if quick else EFFORT)
