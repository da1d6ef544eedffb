"""One process, measured from outside."""

import os
import sys

import pytest

from bench.process import ENVIRONMENT, ProcessError, run

PYTHON = [sys.executable, "-c"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_time_and_peak_are_measured():
    sample = run([*PYTHON, "block = b'x' * (200 << 20)"])
    assert sample.seconds > 0
    assert 200 << 20 < sample.peak < 400 << 20


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("import sys; sys.exit(3)", "exit code 3"),
        ("raise ValueError('what\\nwent wrong')", "went wrong"),
        ("import os; os.kill(os.getpid(), 9)", "exit code -9"),
    ],
)
def test_failure_is_told(program, text):
    with pytest.raises(ProcessError) as caught:
        run([*PYTHON, program])
    assert str(caught.value) == text


def test_output_goes_nowhere(capfd):
    run([*PYTHON, "import sys; print('out'); print('err', file=sys.stderr); assert not sys.stdin.read()"])
    assert capfd.readouterr() == ("", "")


def test_byte_code_is_compiled_as_for_an_installed_program():
    assert {**os.environ, **ENVIRONMENT} == dict(os.environ)
    assert "PYTHONDONTWRITEBYTECODE" not in ENVIRONMENT
