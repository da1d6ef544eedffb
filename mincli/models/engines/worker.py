"""A process that runs onnxruntime and answers requests: when it crashes, that is a result."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from contextlib import suppress
from typing import IO, Any

from mincli.errors import CrashError, EngineError, TimeLimitError, printable

_CHILD = os.path.join(os.path.dirname(__file__), "child.py")


class Worker:
    """A process that runs onnxruntime; it is started when it is asked, and again when it has died.

    Args:
        limit: the seconds that an answer may take.
    """

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def alive(self) -> bool:
        """Whether the process of the last request is there for another."""
        return self._process is not None

    def ask(self, request: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the answer to a request (see `engines.child`).

        Raises:
            CrashError: the process died; the message says how.
            TimeLimitError: it was killed when the time was over.
        """
        process = self._process or self._start()
        assert process.stdin
        assert process.stdout
        answer: tuple[Any, ...] | None = None
        over = threading.Event()

        def kill() -> None:
            over.set()
            process.kill()

        timer = threading.Timer(self._limit, kill)
        timer.start()
        try:
            pickle.dump(request, process.stdin, pickle.HIGHEST_PROTOCOL)
            process.stdin.flush()
            answer = pickle.load(process.stdout)  # of our own process
        except (OSError, EOFError, pickle.UnpicklingError):
            if over.is_set():
                raise TimeLimitError(
                    f"was stopped after {self._limit:g} seconds",
                    details=["an engine that does not end would keep mincli waiting for ever; the limit is fixed"],
                    hint="does a Loop of the model end? give it smaller inputs, or run it with --engine reference",
                ) from None
            raise _death(process, self._errors) from None
        finally:
            timer.cancel()
            if answer is None or over.is_set():  # it is dead, or would answer a question that was given up
                self._end()
                self._process = None
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", _CHILD]  # -P: or `import onnxruntime` there were onnxruntime.py beside it
        errors = None
        try:
            errors = tempfile.TemporaryFile()  # noqa: SIM115, it is closed with the process
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        except OSError as error:
            if errors:
                errors.close()
            raise EngineError(f"a process for onnxruntime cannot be started: {error.strerror}") from error
        self._end = weakref.finalize(self, _end, process, errors)
        self._process, self._errors = process, errors
        return process


def _end(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout, errors):
        with suppress(OSError):  # what it was never sent cannot be sent now
            pipe.close()  # type: ignore[union-attr]
    process.wait()


def _death(process: subprocess.Popen[bytes], errors: IO[bytes]) -> CrashError:
    """Return the error that says how a process died."""
    code = process.wait()
    errors.seek(max(0, errors.seek(0, os.SEEK_END) - 2000))
    last = errors.read().decode(errors="replace").strip().splitlines()[-1:]
    how = f"crashed with {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    hint = "was there enough memory?" if code == -signal.SIGKILL else ""
    return CrashError(how, details=[printable(line)[:500] for line in last], hint=hint)
