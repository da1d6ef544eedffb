"""onnx's inference in a child process: some models crash its C++ part, keep it busy without end, or fill the memory.

A child is forked, which takes a few milliseconds, asks onnx, and sends back what it says. That is safe only in a
process of one thread; in others onnx is asked right there, and the guards of `light.py` are all that there is.
"""

import gc
import os
import signal
import threading
from contextlib import suppress
from typing import Any

import onnx
from onnx import shape_inference
from onnx.onnx_cpp2py_export import shape_inference as cpp  # of bytes: the child needs no more

SECONDS = 10
"""Of processor time for one attempt; onnx takes about one for 100,000 nodes."""
MOST_MEMORY = 1 << 30
"""Bytes that an attempt may take beyond what the process has, and beyond a multiple of the model's size."""
_FACTOR = 32
_SECONDS_FOR = 1 << 20
"""Bytes of a model for which there is another second."""


class RefusedError(Exception):
    """onnx refuses a model; the words are its own."""


class CrashedError(Exception):
    """onnx crashed on a model, or took too long or too much memory."""


def is_guarded() -> bool:
    """Whether onnx is asked in a child process: where there is `fork`, and no other thread."""
    if not hasattr(os, "fork") or signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return threading.active_count() == 1


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
        CrashedError: there is no answer; only where `is_guarded`.
    """
    options = {"check_type": check_type, "strict_mode": strict, "data_prop": data_prop}
    if is_guarded():
        inferred = onnx.ModelProto()
        inferred.ParseFromString(_in_child(model, options))
        return inferred
    try:
        return shape_inference.infer_shapes(model, **options)
    except Exception as error:  # whatever its C++ part raises
        raise RefusedError(_words(error)) from error


def _in_child(model: onnx.ModelProto, options: dict[str, bool]) -> bytes:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _answer(writing, model, options)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as pipe:
            answer = pipe.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        status = os.waitpid(child, 0)[1]
    if status or not answer:
        raise CrashedError
    if answer[:1] == b"-":
        raise RefusedError(answer[1:].decode("utf-8", "replace"))
    return answer[1:]


def _answer(writing: int, model: onnx.ModelProto, options: dict[str, bool]) -> Any:
    """Write the result or onnx's words to a pipe, and end the process in any case: with 0 if there is an answer."""
    status = 1
    try:
        gc.disable()  # which would only touch pages that are shared
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the last words of a C++ program, and of faulthandler
        content = model.SerializeToString()
        _limit(len(content))
        try:
            answer = b"+" + cpp.infer_shapes(content, *options.values())
        except MemoryError:
            return
        except Exception as error:  # whatever its C++ part raises
            answer = b"-" + _words(error).encode("utf-8", "replace")
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(answer)
        status = 0
    finally:
        os._exit(status)


def _limit(size: int) -> None:
    """Bound the time and the memory of this process from here on, by the size of a model, and let it dump no core."""
    import resource  # which is where there is fork

    seconds = SECONDS + size // _SECONDS_FOR
    wanted = {resource.RLIMIT_CPU: seconds, resource.RLIMIT_CORE: 0}
    with suppress(OSError), open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
        wanted[resource.RLIMIT_AS] = pages * resource.getpagesize() + MOST_MEMORY + _FACTOR * size
    for which, soft in wanted.items():
        hard = resource.getrlimit(which)[1]
        resource.setrlimit(which, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
