"""Every error that mincli raises, the exit code that each ends the command line with, and how their texts are made.

    MincliError
    ├── UsageError                2   a call that no input could make right
    ├── InputError                3   an input was refused:
    │   ├── FileError                 missing, unreadable, changed while it was read
    │   ├── FormatError               not what the file claims to be
    │   ├── ModelError                a model that breaks the rules of ONNX
    │   ├── ElementTypeError          an element type that the operator version does not take
    │   ├── ShapeError                shapes that do not go together
    │   ├── AxesError                 axes that the operator version does not take
    │   └── OperatorAttributeError    an attribute that the operator version does not have
    ├── EngineError               4   a model could not be run:
    │   ├── KernelError               no kernel for the operator version or types of a node
    │   ├── RefusedModelError         the engine takes the model for invalid or unsupported
    │   ├── CrashError                the engine crashed
    │   └── TimeLimitError            the engine took too long
    └── OutputError               5   the output could not be written

Each also inherits the built-in exception that a Python caller would expect to catch. Names from files are untrusted:
`printable` is what messages, and all else that is shown, have of them.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import ClassVar, Self


class ExitCode(IntEnum):
    """What the command line's exit status says; `meaning` is the line of the documented table."""

    meaning: str

    DONE = 0, "done; nothing to report"
    FOUND = 1, "the check ran and says no: faults found, outputs differ, NaN found"
    USAGE = 2, "usage: unknown option, missing argument, impossible combination"
    INPUT = 3, "an input was refused: file missing, unreadable, malformed, or not allowed by the standard"
    ENGINE = 4, "the model could not be run: no such operator or kernel, engine not installed, engine crashed"
    OUTPUT = 5, "the output could not be written"
    BUG = 70, "a fault of mincli's own (with a request to report it, and the traceback)"
    INTERRUPTED = 130, "interrupted"

    def __new__(cls, value: int, meaning: str) -> Self:
        member = int.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member


class MincliError(Exception):
    """The root of all errors: what happened, what would be allowed, and the next step.

    Args:
        message: what happened and where, in one line.
        details: further lines: what would be allowed, or a drawing of the fault.
        hint: the next step, or "".
    """

    exit_code: ClassVar[ExitCode] = ExitCode.BUG

    def __init__(self, message: str, *, details: Sequence[str] = (), hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.details = tuple(details)
        self.hint = hint

    def __str__(self) -> str:
        lines = [self.message, *(f"  {line}" for line in self.details)]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class UsageError(MincliError, ValueError):
    """A call that no input could make right, such as an opset that does not exist."""

    exit_code = ExitCode.USAGE


class InputError(MincliError):
    """An input was refused."""

    exit_code = ExitCode.INPUT


class FileError(InputError, OSError):
    """A file is missing, cannot be read, or changed while it was read."""


class FormatError(InputError, ValueError):
    """A file is not what it claims to be: truncated, lying, or of another format."""


class ModelError(InputError, ValueError):
    """A model breaks the rules of ONNX: its IR, or the schema of an operator."""


class ElementTypeError(InputError, TypeError):
    """An element type that the operator version does not take, or several types at once."""


class ShapeError(InputError, ValueError):
    """Shapes, or a number of inputs, that the operator version does not take."""


class AxesError(InputError, ValueError):
    """Axes that are out of range, repeated, or negative where the version forbids it."""


class OperatorAttributeError(InputError, ValueError):
    """An attribute that the operator version does not have."""


class EngineError(MincliError, RuntimeError):
    """A model could not be run: no such operator or kernel, or the engine is missing, failed or crashed."""

    exit_code = ExitCode.ENGINE


class KernelError(EngineError):
    """The engine has no kernel for a node: for its operator version, or for its types."""


class RefusedModelError(EngineError):
    """The engine takes the model for invalid or unsupported."""


class CrashError(EngineError):
    """The engine crashed."""


class TimeLimitError(EngineError):
    """The engine took too long."""


class OutputError(MincliError, OSError):
    """The output could not be written; what was there before is untouched."""

    exit_code = ExitCode.OUTPUT


def printable(name: str) -> str:
    r"""Return `name` with control characters and undecodable bytes escaped, safe to show on a terminal; '' if empty.

    >>> print(printable("a\x1b[31m.npy"))
    a\x1b[31m.npy
    """
    if name.isprintable():
        return name or "''"
    shown = (c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in name)
    return "".join(shown)


def first_line(error: Exception) -> str:
    """Return the first line of what an error of another library says; its type if it says nothing."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)[:300]


def counted(number: int, what: str) -> str:
    """Return how many there are of something.

    >>> counted(1, "input"), counted(2, "input")
    ('1 input', '2 inputs')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
