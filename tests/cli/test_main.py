"""The command group: help, version, exit codes, and what becomes of errors."""

from pathlib import Path

import numpy as np
import pytest

import mincli
from mincli import jobs
from mincli.errors import ExitCode
from tests.cli.runner import run, shell, sparse, spawn

EXIT_CODES = "  Exit codes:\n" + "".join(f"{code.value:>7}  {code.meaning}\n" for code in ExitCode)


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize(
    ("command", "usage", "examples"),
    [
        pytest.param(
            [],
            "Usage: mincli [OPTIONS] COMMAND [ARGS]...\n",
            "  Example:\n    mincli min a.npy b.npy -o out.npy\n",
            id="group",
        ),
        pytest.param(
            ["min"],
            "Usage: mincli min [OPTIONS] INPUT...\n",
            "  Examples:\n"
            "    mincli min a.npy b.npy -o out.npy\n"
            "    mincli min a.npy row.npy --opset 8 --dry-run\n"
            "    mincli min a.npy b.npy -o - | mincli reduce-min -\n",
            id="min",
        ),
        pytest.param(
            ["reduce-min"],
            "Usage: mincli reduce-min [OPTIONS] INPUT\n",
            "  Examples:\n"
            "    lowest=$(mincli reduce-min x.npy)\n"
            "    mincli reduce-min x.npy --axes 0,-1 --no-keepdims -o out.npy\n"
            '    mincli reduce-min x.npy --axes "" --noop-with-empty-axes -o copy.npy\n',
            id="reduce-min",
        ),
        pytest.param(
            ["run-model"],
            "Usage: mincli run-model [OPTIONS] MODEL [INPUT]...\n",
            "  Examples:\n"
            "    mincli run-model model.onnx x.npy mask=m.npy -o outputs\n"
            "    mincli run-model model.onnx --test-data .\n"
            "    mincli run-model model.onnx --random --dim batch=2 --compare onnxruntime\n"
            "    mincli run-model model.onnx x.npy --fail-on-nan --stats\n",
            id="run-model",
        ),
        pytest.param(
            ["schema"],
            "Usage: mincli schema [OPTIONS] OP\n",
            "  Examples:\n"
            "    mincli schema ReduceMin --opset 13\n"
            "    mincli schema ReduceMin --opset 18 --diff 13\n"
            "    mincli schema Min --lang zh-TW\n"
            "    mincli schema Minimum --spec onednn --json\n",
            id="schema",
        ),
    ],
)
def test_help_shows_examples(command, option, usage, examples):
    outcome = run(*command, option)
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.text.startswith(usage)
    assert examples in outcome.text


def test_help_ends_with_the_exit_codes():
    assert run("--help").text.endswith(EXIT_CODES)


def test_no_command_shows_the_help_as_an_error():
    outcome = run()
    assert (outcome.code, outcome.stdout) == (2, b"")
    assert outcome.stderr.rstrip("\n") == run("--help").text.rstrip("\n")


def test_version():
    assert run("--version") == (0, f"mincli {mincli.__version__}\n".encode(), "")


def test_python_m_is_the_command():
    assert spawn("--version") == (0, f"mincli {mincli.__version__}\n".encode(), "")


@pytest.mark.parametrize(
    ("arguments", "token", "command"),
    [
        pytest.param(["nope"], "'nope'", "mincli", id="unknown-command"),
        pytest.param(["--nope"], "--nope", "mincli", id="unknown-group-option"),
        pytest.param(["--color", "red", "min", "a.npy"], "'red'", "mincli", id="unknown-color"),
        pytest.param(["min"], "INPUT...", "mincli min", id="min-without-input"),
        pytest.param(["min", "a.npy", "--nope"], "--nope", "mincli min", id="unknown-option"),
        pytest.param(["min", "a.npy", "--axes", "0"], "--axes", "mincli min", id="option-of-another-command"),
        pytest.param(["min", "a.npy", "-o"], "-o", "mincli min", id="option-without-value"),
        pytest.param(["reduce-min"], "INPUT", "mincli reduce-min", id="reduce-min-without-input"),
        pytest.param(["reduce-min", "a.npy", "b.npy"], "(b.npy)", "mincli reduce-min", id="two-inputs"),
        pytest.param(["schema"], "'OP'", "mincli schema", id="schema-without-operator"),
        pytest.param(["schema", "Min", "--lang", "zh-CN"], "'zh-CN'", "mincli schema", id="unknown-language"),
        pytest.param(["schema", "Min", "--diff", "0"], "0 is not in the range", "mincli schema", id="no-opset"),
    ],
)
def test_a_call_that_cannot_be_parsed(arguments, token, command):
    outcome = run(*arguments)
    message, hint = outcome.stderr.splitlines()
    assert (outcome.code, outcome.stdout) == (2, b"")
    assert message.startswith("error: ")
    assert token in message
    assert hint == f"  hint: see {command} --help"


@pytest.fixture
def fault(monkeypatch):
    def fail(*_arguments, **_options):
        raise RuntimeError("on purpose")

    monkeypatch.setattr(jobs, "minimum_of_files", fail)


def test_a_fault_of_mincli_is_reported_with_its_traceback(fault):
    outcome = run("min", "a.npy", "-o", "out.npy")
    assert (outcome.code, outcome.stdout) == (70, b"")
    assert outcome.stderr.startswith("Traceback (most recent call last):\n")
    assert outcome.stderr.endswith(
        "RuntimeError: on purpose\n"
        "error: this is a fault of mincli\n"
        "  hint: please report it with the command and the traceback above\n"
    )


def test_too_little_memory_is_no_fault(monkeypatch):
    def fail(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr(jobs, "minimum_of_files", fail)
    message = (
        "error: there is not enough memory\n"
        "  hint: -o PATH streams the result to a .npy file; --max-memory SIZE bounds the buffers\n"
    )
    assert run("min", "a.npy") == (5, b"", message)


@pytest.mark.parametrize(
    ("arguments", "called", "code"),
    [
        pytest.param("run-model m.onnx", "mincli.models.run.run_model", 4, id="run-model"),
        pytest.param("check-schema m.onnx", "mincli.lint.files.check_file", 5, id="check-schema"),
        pytest.param("check-schema --op Min a.npy", "mincli.verdicts.verdicts", 5, id="check-schema-op"),
        pytest.param("schema Min", "mincli.schemas.page_of", 5, id="schema"),
    ],
)
def test_too_little_memory_names_no_options_that_the_command_lacks(arguments, called, code, monkeypatch):
    def fail(*_arguments, **_options):
        raise MemoryError("of 4 GiB")

    monkeypatch.setattr(called, fail)
    assert run(*arguments.split()) == (code, b"", "error: there is not enough memory\n  of 4 GiB\n")


def test_too_little_memory_for_an_array_says_how_much():
    sparse("wide.npy", [1 << 30])
    code, stdout, stderr = shell("ulimit -v 4000000; mincli min wide.npy")
    assert (code, stdout) == (5, b"")
    error, room, hint = stderr.splitlines(keepends=True)
    assert room.startswith("  Unable to allocate 4.00 GiB for an array with shape (1073741824,)")  # NumPy's words
    assert error + hint == (
        "error: there is not enough memory\n"
        "  hint: -o PATH streams the result to a .npy file; --max-memory SIZE bounds the buffers\n"
    )


def test_an_error_of_the_system_that_has_no_place_is_a_fault(monkeypatch):
    def fail(*_arguments, **_options):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(jobs, "minimum_of_files", fail)
    outcome = run("min", "a.npy")
    assert (outcome.code, outcome.stdout) == (70, b"")
    assert outcome.stderr.endswith(
        "OSError: [Errno 12] Cannot allocate memory\n"
        "error: this is a fault of mincli\n"
        "  hint: please report it with the command and the traceback above\n"
    )


@pytest.mark.parametrize("arguments", [["--help"], ["min", "--help"], ["reduce-min", "--help"]], ids=" ".join)
def test_help_needs_no_docstrings(arguments, monkeypatch):
    monkeypatch.setenv("PYTHONOPTIMIZE", "2")
    assert spawn(*arguments) == (0, run(*arguments).stdout, "")


@pytest.mark.parametrize(
    ("shell_of_user", "words", "position", "offered"),
    [
        pytest.param("bash", "mincli m", "1", "plain,min\n", id="command"),
        pytest.param("bash", "mincli min --no-", "2", "plain,--no-clobber\n", id="option"),
        pytest.param("bash", "mincli reduce-min --spec o", "3", "plain,onnx\nplain,onednn\n", id="value"),
        pytest.param(
            "fish", "mincli --tr", "--tr", "plain,--traceback\tShow the Python traceback of an error.\n", id="fish"
        ),
    ],
)
def test_completion(shell_of_user, words, position, offered, monkeypatch):
    monkeypatch.setenv("_MINCLI_COMPLETE", f"{shell_of_user}_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", position)
    assert spawn() == (0, offered.encode(), "")


def test_completion_is_set_up_as_the_readme_says():
    command = 'eval "$(_MINCLI_COMPLETE=bash_source mincli)"'
    assert command in (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert shell(command + "; complete -p mincli") == (0, b"complete -o nosort -F _mincli_completion mincli\n", "")


def test_completion_that_cannot_be_written(monkeypatch):
    monkeypatch.setenv("_MINCLI_COMPLETE", "bash_source")
    assert shell("mincli > /dev/full") == (
        5, b"", "error: standard output cannot be written: No space left on device\n"
    )  # fmt: skip


def test_an_empty_request_for_completion_is_none(monkeypatch):
    monkeypatch.setenv("_MINCLI_COMPLETE", "")
    assert spawn("--version") == (0, f"mincli {mincli.__version__}\n".encode(), "")
    assert spawn("min", "missing.npy") == (3, b"", "error: missing.npy does not exist\n")


@pytest.mark.parametrize(
    ("arguments", "start", "end"),
    [
        pytest.param(["reduce-min", "a.npy", "--axes", "9," * 5000 + "x"], "'9,9,", "or @axes.npy", id="axes"),
        pytest.param(["min", "a.npy", "--opset", "9" * 5000], "'9999", "9' is not a valid integer.", id="count"),
        pytest.param(["min", "a.npy", "--spec", "x" * 5000], "'xxxx", "'onnx', 'onednn'.", id="choice"),
        pytest.param(["x" * 5000], "'xxxx", "xxxx'.", id="command"),
        pytest.param(["min", "x" * 5000], "error: xxxx", "xxxx cannot be read: File name too long", id="name"),
    ],
)
def test_an_error_that_quotes_a_huge_value_is_cut(arguments, start, end):
    line = run(*arguments).stderr.splitlines()[0]
    assert len(line) == len("error: ") + 1000 + len(" ... ")
    assert start in line
    assert " ... " in line
    assert line.endswith(end)


def test_a_refused_input_shows_its_traceback_when_asked():
    outcome = run("--traceback", "min", "missing.npy")
    assert (outcome.code, outcome.stdout) == (3, b"")
    assert outcome.stderr.startswith("Traceback (most recent call last):\n")
    assert outcome.stderr.endswith(
        "mincli.errors.FileError: missing.npy does not exist\nerror: missing.npy does not exist\n"
    )


def test_a_refused_input_shows_no_traceback_otherwise():
    assert run("min", "missing.npy") == (3, b"", "error: missing.npy does not exist\n")


def test_traceback_changes_nothing_without_an_error():
    np.save("a.npy", np.array([2.5], "f4"))
    assert run("--traceback", "min", "a.npy") == (0, b"2.5\n", "")


@pytest.mark.parametrize(("command", "threads"), [("min", "1"), ("run-model", None)])
def test_only_models_multiply_matrices(command, threads, monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    program = (
        "import os, sys; from mincli.cli import group, main; "
        "group.run = lambda given: print(os.environ.get('OPENBLAS_NUM_THREADS'), given) or 0; main.main()"
    )
    assert spawn(command, "x", program=("-c", program)).text == f"{threads} {[command, 'x']}\n"
