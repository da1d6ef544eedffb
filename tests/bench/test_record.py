"""Records in JSON."""

import json

from bench.record import load, save
from tests.bench.records import record, results


def test_results_go_through_a_file(tmp_path):
    given = results(
        record("files", "min", "a", mincli=[1, 2.5], numpy=[3, 4], left_out={"torch": "not installed"}),
        record("kernels", "minimum, 1 thread", "b", differs={"numpy": "1 of 2 elements"}),
    )
    save(given, tmp_path / "results.json")
    assert load(tmp_path / "results.json") == given
    assert len((tmp_path / "results.json").read_text().splitlines()[-4:]) == 4
    assert json.loads((tmp_path / "results.json").read_text())["records"][0]["outcome"]["samples"]["mincli"] == [
        [1, 1 << 20],
        [2.5, 2 << 20],
    ]


def test_peers():
    assert record("files", "min", "a", mincli=[1], numpy=[1]).peers == ["numpy"]
    assert record("files", "min", "a", numpy=[1]).peers == []


def test_records_of_a_family():
    found = results(record("files", "g", "a"), record("start", "g", "b"), record("files", "g", "c")).of("files")
    assert [entry.name for entry in found] == ["a", "c"]
