"""Signals in the middle of a job: no output, nothing left behind, and the old output intact."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mincli.cli import interrupts
from mincli.errors import ExitCode
from tests.cli.runner import WAIT, on_terminal, sparse

# A test runner in the background may have SIGINT ignored, which its children inherit.
LISTENING = "import signal, mincli.cli.main as cli; signal.signal(2, signal.default_int_handler); cli.main()"
JOBS = {
    "min": ["min", *["many.npy"] * 400],
    "reduce-min": ["reduce-min", "big.npy", "--axes", "0"],
}


@pytest.fixture(autouse=True)
def _inputs():
    sparse("many.npy", [1 << 22])  # 16 MiB, read 400 times over
    sparse("big.npy", [1 << 23, 1 << 10])  # 32 GiB
    Path("out.npy").write_bytes(b"old")


def start(*arguments, **streams):
    return subprocess.Popen([sys.executable, "-c", LISTENING, *arguments], stderr=subprocess.PIPE, **streams)


def temporary_files():
    return list(Path().glob(".mincli-*.tmp"))


def wait_until(condition, process):
    """Wait until the condition holds; the process must not end before."""
    while not condition():
        assert process.poll() is None
        time.sleep(0.01)


def in_the_middle(job, threads="2"):
    """Start a job and return its process once it writes its output."""
    process = start(*JOBS[job], "-o", "out.npy", "-j", threads)
    wait_until(temporary_files, process)
    time.sleep(0.1)
    assert process.poll() is None
    return process


@pytest.mark.parametrize(
    ("sent", "threads"),
    [pytest.param(signal.SIGINT, "2", id="SIGINT"), pytest.param(signal.SIGTERM, "1", id="SIGTERM")],
)
@pytest.mark.parametrize("job", JOBS)
def test_interrupted(job, sent, threads):
    process = in_the_middle(job, threads)
    process.send_signal(sent)
    _, stderr = process.communicate(timeout=WAIT)
    assert (process.returncode, stderr) == (130, b"interrupted\n")
    assert Path("out.npy").read_bytes() == b"old"
    assert sorted(os.listdir()) == ["big.npy", "many.npy", "out.npy"]


def test_no_new_output_after_an_interrupt():
    Path("out.npy").unlink()
    process = in_the_middle("reduce-min")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=WAIT)
    assert sorted(os.listdir()) == ["big.npy", "many.npy"]


@pytest.mark.parametrize("job", JOBS)
def test_killed_leaves_the_old_output(job):
    process = in_the_middle(job)
    process.kill()
    assert process.communicate(timeout=WAIT)[1] == b""
    assert process.returncode == -signal.SIGKILL
    assert Path("out.npy").read_bytes() == b"old"


def test_interrupted_while_it_waits_for_a_pipe():
    os.mkfifo("pipe")
    with open(os.open("pipe", os.O_RDWR), "wb"):
        process = start("min", "pipe", "-o", "new.npy")
        wait_until_it_opens("pipe", process)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=WAIT)
    assert (process.returncode, stderr) == (130, b"interrupted\n")
    assert not Path("new.npy").exists()


@pytest.mark.parametrize("output", ["pipe", "-"])
def test_interrupted_while_nobody_reads_its_output(output):
    os.mkfifo("pipe")
    reader, writer = os.pipe()
    process = start("min", "many.npy", "-o", output, stdout=writer)
    time.sleep(1)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=WAIT)
    os.close(writer)
    os.close(reader)
    assert (process.returncode, stderr) == (130, b"interrupted\n")
    assert sorted(os.listdir()) == ["big.npy", "many.npy", "out.npy", "pipe"]


def test_interrupted_while_it_keeps_the_result_in_memory():
    process = start("reduce-min", "big.npy", "--axes", "0", stdout=subprocess.PIPE)
    wait_until_it_opens("big.npy", process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=WAIT)
    assert (process.returncode, stdout, stderr) == (130, b"", b"interrupted\n")


def wait_until_it_opens(name, process):
    links = Path(f"/proc/{process.pid}/fd")
    wait_until(lambda: any(os.path.basename(os.path.realpath(link)) == name for link in links.iterdir()), process)
    time.sleep(0.1)


def test_an_input_cut_short_meanwhile_is_an_error():
    process = in_the_middle("reduce-min")
    os.truncate("big.npy", 4096)
    _, stderr = process.communicate(timeout=WAIT)
    assert process.returncode == 3
    assert stderr.startswith(b"error: big.npy ")
    assert Path("out.npy").read_bytes() == b"old"
    assert not temporary_files()


INTERRUPTED_WITH_A_BAR = """
import os, signal, mincli.cli.main as cli, mincli.cli.progress as progress

show_bar = progress._rich_bar
def show_bar_and_interrupt():
    bar = show_bar()
    os.kill(os.getpid(), signal.SIGTERM)
    return bar

progress._rich_bar, progress.AFTER_SECONDS = show_bar_and_interrupt, -1
cli.main()
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_cursor_comes_back_when_the_progress_bar_is_interrupted(threads):
    arguments = (*JOBS["reduce-min"], "-o", "out.npy", "-j", threads)
    code, stdout, shown = on_terminal(*arguments, program=("-c", INTERRUPTED_WITH_A_BAR))
    assert (code, stdout) == (130, b"")
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") == 1
    assert shown.endswith("interrupted\n")


def test_the_exit_code_is_the_documented_one():
    assert interrupts.EXIT_CODE == ExitCode.INTERRUPTED


SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
PLACES = {
    "imports": ["min", "small.npy", "-o", "out.npy"],
    "TensorProto": ["min", "small.npy", "-o", "out.pb"],
    "text": ["reduce-min", "small.npy"],
    "work": ["min", *["many.npy"] * 400, "-o", "out.npy", "-j", "1"],
    "work-on-threads": ["min", *["many.npy"] * 400, "-o", "out.npy", "-j", "2"],
}
# Before these lines Python starts, and does with signals as it likes.
ANNOUNCING = """
import os, signal
from mincli.cli import interrupts, main
for number in interrupts.SIGNALS:
    signal.signal(number, signal.SIG_DFL)
interrupts.listen()
os.write(2, b".")
main.main()
"""


def interrupted_at_random(place, chance, longest):
    """Send one signal or two at random moments; return the exit code, stderr, and what is left behind."""
    process = subprocess.Popen(
        [sys.executable, "-c", ANNOUNCING, *PLACES[place]], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr.read(1) == b"."
    time.sleep(chance.uniform(0, longest))
    for _ in range(chance.choice([1, 2, 3])):
        process.send_signal(chance.choice(SIGNALS))
        time.sleep(chance.choice([0, 0, 0.001, 0.004]))
    _, stderr = process.communicate(timeout=WAIT)
    return process.returncode, stderr, temporary_files()


QUIET_ENDS = [(130, b"interrupted\n", []), (0, b"", [])]


@pytest.mark.parametrize("place", PLACES)
def test_interrupted_at_any_moment_and_again(place):
    sparse("small.npy", [10])
    chance = random.Random(place)
    ends = [interrupted_at_random(place, chance, longest=0.3) for _ in range(8)]
    assert [end for end in ends if end not in QUIET_ENDS] == []
    assert QUIET_ENDS[0] in ends


@pytest.mark.long
@pytest.mark.parametrize("place", PLACES)
def test_interrupted_hundreds_of_times(place):
    sparse("small.npy", [10])
    chance = random.Random(place)
    ends = [interrupted_at_random(place, chance, longest=0.4) for _ in range(200)]
    assert [end for end in ends if end not in QUIET_ENDS] == []


def test_interrupted_again_while_it_ends():
    """Hundreds of signals in a row, as an impatient user or supervisor sends them."""
    process = in_the_middle("min")
    for _ in range(300):
        process.send_signal(random.choice(SIGNALS))
    _, stderr = process.communicate(timeout=WAIT)
    assert (process.returncode, stderr) == (130, b"interrupted\n")
    assert not temporary_files()


@pytest.mark.parametrize("sent", SIGNALS, ids=lambda sent: sent.name)
def test_a_signal_that_the_parent_ignores_is_ignored(sent):
    program = f"import signal, mincli.cli.main as cli; signal.signal({int(sent)}, signal.SIG_IGN); cli.main()"
    arguments = ["min", *["many.npy"] * 100, "-o", "out.npy"]
    process = subprocess.Popen([sys.executable, "-c", program, *arguments], stderr=subprocess.PIPE)
    wait_until(temporary_files, process)
    process.send_signal(sent)
    assert (process.communicate(timeout=WAIT)[1], process.returncode) == (b"", 0)


def test_an_interrupt_when_all_is_done_changes_nothing():
    program = "\n".join(
        [
            "import atexit, os, mincli.cli.main as cli",
            "atexit.register(lambda: [os.kill(os.getpid(), number) for number in cli.interrupts.SIGNALS])",
            "cli.main()",
        ]
    )
    done = subprocess.run([sys.executable, "-c", program, "--version"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_interrupted_with_stderr_closed():
    command = [sys.executable, "-c", LISTENING, *JOBS["min"], "-o", "out.npy"]
    process = subprocess.Popen(["bash", "-c", 'exec "$@" 2>&-', "bash", *command])
    wait_until(temporary_files, process)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=WAIT) == 130
    assert sorted(os.listdir()) == ["big.npy", "many.npy", "out.npy"]
