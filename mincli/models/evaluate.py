"""The reference engine: onnx's ReferenceEvaluator, made exact for the opset of each graph and function.

onnx's evaluator computes some operators by the rules of a newer version than the model's, and enforces few rules. Where
it does, `models.operators` has a class of our own, chosen by the version that the opset means: at the top as in
subgraphs and functions.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import RuntimeContextError
from onnx.reference.ops import load_op

from mincli.errors import EngineError, MincliError, ModelError, printable
from mincli.graphs.nodes import node_label, own_domain
from mincli.lint.scopes import opsets_of
from mincli.models.failures import engine_error, failure, located
from mincli.models.functions import Body, Call, Deferred, DefinedBy, Functions, defined_by, load_operator
from mincli.models.load import Model
from mincli.models.nodes import as_in_version, captured, initializers, last_uses
from mincli.models.operators import replacement
from mincli.models.values import Value

Observer = Callable[[onnx.NodeProto, Sequence[Value], Sequence[Value], float], None]
"""Is told of each node of the main graph that has run: the node, its inputs and behind them what its subgraphs take
from around it, its outputs, and the seconds it took."""


def evaluator(model: Model) -> "Evaluator":
    """Make a model ready to run.

    Raises:
        ModelError: a node breaks the rules of ONNX.
        EngineError: there is no such operator, or no implementation of it.
    """
    return Evaluator(model.proto.graph, model.opsets, [Functions(model.proto.functions, _body)])


class Evaluator(ReferenceEvaluator):  # type: ignore[misc]
    """Evaluates a graph or a function.

    Args:
        proto: the graph or function.
        opsets: of a graph; a function brings its own.
        functions: the `Functions` of the model, alone: onnx's operators hand it on to their subgraphs.
        place: where the graph is, in words, for messages; "" is the main graph.
        others: what onnx's operators hand on besides.
    """

    def __init__(
        self,
        proto: onnx.GraphProto | onnx.FunctionProto,
        opsets: dict[str, int] | None = None,
        functions: Sequence["Functions"] = (),
        *,
        place: str = "",
        **others: Any,
    ) -> None:
        self.place = place
        self.local_functions = functions[0] if functions else Functions((), _body)
        super().__init__(proto, opsets=opsets)

    def _init(self) -> None:
        """Make each node ready; onnx's constructor calls this last."""
        graph = self.onnx_graph_
        if graph is None:
            self.opsets_ = opsets_of(self.proto_.opset_import)
        self.rt_inits_ = {} if graph is None else initializers(graph)
        typed = self.proto_.value_info if graph is None else [*graph.input, *graph.value_info, *graph.output]
        self.all_types_ = {info.name: info.type for info in typed}
        self.rt_nodes_ = [self._ready(number, node) for number, node in enumerate(self.nodes_)]
        self.last_uses = last_uses(self.nodes_)

    def _ready(self, number: int, node: onnx.NodeProto) -> Any:
        where = f"{self.place}{node_label(number, node)}"
        parameters = {
            "log": lambda *message: None,
            "opsets": self.opsets_,
            "verbose": 0,
            "new_ops": None,
            "existing_functions": {"": self.local_functions},
            "evaluator_cls": partial(Evaluator, place=f"{where} > "),
        }
        try:
            body = self.local_functions.find(node)
            if body is not None:
                return Call(node, parameters, body)
            domain = own_domain(node.domain)
            opset = self._opset_of(domain)
            node = as_in_version(node, domain, opset)
            operator = self._operator(node, opset)
            return operator(node, parameters)
        except MincliError as error:
            raise located(error, where) from error
        except Exception as error:  # whatever onnx's operators raise
            raise engine_error(f"{where} cannot be run", error) from error

    def _opset_of(self, domain: str) -> int:
        if domain not in self.opsets_:
            which = f"the domain '{printable(domain)}'" if domain else "ONNX's own domain"
            raise ModelError(f"no opset of {which} is imported")
        return self.opsets_[domain]

    def _operator(self, node: onnx.NodeProto, opset: int) -> Callable[..., Any]:
        """Return what makes an operator of a node: a class, ours or onnx's, or the function that defines it."""
        own = replacement(node.domain, node.op_type, opset)
        if own is not None:
            return own
        if not onnx.defs.has(node.op_type, opset, node.domain):
            raise EngineError(
                f"opset {opset} of {printable(node.domain or 'ONNX')} has no operator {printable(node.op_type)}"
            )
        schema = onnx.defs.get_schema(node.op_type, opset, node.domain)
        if schema.deprecated and not (schema.has_function or schema.has_context_dependent_function):
            raise EngineError(f"opset {opset} of ONNX has no operator {printable(node.op_type)} any more")
        if node.domain:
            loaded: Callable[..., Any] = super()._load_impl(node)
            return loaded
        try:
            try:
                return load_operator(node.op_type, opset)
            except RuntimeContextError:
                types = [self.all_types_.get(name) for name in node.input]
                if None in types:  # they are known when it runs
                    return partial(Deferred, ready=partial(self._function_of, opset=opset))
                load_op("", node.op_type, opset, node=node, input_types=types, evaluator_cls=defined_by)
                raise
        except DefinedBy as found:
            return partial(Call, body=self._body_of(found.function, node, opset))

    def _function_of(self, node: onnx.NodeProto, types: Sequence[onnx.TypeProto], opset: int) -> Body:
        """Return the body of the function that defines a node's operator for inputs of these types."""
        schema = onnx.defs.get_schema(node.op_type, opset)
        body = schema.get_context_dependent_function(
            node.SerializeToString(), [kind.SerializeToString() for kind in types]
        )
        return self._body_of(onnx.FunctionProto.FromString(body), node, opset)

    def _body_of(self, function: onnx.FunctionProto, node: onnx.NodeProto, opset: int) -> Body:
        attributes = onnx.defs.get_schema(node.op_type, opset).attributes.values()
        defaults = [attribute.default_value for attribute in attributes if attribute.default_value.type]
        return self.local_functions.body(function, node, node.op_type, defaults)

    @np.errstate(all="ignore")  # infinities and NaN are values
    def run(
        self,
        output_names: Sequence[str] | None,
        feed_inputs: Mapping[str, Value],
        *,
        observer: Observer | None = None,
        **others: Any,
    ) -> list[Value]:
        """Compute values.

        Args:
            output_names: which; None for the outputs.
            feed_inputs: the inputs by name; of a subgraph also what surrounds it.
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
                outputs = node.run(*inputs, context=results) if node.need_context() else node.run(*inputs)
            except Exception as error:  # whatever onnx's operators raise
                where = f"{self.place}{node_label(number, self.nodes_[number])}"
                raise failure(error, where, self.nodes_[number], self.opsets_.get(""), results) from error
            outputs = [_strings(value) for value in outputs]
            if observer:
                seconds = time.perf_counter() - started
                taken = [results[name] for name in captured(node.onnx_node) if name in results]
                observer(node.onnx_node, [*inputs, *taken], outputs, seconds)
            results.update(zip(node.output, outputs, strict=False))
            results[""] = None  # which an output that is not wanted has overwritten
            for name in self.last_uses.get(number, ()):
                if name not in kept:
                    results.pop(name, None)
        missing = [name for name in names if name not in results]
        if missing:
            raise ModelError(f"{self.place}no node makes the output {printable(missing[0])}")
        return [results[name] for name in names]


def _body(function: onnx.FunctionProto, local: Functions, name: str) -> Body:
    place = f"function {printable(name)} > "
    for node in function.node:
        for attribute in node.attribute:
            if attribute.ref_attr_name:
                raise ModelError(f"{place}the attribute {printable(attribute.name)} has no value")
    evaluator: Body = Evaluator(function, functions=[local], place=place)
    return evaluator


def _strings(value: Value) -> Value:
    """Return a value with strings as objects: some of onnx's operators make NumPy's strings of fixed width."""
    return value.astype(object) if isinstance(value, np.ndarray) and value.dtype.kind == "U" else value
