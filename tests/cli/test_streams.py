"""Streams: data on stdout, the rest on stderr; terminals, pipes, and streams that are closed or full."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from tests.cli.runner import on_terminal, run, shell, sparse, spawn, without_reader

RESULT = b"[[1. 2. 2.]\n [4. 1. 6.]]\n"
SUMMARY = [
    "Min-13 (opset 13 and newer)",
    "    a.npy   float  2 x 3  C order",
    "    b.npy   float  2 x 3  C order",
    "->  result  float  2 x 3  24 bytes",
]
RED, BOLD, PLAIN = "\x1b[31m\x1b[1m", "\x1b[1m", "\x1b[0m"
MISSING = "error: missing.npy does not exist\n"
COLOURED_MISSING = f"{RED}error:{PLAIN} missing.npy does not exist\n"
FULL = "error: standard output cannot be written: No space left on device\n"

pytestmark = pytest.mark.usefixtures("arrays")


@pytest.fixture
def saved():
    """The bytes of the .npy file of the minimum of a.npy and b.npy."""
    np.save("saved.npy", np.array([[1, 2, 2], [4, 1, 6]], "f4"))
    return Path("saved.npy").read_bytes()


def test_a_pipe_gets_the_result_and_nothing_else():
    assert spawn("min", "a.npy", "b.npy") == (0, RESULT, "")


def test_a_terminal_gets_the_summary():
    outcome = on_terminal("--color", "never", "min", "a.npy", "b.npy")
    *lines, speed = outcome.stderr.splitlines()
    assert (outcome.code, outcome.stdout, lines) == (0, RESULT, SUMMARY)
    assert speed.startswith("72 bytes read and written in ")


def test_a_terminal_gets_errors_in_colour():
    assert on_terminal("min", "missing.npy") == (3, b"", COLOURED_MISSING)


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet_leaves_a_terminal_alone(option):
    assert run("min", "a.npy", "b.npy", option, terminal=True) == (0, RESULT, "")


@pytest.mark.parametrize(
    ("options", "environment", "coloured"),
    [
        pytest.param([], {}, True, id="terminal"),
        pytest.param([], {"NO_COLOR": "1"}, False, id="no-color"),
        pytest.param([], {"NO_COLOR": ""}, True, id="no-color-empty"),
        pytest.param([], {"TERM": "dumb"}, False, id="dumb"),
        pytest.param(["--color", "auto"], {}, True, id="auto"),
        pytest.param(["--color", "never"], {}, False, id="never"),
        pytest.param(["--color", "always"], {"NO_COLOR": "1", "TERM": "dumb"}, True, id="always"),
    ],
)
def test_colour_on_a_terminal(options, environment, coloured, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    summary = run(*options, "min", "a.npy", terminal=True).stderr
    assert summary.splitlines()[0] == (f"{BOLD}Min-13{PLAIN}" if coloured else "Min-13") + " (opset 13 and newer)"
    assert ("\x1b" in summary) is coloured
    error = run(*options, "min", "missing.npy", terminal=True).stderr
    assert error == (COLOURED_MISSING if coloured else MISSING)


@pytest.mark.parametrize(
    ("color", "error"),
    [
        pytest.param("auto", MISSING, id="auto"),
        pytest.param("never", MISSING, id="never"),
        pytest.param("always", COLOURED_MISSING, id="always"),
    ],
)
def test_colour_in_a_pipe(color, error):
    assert run("--color", color, "min", "missing.npy") == (3, b"", error)
    assert ("\x1b" in run("--color", color, "min", "a.npy", "--dry-run").text) is (color == "always")
    assert ("\x1b" in run("--color", color, "min", "a.npy", "-v").stderr) is (color == "always")


def test_help_in_a_pipe_is_plain():
    assert "\x1b" not in run("min", "--help").text


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["min", "{}"], id="input"),
        pytest.param(["min", "missing{}"], id="missing-input"),
        pytest.param(["min", "a.npy", "-o", "{}out"], id="output"),
        pytest.param(["min", "a.npy", "-o", "missing{}/out"], id="missing-folder"),
        pytest.param(["reduce-min", "a.npy", "{}"], id="second-input"),
        pytest.param(["reduce-min", "a.npy", "--axes", "{}"], id="value"),
        pytest.param(["min", "a.npy", "--{}"], id="option"),
        pytest.param(["{}"], id="command"),
    ],
)
@pytest.mark.parametrize("name", ["\x1b[31m", "\x9b31m\x07"], ids=["escape", "control"])
def test_names_cannot_steer_a_terminal(arguments, name, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    Path(name).write_bytes(Path("a.npy").read_bytes())
    shown = run(*(word.format(name) for word in arguments), terminal=True).stderr
    assert name.encode("unicode_escape").decode() in shown
    assert name not in shown


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["min", "a.npy", "b.npy"], id="text"),
        pytest.param(["min", "a.npy", "b.npy", "-o", "-"], id="npy"),
        pytest.param(["min", "a.npy", "b.npy", "--json"], id="json"),
        pytest.param(["reduce-min", "a.npy", "--dry-run"], id="plan"),
        pytest.param(["min", "wide.npy", "-o", "-"], id="more-than-a-pipe-holds"),
        pytest.param(["--help"], id="help"),
        pytest.param(["--version"], id="version"),
    ],
)
def test_a_reader_that_has_gone_ends_quietly(arguments):
    np.save("wide.npy", np.zeros(1 << 18, "f4"))
    assert without_reader(*arguments) == (0, b"", "")


def test_a_reader_of_dev_stdout_that_has_gone_ends_quietly():
    assert without_reader("min", "a.npy", "-o", "/dev/stdout") == (0, b"", "")


@pytest.mark.parametrize(
    ("command", "name"),
    [
        pytest.param("mkfifo out; head -c 1 out >head & mincli min wide.npy -o out", "out", id="named-pipe"),
        pytest.param("exec 9> >(head -c 1 >head); mincli min wide.npy -o /dev/fd/9", "/dev/fd/9", id="descriptor"),
    ],
)
@pytest.mark.parametrize("job", ["min", "reduce-min"])
def test_an_output_whose_reader_has_gone_is_an_error(command, name, job):
    sparse("wide.npy", [1 << 22, 1])
    if job == "reduce-min":
        command = command.replace("min wide.npy", "reduce-min wide.npy --axes 1")
    assert shell(command) == (5, b"", f"error: {name} cannot be written: Broken pipe\n")


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def buffering(request, monkeypatch):
    """Python's streams as they are, and as PYTHONUNBUFFERED makes them, which container images set."""
    monkeypatch.setenv("PYTHONUNBUFFERED", request.param)


@pytest.mark.usefixtures("buffering")
@pytest.mark.parametrize(
    ("command", "code", "stderr"),
    [
        pytest.param("mincli min a.npy >&-", 5, "error: standard output is closed\n", id="text-closed"),
        pytest.param("mincli min a.npy --json >&-", 5, "error: standard output is closed\n", id="json-closed"),
        pytest.param("mincli min a.npy -o - >&-", 5, "error: standard output is closed\n", id="npy-closed"),
        pytest.param("mincli min a.npy -o out.npy >&-", 0, "", id="file-with-stdout-closed"),
        pytest.param("mincli min a.npy >/dev/full", 5, FULL, id="text-full"),
        pytest.param("mincli min a.npy --json >/dev/full", 5, FULL, id="json-full"),
        pytest.param("mincli min a.npy -o - >/dev/full", 5, FULL, id="npy-full"),
        pytest.param("mincli min a.npy --dry-run >/dev/full", 5, FULL, id="plan-full"),
        pytest.param("mincli --help >/dev/full", 5, FULL, id="help-full"),
        pytest.param("mincli --version >/dev/full", 5, FULL, id="version-full"),
        pytest.param("mincli min - <&-", 3, "error: standard input is closed\n", id="stdin-closed"),
        pytest.param("mincli min missing.npy 2>&-", 3, "", id="stderr-closed"),
        pytest.param("mincli min missing.npy 2>/dev/full", 3, "", id="stderr-full"),
        pytest.param("mincli min a.npy -v -o out.npy 2>/dev/full", 0, "", id="summary-full"),
        pytest.param("mincli nonsense 2>/dev/full", 2, "", id="usage-error-full"),
    ],
)
def test_a_stream_that_is_closed_or_full(command, code, stderr):
    assert shell(command) == (code, b"", stderr)


@pytest.mark.usefixtures("buffering")
@pytest.mark.parametrize(
    ("form", "what"), [("-o -", "the temporary file for standard output"), ("--json", "standard output")]
)
def test_an_output_that_is_cut_short_is_no_success(form, what):
    np.save("k.npy", np.zeros(1000, "f8"))
    refused = (5, b"", f"error: {what} cannot be written: File too large\n")
    assert shell(f"ulimit -f 1; mincli min k.npy {form} >cut") == refused


@pytest.mark.usefixtures("buffering")
def test_an_error_whose_reader_has_gone_keeps_its_code():
    assert without_reader("min", "missing.npy", stream="stderr") == (3, b"", "")


def test_a_narrow_encoding_of_stdout_is_no_fault(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    np.save("日.npy", np.zeros(2, "f4"))
    outcome = spawn("min", "日.npy", "--dry-run")
    assert (outcome.code, outcome.stderr) == (0, "")
    assert rb"\u65e5.npy" in outcome.stdout


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("mincli min - b.npy <a.npy", id="redirect"),
        pytest.param("cat a.npy | mincli min - b.npy", id="pipe"),
        pytest.param("mincli min a.npy - <b.npy", id="second-input"),
        pytest.param("mincli min /dev/stdin b.npy <a.npy", id="dev-stdin"),
        pytest.param("mincli min <(cat a.npy) <(cat b.npy)", id="process-substitution"),
        pytest.param("mincli min a.npy b.npy -o - | mincli min -", id="both-ends"),
        pytest.param("(head -c 0; mincli min - b.npy) <a.npy", id="shared-offset"),
    ],
)
def test_input_from_a_stream(command):
    assert shell(command) == (0, RESULT, "")


def test_stdin_may_hold_other_data_before_the_array():
    Path("both").write_bytes(b"line\n" + Path("a.npy").read_bytes())
    assert shell("(read -r; mincli min - b.npy) <both") == (0, RESULT, "")


def test_axes_from_stdin():
    np.save("axes.npy", np.array([0], "i8"))
    assert shell("mincli reduce-min a.npy --axes @- <axes.npy") == (0, b"[[1. 2. 3.]]\n", "")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(lambda npy: b"", "standard input is empty", id="nothing"),
        pytest.param(lambda npy: npy[:100], "standard input is truncated: it ends within the .npy header", id="header"),
        pytest.param(
            lambda npy: npy[:-1], "standard input is truncated: 1 of 24 bytes of elements are missing", id="elements"
        ),
        pytest.param(
            lambda npy: npy * 2,
            "standard input: more data follows the array\n  mincli reads one array from a stream",
            id="two-arrays",
        ),
        pytest.param(lambda npy: b"1 2 3\n4 5 6\n", "standard input is no .npy file\n  it looks like text", id="text"),
    ],
)
def test_a_pipe_with_bad_data(data, message):
    assert spawn("min", "-", stdin=data(Path("a.npy").read_bytes())) == (3, b"", f"error: {message}\n")


def test_named_pipes_as_inputs():
    os.mkfifo("a.pipe")
    os.mkfifo("b.pipe")
    feed = "cat a.npy >a.pipe & cat b.npy >b.pipe & "
    assert shell(feed + "mincli min a.pipe b.pipe") == (0, RESULT, "")


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("mincli min a.npy b.npy -o -", id="dash"),
        pytest.param("mincli min a.npy b.npy -o /dev/stdout | cat", id="dev-stdout"),
        pytest.param("mincli min a.npy b.npy -o >(cat) | cat", id="process-substitution"),
        pytest.param("mkfifo out; cat out & mincli min a.npy b.npy -o out; wait", id="named-pipe"),
    ],
)
def test_output_to_a_stream(command, saved):
    assert shell(command) == (0, saved, "")


EAGER = (
    "-c",
    "import mincli.cli.main as cli, mincli.cli.progress as progress\nprogress.AFTER_SECONDS = -1\ncli.main()",
)


@pytest.fixture
def wide():
    sparse("wide.npy", [1 << 24])


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("command", ["min", "reduce-min"])
def test_long_work_shows_a_progress_bar_on_a_terminal(command, threads, wide):
    outcome = on_terminal(command, "wide.npy", "-o", "out.npy", "-j", threads, program=EAGER)
    assert (outcome.code, outcome.stdout) == (0, b"")
    assert "%" in outcome.stderr
    assert outcome.stderr.count("\x1b[?25l") == outcome.stderr.count("\x1b[?25h") == 1  # the cursor comes back
    assert {"min": "Min-13", "reduce-min": "ReduceMin-20"}[command] in outcome.stderr.rpartition("\x1b[?25h")[2]


def test_the_progress_bar_moves(wide):
    program = EAGER[1].replace("cli.main()", "progress.REFRESH_SECONDS = -1\ncli.main()")
    shown = on_terminal("min", "wide.npy", "-o", "out.npy", "-j", "1", program=("-c", program)).stderr
    percents = [int(percent) for percent in re.findall(r"(\d+)%", shown)]
    assert percents == sorted(percents)
    assert percents[0] < 50 < percents[-1] == 100


@pytest.mark.parametrize(
    ("option", "term"), [pytest.param("-q", "xterm", id="quiet"), pytest.param("-v", "dumb", id="dumb")]
)
def test_no_progress_bar_where_it_is_not_wanted(option, term, wide, monkeypatch):
    arguments = ("reduce-min", "wide.npy", "-o", "out.npy", "-j", "1")
    assert "%" in on_terminal(*arguments, program=EAGER).stderr
    monkeypatch.setenv("TERM", term)
    code, stdout, shown = on_terminal(*arguments, option, program=EAGER)
    assert (code, stdout) == (0, b"")
    assert "\x1b" not in shown
    assert "%" not in shown
    assert (shown == "") is (option == "-q")


def test_no_progress_bar_in_a_pipe(wide):
    assert spawn("reduce-min", "wide.npy", "-o", "out.npy", program=EAGER) == (0, b"", "")


@pytest.mark.parametrize(("seconds", "bars"), [("0.5", 0), ("1.5", 1)])
def test_a_progress_bar_only_after_a_second(seconds, bars, wide):
    """The clock jumps with the first block."""
    program = f"""
import mincli.cli.main as cli, mincli.cli.progress as progress
moments = iter([0.0])
progress.time.monotonic = lambda: next(moments, {seconds})
cli.main()
"""
    code, stdout, shown = on_terminal("reduce-min", "wide.npy", "-o", "out.npy", "-j", "1", program=("-c", program))
    assert (code, stdout) == (0, b"")
    assert shown.count("\x1b[?25l") == bars
    assert "ReduceMin-20" in shown


def test_a_progress_bar_without_colour(wide, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    shown = on_terminal("reduce-min", "wide.npy", "-o", "out.npy", "-j", "1", program=EAGER).stderr
    assert "%" in shown
    assert "\x1b[3" not in shown


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("{ echo before; mincli min a.npy -o /dev/stdout; echo after; } >> out", id="stdout"),
        pytest.param("exec 5>> out; echo before >&5; mincli min a.npy -o /dev/fd/5; echo after >&5", id="descriptor"),
        pytest.param("{ echo before >&2; mincli min a.npy -o /dev/stderr; echo after >&2; } 2>> out", id="stderr"),
    ],
)
def test_a_file_that_is_open_is_written_on_not_replaced(arrays, command):
    Path("out").write_text("old\n")
    assert shell(command) == (0, b"", "")
    assert Path("out").read_bytes() == b"old\nbefore\n" + Path("a.npy").read_bytes() + b"after\n"


def test_a_descriptor_that_is_not_open(arrays):
    error = "error: /dev/fd/77 cannot be written: Bad file descriptor\n"
    assert shell("mincli min a.npy -o /dev/fd/77") == (5, b"", error)
