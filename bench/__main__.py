"""The command line: `python -m bench --help`."""

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

from bench import ROOT
from bench.case import GIB
from bench.families import FAMILIES
from bench.process import ENVIRONMENT
from bench.record import Record, Results, load, save
from bench.report import write
from bench.report.tables import duration
from bench.stats import seconds, speed

_DISK = 12 * GIB


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and write the report; return an exit code."""
    options = _parser().parse_args(arguments)
    if options.report_only:
        out = options.out or options.report_only.resolve().parent
        results = load(options.report_only)
    else:
        whole = not options.quick and not options.family
        out = options.out or ROOT / ("docs" if whole else "build") / "benchmarks"
        try:
            results = measure(options.family or list(FAMILIES), quick=options.quick)
        except KeyboardInterrupt:
            print("interrupted; nothing was written", file=sys.stderr)
            return 130
    out = out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    save(results, out / "results.json")
    for path in write(results, out):
        print(path)
    return 0


def measure(families: Sequence[str], *, quick: bool) -> Results:
    """Measure families in a temporary folder."""
    started = time.time()
    about = json.loads(subprocess.check_output([sys.executable, "-m", "bench.machine"], cwd=ROOT))
    records = []
    with tempfile.TemporaryDirectory(prefix="mincli-bench-") as folder, chdir(folder):
        ENVIRONMENT["TMPDIR"] = folder  # peers leave things there
        free = shutil.disk_usage(folder).free
        if free < _DISK and not quick:
            print(f"only {free / GIB:.1f} GiB are free in {folder}: set TMPDIR to where 12 GiB are", file=sys.stderr)
        for family in families:
            for record in FAMILIES[family](quick):
                records.append(record)
                print(_line(record), file=sys.stderr)
    about["run"] = {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(started)),
        "minutes": round((time.time() - started) / 60, 1),
        "quick": quick,
    }
    return Results(about, records)


def _line(record: Record) -> str:
    own = duration(seconds(record, "mincli")) if "mincli" in record.outcome.samples else "left out"
    others = "".join(f", {speed(record, peer).median:.2f} times as fast as {peer}" for peer in record.peers)
    return f"{record.group}: {record.name}: {own}{others}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure mincli beside its peers.")
    parser.add_argument("--family", nargs="+", action="extend", choices=FAMILIES, help="what to measure (default: all)")
    parser.add_argument("--quick", action="store_true", help="few small cases: a minute instead of some twenty")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="for results.json and plots; the tables go to FOLDER.md (default: docs/benchmarks for a full run,"
        " build/benchmarks for part of it, the place of the JSON file for --report-only)",
    )
    parser.add_argument("--report-only", type=Path, metavar="JSON", help="write the report of an earlier run again")
    return parser


def _end(number: int, frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)
    sys.exit(main())
