"""The command line."""

import subprocess
import sys

import pytest

from bench import ROOT
from bench.__main__ import main
from bench.record import load, save
from tests.bench.records import record, results


def test_the_measuring_process_imports_nothing_large():
    program = "import sys, bench.__main__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    large = {"numpy", "onnx", "torch", "onnxruntime", "dask", "matplotlib", "psutil", "click"}
    assert not large & set(done.stdout.split())


def test_report_only(tmp_path, capsys):
    given = results(record("files", "min", "a", mincli=[1.0], numpy=[2.0]))
    save(given, tmp_path / "earlier.json")
    out = tmp_path / "new" / "report"
    assert main(["--report-only", str(tmp_path / "earlier.json"), "--out", str(out)]) == 0
    assert load(out / "results.json") == given
    assert "| a | 1.00 s | **0.500** (0.500 to 0.500) 2.00 s |" in (tmp_path / "new" / "report.md").read_text()
    assert capsys.readouterr().out.splitlines()[0] == str(tmp_path / "new" / "report.md")


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [([], "docs"), (["--quick"], "build"), (["--family", "start"], "build")],
)
def test_only_a_full_run_goes_to_the_documentation(arguments, folder, tmp_path, monkeypatch):
    monkeypatch.setattr("bench.__main__.ROOT", tmp_path)
    monkeypatch.setattr("bench.__main__.measure", lambda families, quick: results())
    assert main(arguments) == 0
    assert (tmp_path / folder / "benchmarks" / "results.json").exists()
    assert (tmp_path / folder / "benchmarks.md").exists()


def test_a_report_is_written_again_where_it_was(tmp_path):
    (tmp_path / "earlier").mkdir()
    save(results(), tmp_path / "earlier" / "results.json")
    assert main(["--report-only", str(tmp_path / "earlier" / "results.json")]) == 0
    assert (tmp_path / "earlier.md").exists()


def test_an_interrupt_writes_nothing(tmp_path, monkeypatch, capsys):
    def interrupted(families, *, quick):
        assert (families, quick) == (["start", "files"], True)
        raise KeyboardInterrupt

    monkeypatch.setattr("bench.__main__.measure", interrupted)
    assert main(["--family", "start", "--family", "files", "--quick", "--out", str(tmp_path / "out")]) == 130
    assert list(tmp_path.rglob("*.*")) == []
    assert capsys.readouterr().err == "interrupted; nothing was written\n"


@pytest.mark.long
def test_a_quick_run(tmp_path):
    command = [sys.executable, "-m", "bench", "--quick", "--family", "start", "--out", str(tmp_path / "out")]
    subprocess.run(command, cwd=ROOT, check=True)
    found = load(tmp_path / "out" / "results.json")
    assert found.about["run"]["quick"] is True
    assert [entry.name for entry in found.records][:2] == ["mincli --version", "mincli --help"]
    assert all("import click" in entry.peers for entry in found.records)
    assert "### start" in (tmp_path / "out.md").read_text()
