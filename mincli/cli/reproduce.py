"""The command that repeats a run: what `run-model` prints with a difference."""

import os
import shlex

from mincli.models.request import Request
from mincli.models.run import Run


def command(request: Request, run: Run) -> str:
    """Return the shell command that repeats a run and what it was compared with, on one line, safe to show.

    Args:
        request: what was asked for.
        run: the run that differs.
    """
    words = ["mincli", "run-model", request.model, *request.inputs]
    if request.test_data is not None:
        at_set = os.path.basename(os.path.abspath(request.test_data)) == run.data.name
        words += ["--test-data", request.test_data if at_set else os.path.join(request.test_data, run.data.name)]
    for expected in request.expect:
        words += ["--expect", expected]
    default = type(request)(request.model)
    tolerance = request.tolerance
    if tolerance.max_ulp is not None:
        words += ["--max-ulp", str(tolerance.max_ulp)]
    if tolerance.rtol != default.tolerance.rtol:
        words += ["--rtol", repr(tolerance.rtol)]
    if tolerance.atol != default.tolerance.atol:
        words += ["--atol", repr(tolerance.atol)]
    if request.engine != default.engine:
        words += ["--engine", request.engine]
    if request.other is not None:
        words += ["--compare", request.other]
    if request.random:
        words += ["--random", "--seed", str(request.seed)]
    for name, size in request.dims.items():
        words += ["--dim", f"{name}={size}"]
    for name, shape in request.shapes.items():
        words += ["--input-shape", f"{name}:{','.join(map(str, shape))}"]
    words += ["--fail-on-nan"] if request.fail_on_nan else []
    return " ".join(map(quoted, words))


def quoted(word: str) -> str:
    r"""Quote a word for the shell; in bash's form `$'...'` if it has characters that a terminal should not get.

    >>> print(quoted("x.npy"), quoted("a b"), quoted("a\x1b[0m"))
    x.npy 'a b' $'a\x1b[0m'
    """
    if word.isprintable():
        return shlex.quote(word)
    return f"$'{''.join(map(_escaped, word))}'"


def _escaped(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(character))
