"""A cold start is paid only for what is used: which heavy modules each command imports."""

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from safetensors.numpy import save_file

from tests.cli.runner import spawn
from tests.models.graphs import MARGIN, proto

HEAVY = {"numpy", "onnx", "ml_dtypes", "google.protobuf", "rich", "json", "tempfile", "zipfile"}

PROGRAM = """
import sys
from pathlib import Path
from mincli.cli.group import run
code = run(sys.argv[1:])
Path("modules").write_text("\\n".join(sys.modules))
sys.exit(code)
"""


@pytest.fixture
def files(arrays):
    values = np.array([[3, 3, 3]], "f4")
    np.savez("x.npz", values)
    onnx.save_tensor(numpy_helper.from_array(values), "x.pb")
    save_file({"w": values}, "x.safetensors")
    onnx.save(proto(MARGIN), "m.onnx")


@pytest.mark.parametrize(
    ("arguments", "code", "allowed"),
    [
        pytest.param("--help", 0, set(), id="help"),
        pytest.param("--version", 0, set(), id="version"),
        pytest.param("min --help", 0, set(), id="min-help"),
        pytest.param("reduce-min --help", 0, set(), id="reduce-min-help"),
        pytest.param("run-model --help", 0, set(), id="run-model-help"),
        pytest.param("schema --help", 0, set(), id="schema-help"),
        pytest.param("schema", 2, set(), id="schema-usage-error"),
        pytest.param("schema Minimum --spec onednn", 0, {"json"}, id="schema-of-onednn"),
        pytest.param("run-model m.onnx --seed 1", 2, set(), id="run-model-usage-error"),
        pytest.param("check-schema --help", 0, set(), id="check-schema-help"),
        pytest.param("check-schema m.onnx --opset 8", 2, set(), id="check-schema-usage-error"),
        pytest.param("check-schema --explain MC201", 0, set(), id="check-schema-explain"),
        pytest.param("check-schema --op Min a.npy", 0, {"numpy", "json"}, id="check-schema-arrays"),
        pytest.param("min --nonsense", 2, set(), id="usage-error"),
        pytest.param("min a.npy b.npy -o out.npy", 0, {"numpy"}, id="min"),
        pytest.param("min a.npy b.npy", 0, {"numpy"}, id="min-as-text"),
        pytest.param("min a.npy row.npy -v -o out.npy", 0, {"numpy"}, id="min-with-summary"),
        pytest.param("min a.npy row.npy --dry-run", 0, {"numpy"}, id="min-dry-run"),
        pytest.param("reduce-min a.npy --axes 0 -o out.npy", 0, {"numpy"}, id="reduce-min"),
        pytest.param("reduce-min a.npy", 0, {"numpy"}, id="reduce-min-as-text"),
        pytest.param("min missing.npy", 3, {"numpy"}, id="refused-input"),
        pytest.param("min a.npy --json", 0, {"numpy", "json"}, id="json"),
        pytest.param("min a.npy -o -", 0, {"numpy", "tempfile"}, id="npy-on-stdout"),
        pytest.param("min - -o out.npy", 0, {"numpy", "tempfile"}, id="stdin"),
        pytest.param("min a.npy x.npz -o out.npy", 0, {"numpy", "tempfile", "zipfile"}, id="npz"),
        pytest.param("min a.npy x.safetensors -o out.npy", 0, {"numpy", "json"}, id="safetensors"),
        pytest.param("min a.npy x.pb -o out.npy", 0, {"numpy"}, id="pb-input"),
        pytest.param("min a.npy -o out.pb", 0, {"numpy"}, id="pb-output"),
    ],
)
def test_heavy_modules(arguments, code, allowed, files):
    with open("a.npy", "rb") as stdin:
        assert spawn(*arguments.split(), program=("-c", PROGRAM), stdin=stdin.read()).code == code
    with open("modules") as modules:
        assert HEAVY & set(modules.read().splitlines()) <= allowed


def test_the_package_itself_imports_nothing_heavy():
    program = "import sys, mincli, mincli.errors; print(*sys.modules, sep='\\n')"
    code, modules, stderr = spawn(program=("-c", program))
    assert (code, stderr) == (0, "")
    assert "mincli.errors" in modules.decode().splitlines()
    assert not HEAVY & set(modules.decode().splitlines())


def test_nothing_that_takes_time_comes_before_signals_are_handled():
    program = """
import sys
from mincli.cli import interrupts, main
interrupts.listen = lambda: sys.exit("\\n".join(sys.modules))
main.main()
"""
    code, stdout, modules = spawn(program=("-c", program))
    assert (code, stdout) == (1, b"")
    imported = set(modules.splitlines())
    assert {name for name in imported if name.startswith("mincli")} == {
        "mincli",
        "mincli.cli",
        "mincli.cli.interrupts",
        "mincli.cli.main",
    }
    assert not {"click", *HEAVY} & imported
