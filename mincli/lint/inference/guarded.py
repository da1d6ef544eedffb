"""onnx's inference in a child process: some models crash its C++ part, keep it busy without end, or fill the memory.

A child is forked at the first question, and answers until it crashes or this process ends: forking takes longer than a
small model. That is safe only in a process of one thread; in others onnx is asked right there, and the guards of
`fragile.py` are all that there is.
"""

import atexit
import gc
import os
import signal
import struct
import threading
from contextlib import suppress
from typing import BinaryIO, NoReturn

import onnx
from onnx import shape_inference
from onnx.onnx_cpp2py_export import shape_inference as cpp  # of bytes: the child needs no more

SECONDS = 10
"""Of processor time for one question; onnx takes about one for 100,000 nodes."""
_SECONDS_FOR = 1 << 20
"""Bytes of a model for which there is another second."""
MOST_MEMORY = 1 << 30
"""Bytes that a question may take beyond what the process has, and beyond a multiple of the model's size."""
_FACTOR = 32
_QUESTION = struct.Struct("<Q???")
"""The size of a model, and the options; the model follows."""
_ANSWER = struct.Struct("<Q?")
"""The size of what follows, and whether it is a model, or onnx's words."""


class RefusedError(Exception):
    """onnx refuses a model; the words are its own."""


class CrashedError(Exception):
    """onnx crashed on a model, or took too long or too much memory."""


def infer_shapes(
    model: onnx.ModelProto, *, check_type: bool = False, strict: bool = False, data_prop: bool = False
) -> onnx.ModelProto:
    """Return a model with the types and shapes that onnx infers.

    Args:
        model: the model, which stays as it is.
        check_type: whether the types of inputs are looked at, too.
        strict: whether a fault is told, or only gone on without.
        data_prop: whether the values of shapes are computed.

    Raises:
        RefusedError: onnx finds it wrong.
        CrashedError: there is no answer; only where a child is asked.
    """
    if not _may_fork() or not _CHILD.is_there():
        try:
            return shape_inference.infer_shapes(model, check_type, strict, data_prop)
        except MemoryError:
            raise
        except Exception as error:  # whatever its C++ part raises
            raise RefusedError(_words(error)) from error
    content = model.SerializeToString()
    fine, answer = _CHILD.ask(_QUESTION.pack(len(content), check_type, strict, data_prop) + content)
    if not fine:
        raise RefusedError(answer.decode("utf-8", "replace"))
    inferred = onnx.ModelProto()
    inferred.ParseFromString(answer)
    return inferred


class _Child:
    """The child of this process, and the pipes to it and from it."""

    def __init__(self) -> None:
        self._pid = 0
        self._parent = 0
        self._pipes: list[BinaryIO] = []

    def is_there(self) -> bool:
        """Make it if it is not there; return whether it is now."""
        if self._parent != os.getpid():  # a child of a process that this one was forked from
            self._forget()
        with suppress(ChildProcessError):  # somebody else waited for it
            if self._pid and os.waitpid(self._pid, os.WNOHANG) == (0, 0):
                return True
        self._forget()
        (questions, to_child), (from_child, answers) = os.pipe(), os.pipe()
        with suppress(OSError):  # no more processes are allowed
            self._pid = os.fork()
            if not self._pid:
                _answer_all(questions, answers)
        os.close(questions)
        os.close(answers)
        self._parent = os.getpid()
        self._pipes = [os.fdopen(to_child, "wb"), os.fdopen(from_child, "rb")]
        return bool(self._pid)

    def ask(self, question: bytes) -> tuple[bool, bytes]:
        """Return what it answers: whether that is a model, and the model or onnx's words."""
        questions, answers = self._pipes
        try:
            questions.write(question)
            questions.flush()
            size, fine = _ANSWER.unpack(answers.read(_ANSWER.size))
            answer = answers.read(size)
        except (OSError, struct.error):
            self.end()
            raise CrashedError from None
        except BaseException:  # an interrupt: what it answers now is to no question
            self.end()
            raise
        return fine, answer

    def end(self) -> None:
        """End it, if it is there."""
        if self._pid and self._parent == os.getpid():
            with suppress(ProcessLookupError, ChildProcessError):  # somebody else waited for it
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
        self._forget()

    def _forget(self) -> None:
        self._pid = 0
        for pipe in self._pipes:
            with suppress(OSError):  # what was never read
                pipe.close()
        self._pipes = []


_CHILD = _Child()
atexit.register(_CHILD.end)


def _may_fork() -> bool:
    """Whether this process may fork: it has no other thread, and nothing takes the end of the child away."""
    if not hasattr(os, "fork") or signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return threading.active_count() == 1


def _answer_all(questions: int, answers: int) -> NoReturn:
    """Answer questions in this process, until there are no more, and end it."""
    try:
        gc.disable()  # which would only touch pages that are shared
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # which is for this process's parent
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _close_all_but(questions, answers)
        with os.fdopen(questions, "rb") as incoming, os.fdopen(answers, "wb") as outgoing:
            while head := incoming.read(_QUESTION.size):
                size, *options = _QUESTION.unpack(head)
                content = incoming.read(size)
                _limit(size)
                fine, answer = _answer(content, options)
                outgoing.write(_ANSWER.pack(len(answer), fine) + answer)
                outgoing.flush()
    finally:
        os._exit(1)


def _close_all_but(*kept: int) -> None:
    """Close what the parent has open, and take away the streams: a C++ program has last words, and faulthandler too."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    first = 3
    for file in sorted(kept):
        os.closerange(first, file)
        first = file + 1
    os.closerange(first, min(os.sysconf("SC_OPEN_MAX"), 1 << 20))


def _answer(content: bytes, options: list[bool]) -> tuple[bool, bytes]:
    try:
        return True, cpp.infer_shapes(content, *options)
    except MemoryError:
        os._exit(1)
    except Exception as error:  # whatever its C++ part raises
        return False, _words(error).encode("utf-8", "replace")


def _limit(size: int) -> None:
    """Bound the time and the memory of this process from here on, by the size of a model, and let it dump no core."""
    import resource  # which is where there is fork

    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + SECONDS + size // _SECONDS_FOR
    wanted = {resource.RLIMIT_CPU: seconds, resource.RLIMIT_CORE: 0}
    with suppress(OSError), open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
        wanted[resource.RLIMIT_AS] = pages * resource.getpagesize() + MOST_MEMORY + _FACTOR * size
    for which, soft in wanted.items():
        hard = resource.getrlimit(which)[1]
        resource.setrlimit(which, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
