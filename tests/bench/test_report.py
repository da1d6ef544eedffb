"""The page, the bars and the plots."""

import json
from inspect import cleandoc

import pytest

from bench.checks import BLOCKS, CHECKER, DISTINCT
from bench.record import load
from bench.report.bars import BARS, at_least, at_most
from bench.report.markdown import page
from bench.report.plots import draw
from bench.report.tables import duration, number, table
from tests.bench.records import record, results

ABOUT = {
    "machine": {"CPU": "a | b"},
    "versions": {"Python": "3.11.0", "torch": "not installed"},
    "run": {"date": "2024-02-29 12:00 UTC", "minutes": 1.5, "quick": False},
}
RECORDS = [
    {
        "family": "files",
        "group": "min",
        "name": "2 x 256 MiB float32",
        "read": 512 << 20,
        "written": 256 << 20,
        "outcome": {
            "samples": {
                "mincli": [[0.5, 30 << 20], [0.4, 31 << 20], [0.6, 30 << 20]],
                "cat": [[0.4, 0], [0.4, 0], [0.4, 0]],
                "numpy": [[1.0, 800 << 20], [1.0, 801 << 20], [1.0, 800 << 20]],
            },
            "left_out": {"torch": "not installed"},
            "differs": {},
        },
    },
    {
        "family": "kernels",
        "group": "minimum, 1 thread",
        "name": "2 x 64 MiB int8",
        "read": 128 << 20,
        "written": 64 << 20,
        "outcome": {
            "samples": {"mincli": [[0.02, 0]], "numpy": [[0.06, 0]], "onnxruntime": [[0.01, 0]]},
            "left_out": {"torch": "not installed"},
            "differs": {"onnxruntime": "1 of 67108864 elements"},
        },
    },
]


def part(text, start, end):
    """Return what stands between two lines."""
    return text.partition(f"{start}\n")[2].partition(f"\n{end}")[0].strip()


@pytest.fixture
def text(tmp_path):
    """The page of a hand-made JSON file."""
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"about": ABOUT, "records": RECORDS}))
    return page(load(path), {"files": "benchmarks/files.svg"})


def test_head(text):
    assert part(text, "# Benchmarks", "## What") == cleandoc(
        """
        Measured by `python -m bench` on 2024-02-29 12:00 UTC, in 1.5 minutes. \
        mincli and its peers ran in turns, after a run of each to warm up; \
        a ratio is the median of the ratios of the rounds. \
        Their results were compared: values, where NaN equals NaN and -0 equals +0.

        | machine |  |
        |---|---|
        | CPU | a \\| b |

        | version of |  |
        |---|---|
        | Python | 3.11.0 |
        | torch | not installed |
        """
    ).replace(" " * 8, "")


def test_files(text):
    assert part(text, "### min", "## Kernels") == cleandoc(
        """
        | case | mincli | cat | numpy |
        |---|---|---|---|
        | 2 x 256 MiB float32 | 500 ms, 1.61 GB/s | **1.25** (1.12 to 1.38) 400 ms | **0.500** (0.450 to 0.550) 1.00 s |

        Peak of resident memory in MiB:

        | case | mincli | numpy |
        |---|---|---|
        | 2 x 256 MiB float32 | 31 | 801 |
        """
    )


def test_kernels(text):
    assert part(text, "No plot: matplotlib is not installed.", "## Left out") == cleandoc(
        """
        | peer | threads | cases | times as fast, mean | worst | cases where the peer is faster |
        |---|---|---|---|---|---|
        | numpy | 1 thread | 1 | 3.00 | 3.00 | 0 |
        | onnxruntime | 1 thread | 1 | 0.500 | 0.500 | 1 |

        Where a peer is faster, worst first:

        | case | peer | mincli is times as fast |
        |---|---|---|
        | minimum, 1 thread: 2 x 64 MiB int8 | onnxruntime | 0.500 |

        ### minimum, 1 thread

        | case | mincli | numpy | onnxruntime |
        |---|---|---|---|
        | 2 x 64 MiB int8 | 20.0 ms, 10.1 GB/s | **3.00** (3.00 to 3.00) 60.0 ms | **0.500** (0.500 to 0.500) 10.0 ms |
        """
    )


def test_exceptions(text):
    assert part(text, "## Left out", "## none") == cleandoc(
        """
        | who | why | where |
        |---|---|---|
        | torch | not installed | min: 2 x 256 MiB float32; minimum, 1 thread: 2 x 64 MiB int8 |

        ## Other results than mincli's

        | who | why | where |
        |---|---|---|
        | onnxruntime | 1 of 67108864 elements | minimum, 1 thread: 2 x 64 MiB int8 |
        """
    )


def test_bars(text):
    rows = part(text, "## What has to be reached", "## Files").splitlines()
    assert rows[:3] == [
        "| what | bar | measured | on |  | floor |",
        "|---|---|---|---|---|---|",
        "| 2 x 256 MiB float32 `min` against `cat` | at most 1.5 | 1.25 | 2 x 256 MiB float32 | met |  |",
    ]
    assert rows[2 + len(BARS) :][0] == ""
    assert rows[-1].startswith("The floor is ")
    assert (
        "| kernels, 1 thread: times as fast as onnxruntime, mean | at least 1.2 | 0.500 | 1 cases | **not met** |  |"
        in rows
    )
    assert "| 1000 inputs against 2, per byte | at most 1.5 |  |  | not measured |  |" in rows


def bar(start):
    (found,) = (bar for bar in BARS if bar.what.startswith(start))
    return found


def test_a_bar_is_met_at_its_limit():
    assert [at_most("", 2, None).met(value) for value in (1.9, 2, 2.1)] == [True, True, False]
    assert [at_least("", 2, None).met(value) for value in (1.9, 2, 2.1)] == [False, True, True]


def test_the_worst_of_a_group_counts():
    group = "reduce-min of 1 GiB"
    found = bar("`reduce-min` of 1 GiB against NumPy, worst").measure(
        results(
            record("files", group, "a", mincli=[1.0], numpy=[4.0]),
            record("files", group, "b", mincli=[1.0], numpy=[2.0]),
            record("files", "reduce-min", "c", mincli=[1.0], numpy=[1.0]),
        )
    )
    assert found == (0.5, "b", None)


def test_the_floor_is_the_start_of_numpy_and_the_copy():
    found = bar("2 x 256 MiB float32 `min` against NumPy").measure(
        results(
            record("files", "min", "2 x 256 MiB float32", mincli=[6.0], cat=[1.0], numpy=[10.0]),
            record("start", "start", "mincli --version", mincli=[1.0], **{"import numpy": [2.0, 3.0, 9.0]}),
        )
    )
    assert found == (0.6, "2 x 256 MiB float32", 0.4)


def test_the_slowest_kernel_counts():
    found = bar("kernels, all threads: times as fast as NumPy, worst").measure(
        results(
            record("kernels", "minimum, 1 thread", "a", mincli=[4.0], numpy=[1.0]),
            record("kernels", "minimum, 2 threads", "b", mincli=[1.0], numpy=[2.0]),
            record("kernels", "reduction, 2 threads", "c", mincli=[1.0], numpy=[3.0]),
        )
    )
    assert found == (2.0, "minimum, 2 threads: b", None)


def test_kernels_on_unusual_values_do_not_count():
    given = results(
        record("kernels", "minimum, 1 thread", "a", mincli=[1.0], numpy=[2.0]),
        record("kernels", "unusual values, 1 thread", "a, NaN", mincli=[4.0], numpy=[1.0]),
    )
    assert bar("kernels, 1 thread: times as fast as NumPy, worst").measure(given) == (2.0, "minimum, 1 thread: a", None)
    written = page(given, {})
    assert "| numpy | 1 thread | 1 | 2.00 | 2.00 | 0 |" in written
    assert "| a, NaN | 4.00 s | **0.250** (0.250 to 0.250) 1.00 s |" in part(
        written, "### unusual values, 1 thread", "#"
    )


def test_memory_must_not_grow():
    found = bar("peak memory at 4 GiB").measure(
        results(
            record("growth", "min by size", "64 MiB", mincli=[1.0]),
            record("growth", "min by size", "4 GiB", mincli=[1.0] * 3),
        )
    )
    assert found == (3.0, "min by size", None)


def test_time_per_byte():
    found = bar("1000 inputs against 2, per").measure(
        results(
            record("growth", "min by inputs", "2 x 1 MiB", read=2, written=1, mincli=[1.0]),
            record("growth", "min by inputs", "1000 x 1 MiB", read=1000, written=1, mincli=[1001.0]),
        )
    )
    assert found == (3.0, "1000 x 1 MiB and 2 x 1 MiB", None)


def test_time_per_node():
    found = bar("`check_model`, time per node").measure(
        results(
            record("lint", BLOCKS, "1000 nodes", mincli=[1.0]),
            record("lint", BLOCKS, "3000 nodes", mincli=[6.0]),
            record("lint", DISTINCT, "1000 nodes", mincli=[1.0]),
            record("lint", DISTINCT, "3000 nodes", mincli=[3.0]),
        )
    )
    assert found == (2.0, "blocks of five nodes: 3000 nodes and 1000 nodes", None)


def test_the_memory_of_checked_models_is_not_told():
    written = page(results(record("lint", BLOCKS, "1000 nodes", mincli=[1.0], **{CHECKER: [2.0]})), {})
    assert part(written, f"### {BLOCKS}", "none") == cleandoc(
        """
        | case | mincli | onnx.checker |
        |---|---|---|
        | 1000 nodes | 1.00 s | **0.500** (0.500 to 0.500) 2.00 s |
        """
    )


def test_a_failure_of_mincli_is_no_measurement():
    found = results(record("files", "min", "2 x 256 MiB float32", left_out={"mincli": "it broke"}))
    assert all(bar.measure(found) is None for bar in BARS)
    assert "| mincli | it broke | min: 2 x 256 MiB float32 |" in page(found, {})


@pytest.mark.parametrize(
    ("value", "text"), [(0.01234, "0.0123"), (0.9994, "0.999"), (99.96, "100.0"), (1234.5, "1234")]
)
def test_numbers(value, text):
    assert number(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.0000123, "0.0123 ms"), (0.999, "999 ms"), (61.0, "61.0 s")])
def test_durations(value, text):
    assert duration(value) == text


def test_cells_are_escaped():
    assert table(["a|b"], [["c"]]) == "| a\\|b |\n|---|\n| c |"


def test_plots(tmp_path):
    pytest.importorskip("matplotlib")
    one = {"mincli": [1.0, 1.1], "numpy": [2.0, 2.1]}
    given = results(
        record("files", "min", "a", **one, cat=[0.5, 0.6]),
        record("kernels", "minimum, 1 thread", "a", **one),
        record("kernels", "minimum, 2 threads", "a", **one),
        record("start", "start", "mincli --help", mincli=[1.0], **{"import click": [1.0]}),
        record("growth", "min by size", "1 MiB", **one),
        record("growth", "reduce-min by size", "1 MiB", **one),
        record("lint", BLOCKS, "1000 nodes", mincli=[1.0], **{CHECKER: [1.0]}),
        record("lint", DISTINCT, "1000 nodes", mincli=[1.0], **{CHECKER: [1.0]}),
    )
    drawn = draw(given, tmp_path)
    assert drawn == {family: tmp_path / f"{family}.svg" for family in ("files", "kernels", "start", "growth", "lint")}
    for path in drawn.values():
        assert "<svg" in path.read_text()
    again = {family: path.read_bytes() for family, path in drawn.items()}
    assert {family: path.read_bytes() for family, path in draw(given, tmp_path).items()} == again


def test_no_plots_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setattr("bench.report.plots.find_spec", lambda name: None)
    assert draw(results(record("files", "min", "a", mincli=[1.0])), tmp_path) == {}
