"""The families: their cases fit the disk, are told apart by name, and are those that the bars ask for."""

from collections import Counter

import pytest

from bench.case import GIB, MIB, PATTERNS
from bench.checks import BLOCKS, CHECKER, DISTINCT
from bench.families import FAMILIES, files, growth, kernels, lint, start
from bench.in_memory import Job
from bench.on_files import race
from bench.report.bars import BARS
from bench.report.markdown import INTRODUCTIONS
from bench.report.plots import _FIGURES
from bench.rounds import Effort
from tests.bench.records import record, results

DISK = 12 * GIB


def on_files():
    """Yield family, table, name, case and peers of all cases on files, as the families measure them."""
    for group, case, peers in files.CASES:
        yield "files", group, case.name, case, peers
    for group, name, case in growth.cases(False):
        yield "growth", group, name, case, ("cat", "numpy") if case.read <= growth.LARGEST_FOR_NUMPY else ("cat",)


def everything():
    """Return results of a run that measured every case."""
    times = {"mincli": [1.0], "cat": [1.0], "numpy": [1.0], "torch": [1.0], "onnxruntime": [1.0], "dask": [1.0]}
    found = [
        record(family, group, name, **{peer: times[peer] for peer in ("mincli", *peers)})
        for family, group, name, _, peers in on_files()
    ]
    for group, case in kernels.CASES:
        for threads in ("1 thread", "2 threads"):
            peers = ("mincli", *kernels.PEERS)
            found.append(record("kernels", f"{group}, {threads}", case.name, **{peer: times[peer] for peer in peers}))
    bare = {program: [1.0] for program in start.BARE}
    found += [record("start", "start", name, mincli=[1.0], **bare) for name in start.COMMANDS]
    for kind in (BLOCKS, DISTINCT):
        found += [record("lint", kind, f"{count} nodes", mincli=[1.0], **{CHECKER: [1.0]}) for count in lint.COUNTS]
    return results(*found)


def test_every_family_has_an_introduction_and_a_plot():
    assert list(FAMILIES) == list(INTRODUCTIONS) == list(_FIGURES)


def test_no_two_cases_have_the_same_name():
    names = Counter((entry.family, entry.group, entry.name) for entry in everything().records)
    assert set(names.values()) == {1}


@pytest.mark.parametrize("bar", BARS, ids=lambda bar: bar.what)
def test_every_bar_finds_what_it_is_measured_on(bar):
    assert bar.measure(everything()) is not None


def test_files_fit_the_disk():
    """Inputs, the output, and the output that others are compared with."""
    assert max(case.read + 2 * case.written for *_, case, _ in on_files()) <= DISK


def test_growth():
    assert [size // MIB for size in growth.SIZES] == [1, 4, 16, 64, 256, 1024, 4096]
    for group, name, case in growth.cases(False):
        if name.endswith("iB") and "x" not in name:
            assert name in (f"{case.read // MIB} MiB", f"{case.read // GIB} GiB"), group


def test_every_pattern_is_measured_in_files_and_in_memory():
    for cases in (files.CASES, kernels.CASES):
        names = {(case.element, case.axes, len(case.shapes[0])) for _, case, *_ in cases}
        assert {("float32", axes, len(shape)) for shape, axes in PATTERNS} <= names


@pytest.mark.parametrize("quick", [False, True])
def test_kernels_are_measured_with_one_thread_and_with_all(quick, monkeypatch):
    jobs: list[Job] = []
    monkeypatch.setattr(kernels.os, "sched_getaffinity", lambda process: {0, 1, 2})
    monkeypatch.setattr(kernels, "race_all", lambda family, given, peers, effort: jobs.extend(given))
    kernels.measure(quick)
    cases = kernels.FEW if quick else kernels.CASES
    assert [job.case for job in jobs] == [case for _, case in cases for _ in range(2)]
    assert [(job.group, job.threads) for job in jobs[:2]] == [("minimum, 1 thread", 1), ("minimum, 3 threads", 3)]


@pytest.mark.parametrize(("quick", "counts"), [(False, [1000, 3000, 10_000, 30_000]), (True, [1000, 3000])])
def test_models_are_checked_by_size(quick, counts, monkeypatch):
    given: list[tuple[str, int]] = []
    monkeypatch.setattr(lint, "race_all", lambda family, models, effort: given.extend(models))
    lint.measure(quick)
    assert given == [(kind, count) for kind in (BLOCKS, DISTINCT) for count in counts]


def test_a_race_on_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    case = files.minimum("float32", 2, 64)
    entry = race("files", "min", case, ("cat", "numpy"), Effort(2, 2, 0))
    assert (entry.family, entry.group, entry.name, entry.read, entry.written) == ("files", "min", case.name, 128, 64)
    assert {name: len(samples) for name, samples in entry.outcome.samples.items()} == {
        "mincli": 2,
        "cat": 2,
        "numpy": 2,
    }
    assert entry.outcome[1:] == ({}, {})
    assert not (tmp_path / "out.npy").exists()
    race("files", "min", files.minimum("int8", 1, 64), (), Effort(1, 1, 0))
    assert sorted(path.name for path in tmp_path.glob("*.npy")) == ["int8-C-8x8-0.npy"]


def test_a_wrong_result_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "bench.peers.numpy.MINIMUM", "import sys, numpy as np\nnp.save(sys.argv[-1], np.zeros((4, 4), 'f4'))"
    )
    entry = race("files", "min", files.minimum("float32", 2, 64), ("numpy",), Effort(1, 1, 0))
    assert entry.outcome.differs == {"numpy": "16 of 16 elements"}
