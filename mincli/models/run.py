"""Run a model: load, bind, check, run, compare, inspect and write. What `mincli run-model` does.

Everything that can be checked is checked before anything runs: files, names, types, shapes, and where outputs go.
"""

import os
import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

import onnx

from mincli.errors import EngineError, UsageError, printable
from mincli.graphs.functions import by_key
from mincli.models import engines
from mincli.models.case import save_case
from mincli.models.compared import EXPECTED, Compared, compare_values
from mincli.models.declared import Symbols, check_outputs, outputs_of
from mincli.models.expected import read_expected
from mincli.models.feeds import Inputs, bind, check_feeds, complete, inputs_of, read_feeds
from mincli.models.inspection import Inspector, replay
from mincli.models.load import Model, load_model
from mincli.models.nodes import initializers
from mincli.models.outputs import check_destination, check_folder, check_values, write_values
from mincli.models.random_feeds import random_feeds
from mincli.models.randomness import random_notes
from mincli.models.request import Request, check_request
from mincli.models.testdata import DataSet, find_sets, read_set
from mincli.models.values import Value

_Written = tuple[dict[str, str], dict[str, str], list[str]]
"""The files of the outputs and of all values, by name, and those of the case."""


class Run(NamedTuple):
    """One run of the model.

    Attributes:
        data: what it was fed, and what it should give.
        outputs: the outputs by name.
        compared: how they compare.
        inspector: what was seen on the way.
        seconds: that the engine took.
        notes: where a shape is another than the model declares; which random nodes what differs follows from.
        failure: of the other engine, which takes nothing from what this one gives.
    """

    data: DataSet
    outputs: dict[str, Value]
    compared: list[Compared]
    inspector: Inspector
    seconds: float
    notes: list[str]
    failure: EngineError | None = None

    @property
    def differs(self) -> bool:
        """Whether it differs from what it should give."""
        return not all(compared.same for compared in self.compared)

    @property
    def found(self) -> bool:
        """Whether it differs from what it should give, or a node makes NaN or infinity out of finite inputs."""
        return self.inspector.non_finite is not None or self.differs


class Report(NamedTuple):
    """What was done.

    Attributes:
        request: what was asked for.
        model: that ran.
        runs: one, or one for each set of test data.
        files: where outputs were written, by name.
        intermediates: where all values were written, by name.
        case: the files of the case.
    """

    request: Request
    model: Model
    runs: list[Run]
    files: dict[str, str]
    intermediates: dict[str, str]
    case: list[str]

    @property
    def found(self) -> bool:
        """Whether there is something to report: a difference, or NaN or infinity out of finite inputs."""
        return any(run.found for run in self.runs)

    @property
    def failure(self) -> EngineError | None:
        """The first failure of the other engine."""
        return next((run.failure for run in self.runs if run.failure), None)


def run_model(request: Request) -> Report:
    """Run a model.

    Args:
        request: what to do.

    Raises:
        UsageError: options that do not go together.
        InputError: the model, an input or an expected output was refused; an output is of another type than declared.
        EngineError: the engine cannot run the model, or the other engine does not take it.
        OutputError: something cannot be written.
    """
    check_request(request)
    model = load_model(request.model)
    inputs = inputs_of(model)
    sets = _sets(request, model, inputs)
    symbols = [check_feeds(inputs, data.inputs, data.files) for data in sets]
    _check_destinations(request, model, sets)
    engine = engines.prepare(model, request.engine)
    other = cache(partial(engines.prepare, model, request.other)) if request.other else None
    functions = by_key(model.proto.functions)
    written: _Written = {}, {}, []
    runs = []
    for number, (data, known) in enumerate(zip(sets, symbols, strict=True)):
        inspector = Inspector(
            stats=request.stats,
            finite=request.fail_on_nan,
            functions=functions,
            progress=_progress(request, model, number, len(sets)),
        )
        run, values = _run(request, model, inputs, data, known, engine, other, inspector)
        runs.append(run)
        written = _write(request, model, inputs, run, values)
    return Report(request, model, runs, *written)


def _sets(request: Request, model: Model, inputs: Inputs) -> list[DataSet]:
    """Read all inputs and all outputs that are expected."""
    if request.test_data is not None:
        return [read_set(folder, inputs, model.proto.graph.output) for folder in find_sets(request.test_data)]
    files = bind(inputs, request.inputs)
    feeds = read_feeds(inputs, files)
    expected = read_expected(outputs_of(model), request.expect)
    if request.random:
        feeds |= random_feeds(inputs, feeds, seed=request.seed, dims=request.dims, shapes=request.shapes)
    return [DataSet("", {name: feeds[name] for name in inputs.declared if name in feeds}, expected, files)]


def _check_destinations(request: Request, model: Model, sets: list[DataSet]) -> None:
    """Check that files can be written where they are asked for."""
    if len(sets) > 1 and (request.output or request.intermediates or request.case):
        raise UsageError(
            f"{printable(request.test_data or '')} holds {len(sets)} sets, and files are written of one run",
            hint=f"name one of them: --test-data {printable(os.path.join(request.test_data or '', sets[0].name))}",
        )
    if request.output:
        check_destination(request.output, outputs_of(model))
    if request.intermediates:
        check_folder(request.intermediates)
        check_destination(request.intermediates, _all_values(model))
    if request.case:
        check_folder(request.case, new=True)


def _progress(request: Request, model: Model, number: int, count: int) -> Callable[[int], None] | None:
    """Return what tells the progress of a run, one of several."""
    if request.progress is None:
        return None
    progress, nodes = request.progress, len(model.proto.graph.node)
    return lambda done: progress(number * nodes + done, count * nodes)


def _run(
    request: Request,
    model: Model,
    inputs: Inputs,
    data: DataSet,
    symbols: Symbols,
    engine: engines.Engine,
    other: Callable[[], engines.Engine] | None,
    inspector: Inspector,
) -> tuple[Run, dict[str, Value]]:
    """Run the model once; return also all values, if they are asked for."""
    inspector.given(data.inputs, "input")
    if request.stats:
        given = initializers(model.proto.graph)
        inspector.given({name: value for name, value in given.items() if name not in data.inputs}, "initializer")
    feeds = complete(inputs, data.inputs)
    inspecting = request.stats or request.fail_on_nan or request.profile
    watches = request.engine == engines.REFERENCE and bool(inspecting or request.progress)
    everything = request.intermediates is not None
    started = time.perf_counter()
    values = engine.run(
        feeds, everything=everything or (inspecting and not watches), observer=inspector if watches else None
    )
    seconds = time.perf_counter() - started
    if inspecting and not watches:
        replay(model, feeds | values, inspector)
    outputs = {name: values[name] for name in outputs_of(model)}
    notes = check_outputs(outputs_of(model), outputs, symbols)
    compared = []
    if data.outputs:
        compared.append(compare_values(model, EXPECTED, outputs, data.outputs, request.tolerance))
    failure = None
    if other is not None and request.other:
        try:
            theirs = other().run(feeds, everything=everything)
            compared.append(compare_values(model, request.other, values, theirs, request.tolerance))
        except EngineError as error:
            failure = error
    notes += random_notes(model, compared, feeds | values)
    return Run(data, outputs, compared, inspector, seconds, notes, failure), values


def _write(request: Request, model: Model, inputs: Inputs, run: Run, values: Mapping[str, Value]) -> _Written:
    """Write what is asked for of a run; nothing of it if one of the values cannot be written."""
    asked = [(request.output, run.outputs), (request.intermediates, values)]
    for path, wanted in asked:
        if path:
            check_values(path, wanted)
    files, intermediates = (write_values(path, wanted) if path else {} for path, wanted in asked)
    case = []
    if request.case:
        full = complete(inputs, run.data.inputs, initializers(model.proto.graph))
        case = save_case(request.case, model, full, run.outputs)
    return files, intermediates, case


def _all_values(model: Model) -> Mapping[str, onnx.TypeProto]:
    """Return the types of all values that a run returns, in its order, as far as they are declared."""
    typed = {info.name: info.type for info in model.proto.graph.value_info}
    made = {name: typed.get(name, onnx.TypeProto()) for node in model.proto.graph.node for name in node.output if name}
    outputs = outputs_of(model)
    return outputs | made | outputs
