"""What a run of a model is told, and what of that does not go together."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mincli.errors import OutputError, UsageError
from mincli.models.compare import Tolerance
from mincli.models.engines import REFERENCE

Progress = Callable[[int, int], None]
"""Is told how many steps are done, and of how many."""


class Request(NamedTuple):
    """What to do.

    Attributes:
        model: the path of the model.
        inputs: `FILE` or `NAME=FILE` (see `feeds.bind`).
        output: the folder or archive for the outputs, or None.
        test_data: a folder in ONNX's test-data layout, in place of inputs; or None.
        expect: `NAME=FILE` or a folder (see `expected.read_expected`).
        tolerance: what counts as the same.
        engine: what runs the model, one of `engines.ENGINES`.
        other: another engine to compare with, or None.
        random: make the inputs that are not given.
        seed: of the random numbers.
        dims: sizes of symbolic dimensions.
        shapes: shapes of inputs that are made.
        intermediates: the folder for all values of the main graph, or None.
        stats: say what each tensor holds.
        fail_on_nan: look for the first node that makes NaN or infinity out of finite inputs.
        profile: time each node.
        case: the folder for a case that any backend can replay, or None.
        progress: is told how many of all nodes have run, by the reference engine.
    """

    model: str
    inputs: Sequence[str] = ()
    output: str | None = None
    test_data: str | None = None
    expect: Sequence[str] = ()
    tolerance: Tolerance = Tolerance()
    engine: str = REFERENCE
    other: str | None = None
    random: bool = False
    seed: int = 0
    dims: Mapping[str, int] = {}
    shapes: Mapping[str, tuple[int, ...]] = {}
    intermediates: str | None = None
    stats: bool = False
    fail_on_nan: bool = False
    profile: bool = False
    case: str | None = None
    progress: Progress | None = None


def check_request(request: Request) -> None:
    """Refuse what does not go together.

    Raises:
        UsageError: such a request.
        OutputError: an empty path.
    """
    if request.test_data is not None:
        for given, what in (
            (request.inputs, "INPUT"), (request.expect, "--expect"), (request.random, "--random"),
        ):  # fmt: skip
            if given:
                raise UsageError(f"--test-data and {what} exclude each other: test data hold inputs and outputs")
    if not request.random and (request.dims or request.shapes):
        option = "--dim" if request.dims else "--input-shape"
        raise UsageError(f"{option} is of inputs that are made", hint="add --random")
    if request.other == request.engine:
        raise UsageError(f"--compare {request.engine} compares the engine with itself", hint="choose the other engine")
    if request.profile and request.engine != REFERENCE:
        raise UsageError(f"--profile times the nodes of the reference engine, not of {request.engine}")
    if "" in (request.output, request.intermediates, request.case):
        raise OutputError("the output's path is empty", hint="name a folder")
    folders = [
        os.path.realpath(path) for path in (request.output, request.intermediates, request.case) if path is not None
    ]
    if len(set(folders)) < len(folders):
        raise UsageError("-o, --save-intermediates and --save-case need a folder each")
