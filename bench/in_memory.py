"""Calls in memory. They are timed in a child process, `python -m bench.in_memory`, which imports the peers."""

import sys
import time
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.case import Case
from bench.children import records
from bench.peers import PEERS, missing
from bench.record import Record, to_json
from bench.rounds import Effort, Sample, alternate, reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PAUSE = 0.1
"""Seconds before each call: after a call of theirs the threads of onnxruntime spin for tens of milliseconds."""


class Job(NamedTuple):
    """A table of the report, a case in it, and the threads to use."""

    group: str
    case: Case
    threads: int


def race_all(family: str, jobs: Sequence[Job], peers: Sequence[str], effort: Effort) -> Iterator[Record]:
    """Measure mincli and its peers on each job, in a process of their own."""
    plain = [(job.group, tuple(job.case), job.threads) for job in jobs]
    return records("bench.in_memory", (family, plain, tuple(peers), tuple(effort)))


def race(family: str, job: Job, operands: "Sequence[NDArray[Any]]", peers: Sequence[str], effort: Effort) -> Record:
    """Measure mincli and its peers on one job, in this process."""
    import numpy as np

    from bench.compare import difference

    _, case, threads = job
    outs = {name: np.empty(case.shape, operands[0].dtype) for name in ("mincli", *peers)}
    contestants: dict[str, Callable[[], Sample]] = {}
    left_out = missing(peers)
    for name, out in outs.items():
        if name not in left_out:
            try:
                contestants[name] = partial(_time, PEERS[name].call(case, operands, out, threads))
            except Exception as error:  # whatever a peer raises when it has no kernel
                left_out[name] = reason(error)

    outcome = alternate(contestants, effort, lambda name: difference(outs[name], outs["mincli"]))
    outcome.left_out.update(left_out)
    return Record(family, job.group, case.name, case.read, case.written, outcome)


def _time(call: Callable[[], object]) -> Sample:
    time.sleep(_PAUSE)
    started = time.perf_counter()
    call()
    return Sample(time.perf_counter() - started)


def _main(text: str) -> None:
    from bench.operands import values

    family, jobs, peers, effort = literal_eval(text)
    arrays: dict[tuple[str, int, int, str], NDArray[Any]] = {}
    for group, plain, threads in jobs:
        case = Case(*plain)
        keys = [(case.element, prod(shape), seed, case.values) for seed, shape in enumerate(case.shapes)]
        arrays = {key: array for key, array in arrays.items() if key[:2] == keys[0][:2]}  # others will not come again
        arrays |= {key: values(*key) for key in keys if key not in arrays}
        operands = [arrays[key].reshape(shape) for key, shape in zip(keys, case.shapes, strict=True)]
        print(to_json(race(family, Job(group, case, threads), operands, peers, Effort(*effort))), flush=True)


if __name__ == "__main__":
    try:
        _main(sys.argv[1])
    except KeyboardInterrupt:
        sys.exit(130)
