"""The reference engine: onnx's ReferenceEvaluator, made exact for the opset of each graph and function.

onnx's evaluator computes some operators by the rules of a newer version than the model's, and enforces few rules. Where
it does, `models.operators` has a class of our own, chosen by the version that the opset means: at the top as in
subgraphs and functions.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpFunction, OpFunctionContextDependant, OpRun, RuntimeContextError

from mincli.errors import EngineError, MincliError, ModelError, printable
from mincli.models.load import MAIN, Model, opsets_of
from mincli.models.operators import replacement

Value = Any
"""A value of a model: an array, a list of values (sequence), a dict (map), or None (an optional that is absent)."""
Observer = Callable[[onnx.NodeProto, Sequence[Value], Sequence[Value], float], None]
"""Is told of each node of the main graph that has run: the node, its inputs, its outputs, and the seconds it took."""


def evaluator(model: Model) -> "Evaluator":
    """Make a model ready to run.

    Raises:
        ModelError: a node breaks the rules of ONNX.
        EngineError: there is no such operator, or no implementation of it.
    """
    return Evaluator(model.proto.graph, model.opsets, [Library(model.proto.functions)])


class Evaluator(ReferenceEvaluator):  # type: ignore[misc]
    """Evaluates a graph or a function.

    Args:
        proto: the graph or function.
        opsets: of a graph; a function brings its own.
        functions: the `Library` of the model, alone: onnx's operators hand it on to their subgraphs.
        place: where the graph is, in words, for messages; "" is the main graph.
        others: what onnx's operators hand on besides.
    """

    def __init__(
        self,
        proto: onnx.GraphProto | onnx.FunctionProto,
        opsets: dict[str, int] | None = None,
        functions: Sequence["Library"] = (),
        *,
        place: str = "",
        **others: Any,
    ) -> None:
        self.place = place
        self.library = functions[0] if functions else Library(())
        super().__init__(proto, opsets=opsets)

    def _init(self) -> None:
        """Make each node ready; onnx's constructor calls this last."""
        graph = self.onnx_graph_
        if graph is None:
            self.opsets_ = opsets_of(self.proto_.opset_import, self.place)
        self.rt_inits_ = {} if graph is None else initializers(graph)
        typed = self.proto_.value_info if graph is None else [*graph.input, *graph.value_info, *graph.output]
        self.all_types_ = {info.name: info.type for info in typed}
        self.rt_nodes_ = [self._ready(number, node) for number, node in enumerate(self.nodes_)]
        self.last_uses = _last_uses(self.nodes_) if graph is not None and not self.place else {}

    def _ready(self, number: int, node: onnx.NodeProto) -> OpRun:
        where = f"{self.place}{_called(number, node)}"
        if node.domain in MAIN and node.domain:
            node = _with_domain(node, "")
        parameters = {
            "log": _no_log,
            "opsets": self.opsets_,
            "verbose": 0,
            "new_ops": None,
            "existing_functions": {"": self.library},
            "evaluator_cls": partial(Evaluator, place=f"{where} > "),
        }
        try:
            return self._class_of(node)(node, parameters)
        except MincliError as error:
            raise _located(error, where) from error
        except Exception as error:  # whatever onnx's operators raise
            raise EngineError(f"{where} cannot be run: {_reason(error)}") from error

    def _class_of(self, node: onnx.NodeProto) -> Callable[..., OpRun]:
        try:
            return self._load_impl(node)
        except RuntimeContextError:
            types = [self.all_types_.get(name) for name in node.input]
            if None in types:  # they are known when it runs
                return partial(OpFunctionContextDependant, parent=self)
            return self._load_impl(node, types)

    def _load_impl(
        self, node: onnx.NodeProto, input_types: Sequence[onnx.TypeProto] | None = None
    ) -> Callable[..., OpRun]:
        function = self.library.find(node)
        if function is not None:
            return partial(Function, impl=function)
        if node.domain not in self.opsets_:
            raise ModelError(f"no opset of the domain {printable(node.domain)!r} is imported")
        opset = self.opsets_[node.domain]
        own = replacement(node.domain, node.op_type, opset)
        if own is not None:
            return own
        if not onnx.defs.has(node.op_type, opset, node.domain):
            raise EngineError(f"opset {opset} of {node.domain or 'ONNX'} has no operator {printable(node.op_type)}")
        loaded: Callable[..., OpRun] = super()._load_impl(node, input_types)
        return loaded

    def run(
        self,
        output_names: Sequence[str] | None,
        feed_inputs: Mapping[str, Value],
        attributes: Mapping[str, Any] | None = None,
        *,
        observer: Observer | None = None,
        **others: Any,
    ) -> list[Value]:
        """Compute values.

        Args:
            output_names: which; None for the outputs.
            feed_inputs: the inputs by name; of a subgraph also what surrounds it.
            attributes: of the call, if this is a function.
            observer: is told of each node that has run.
            others: what onnx's operators hand on besides.

        Raises:
            ModelError: values that a node may not have.
            EngineError: an operator failed.
        """
        names = self.output_names_ if output_names is None else output_names
        kept = set(names)
        results = {"": None, **self.rt_inits_, **feed_inputs}
        for number, node in enumerate(self.rt_nodes_):
            try:
                inputs = [results[name] for name in node.input]
                started = time.perf_counter() if observer else 0
                outputs = _run(node, inputs, results, attributes)
            except Exception as error:  # whatever onnx's operators raise
                raise self._failure(error, number, results) from error
            results.update(zip(node.output, outputs, strict=False))
            if observer:
                observer(node.onnx_node, inputs, outputs, time.perf_counter() - started)
            for name in self.last_uses.get(number, ()):
                if name not in kept:
                    results.pop(name, None)
        missing = [name for name in names if name not in results]
        if missing:
            raise ModelError(f"{self.place}no node makes the output {printable(missing[0])}")
        return [results[name] for name in names]

    def _failure(self, error: Exception, number: int, results: Mapping[str, Value]) -> MincliError:
        node = self.nodes_[number]
        where = f"{self.place}{_called(number, node)}"
        if isinstance(error.__cause__, MincliError):  # onnx wraps those that are TypeErrors
            error = error.__cause__
        missing = [name for name in node.input if name not in results]
        if missing:
            return ModelError(f"{where}: no node before it makes its input {printable(missing[0])}")
        if isinstance(error, EngineError | ModelError):
            return error  # of a subgraph or function, and located there
        if isinstance(error, MincliError):
            return _located(error, where)
        return EngineError(f"{where} failed: {_reason(error)}")


class Library:
    """The functions of a model, by domain, name and overload; each is made ready when it is first called."""

    def __init__(self, functions: Iterable[onnx.FunctionProto]) -> None:
        self._protos = {_key(function.domain, function.name, function.overload): function for function in functions}
        self._ready: dict[tuple[str, str, str], Evaluator | None] = {}

    def find(self, node: onnx.NodeProto) -> Evaluator | None:
        """Return the function that a node calls; None if it calls an operator.

        Raises:
            ModelError: the function calls itself.
        """
        key = _key(node.domain, node.op_type, node.overload)
        if key not in self._protos:
            return None
        if key not in self._ready:
            self._ready[key] = None
            place = f"function {printable(':'.join(part for part in key if part))} > "
            self._ready[key] = Evaluator(self._protos[key], functions=[self], place=place)
        ready = self._ready[key]
        if ready is None:
            raise ModelError(f"the function {printable(node.op_type)} calls itself")
        return ready


class Function(OpFunction):  # type: ignore[misc]
    """A call of a function: its attributes may have defaults, and its last inputs and outputs be left out."""

    def __init__(self, node: onnx.NodeProto, parameters: dict[str, Any], impl: Evaluator) -> None:
        given = {attribute.name for attribute in node.attribute}
        defaults = [attribute for attribute in impl.proto_.attribute_proto if attribute.name not in given]
        missing = [name for name in impl.proto_.attribute if name not in given]
        if missing:
            raise ModelError(f"the function's attribute {printable(missing[0])} is not given and has no default")
        if len(node.input) > len(impl.input_names):
            raise ModelError(f"the function takes {len(impl.input_names)} inputs, not {len(node.input)}")
        if defaults:
            node = _copy(node)
            node.attribute.extend(defaults)
        super().__init__(node, parameters, impl=impl)
        self.attributes_ = {attribute.name: getattr(self, attribute.name) for attribute in node.attribute}

    def _run(self, *inputs: Value, **attributes: Any) -> tuple[Value, ...]:
        absent = [None] * (len(self.impl_.input_names) - len(inputs))
        return tuple(super()._run(*inputs, *absent, **attributes))


def initializers(graph: onnx.GraphProto) -> dict[str, Value]:
    """Return the values of a graph's initializers by name; sparse ones are made dense.

    Raises:
        ModelError: the data of one do not fit its shape.
    """
    values = {tensor.name: _checked(tensor.name, numpy_helper.to_array, tensor) for tensor in graph.initializer}
    sparse = {tensor.values.name: _checked(tensor.values.name, _dense, tensor) for tensor in graph.sparse_initializer}
    return values | sparse


def _checked(name: str, read: Callable[[Any], Value], tensor: Any) -> Value:
    try:
        return read(tensor)
    except Exception as error:  # whatever onnx and NumPy raise
        raise ModelError(f"the data and the shape of the initializer {printable(name)} disagree: {error}") from error


def _dense(tensor: onnx.SparseTensorProto) -> Value:
    values, indices = numpy_helper.to_array(tensor.values), numpy_helper.to_array(tensor.indices)
    dense = np.zeros(tuple(tensor.dims), values.dtype)
    if indices.ndim == 1:  # positions in the flat array
        dense.reshape(-1)[indices] = values
    else:
        dense[tuple(indices.T)] = values
    return dense


def _run(
    node: OpRun, inputs: Sequence[Value], results: dict[str, Value], attributes: Mapping[str, Any] | None
) -> Sequence[Value]:
    linked = {"linked_attributes": attributes} if node.has_linked_attribute and attributes else {}
    context = {"context": results} if node.need_context() else {}
    outputs: Sequence[Value] = node.run(*inputs, **context, **linked)
    return outputs


def _last_uses(nodes: Sequence[onnx.NodeProto]) -> dict[int, list[str]]:
    """Return, for each node by number, the values that no later node uses, in a subgraph of it either."""
    last = {}
    for number, node in enumerate(nodes):
        for name in (*_names_in(node), *node.output):
            last[name] = number
    uses: dict[int, list[str]] = {}
    for name, number in last.items():
        uses.setdefault(number, []).append(name)
    return uses


def _names_in(node: onnx.NodeProto) -> Iterable[str]:
    yield from node.input
    for attribute in node.attribute:
        for graph in (attribute.g, *attribute.graphs):
            for inner in graph.node:
                yield from _names_in(inner)
            yield from (output.name for output in graph.output)


def _key(domain: str, name: str, overload: str) -> tuple[str, str, str]:
    return "" if domain in MAIN else domain, name, overload


def _called(number: int, node: onnx.NodeProto) -> str:
    name = f" {printable(node.name)}" if node.name else ""
    return f"node {number} ({printable(node.op_type)}{name})"


def _located(error: MincliError, where: str) -> MincliError:
    """Return an error that says where it happened: a refused node is a fault of the model."""
    if isinstance(error, ModelError | EngineError):
        place = "" if error.message.startswith(where) or " > " in error.message else f"{where}: "
        return type(error)(f"{place}{error.message}", details=error.details, hint=error.hint)
    return ModelError(f"{where}: {error.message}", details=error.details)


def _reason(error: Exception) -> str:
    """Return what an error says, in a line, with the one beneath it: onnx wraps errors in longer ones."""
    lines = str(error).strip().splitlines() or [""]
    beneath = f" ({_reason(error.__cause__)})" if isinstance(error.__cause__, Exception) else ""
    return printable(f"{type(error).__name__}: {lines[0][:200]}{beneath}")


def _with_domain(node: onnx.NodeProto, domain: str) -> onnx.NodeProto:
    changed = _copy(node)
    changed.domain = domain
    return changed


def _copy(node: onnx.NodeProto) -> onnx.NodeProto:
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
    return copy


def _no_log(pattern: str, *arguments: Any) -> None:
    """Take onnx's log messages, and do nothing."""
