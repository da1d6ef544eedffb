"""The types and shapes of a graph's values, and the nodes that onnx's own inference refuses.

onnx's inference is asked for the whole graph at once. Where it refuses a node, that one is taken out, its outputs keep
the types that are sure, and the rest is asked for again, so that one fault neither hides nor makes others.
"""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import onnx

from mincli.graphs.functions import Key
from mincli.graphs.kinds import known, of_tensor
from mincli.lint import types
from mincli.lint.constants import Constants, Unsound
from mincli.lint.inference.light import light_model
from mincli.lint.inference.light_names import codes_of, inner_graph, leaves, names_in, numbers_of, placed, remove
from mincli.lint.scopes import Node, Scope

_GENERATED = b"unk__"
_SHAPES = ("Shape", "Size")
"""Operators that make of shapes the values that other shapes are computed from.

Without them onnx is not asked for values: it keeps each element of each vector, whatever it is for, which takes the
square of the time, and gigabytes.
"""
MOST_ROUNDS = 50
"""Attempts; each but the last finds a fault that those before it hid."""


class Refusal(NamedTuple):
    """A node that onnx's inference refuses, or whose types are wrong: the graph, the node, and onnx's words if any."""

    scope: Scope
    node: Node
    words: str


class Inferred:
    """What is known of a graph.

    Args:
        scope: the graph.
        ir_version: of its model.
        unsound: what not to look at.
        functions: that onnx's inference may be given.

    Attributes:
        refusals: the nodes that are refused, in order.
        unplaced: what else onnx says: of no node, or of one whose inputs are not known.
    """

    def __init__(
        self, scope: Scope, ir_version: int, unsound: Unsound, functions: dict[Key, onnx.FunctionProto]
    ) -> None:
        self.scope = scope
        self.unplaced: list[str] = []
        self._computes_shapes = any(node.proto.op_type in _SHAPES for inner in scope.all() for node in inner.nodes)
        self._light = light_model(scope, ir_version, unsound, functions)
        self._result: onnx.ModelProto | None = None
        self._codes = codes_of(scope)
        self._types: dict[tuple[int, str], onnx.TypeProto | None] = {}
        self._values: dict[str, dict[str, Any]] = {}
        self._found: dict[str, Refusal] = {}
        rounds = 0
        while (words := self._attempt(strict=True)) and rounds < MOST_ROUNDS:
            if not rounds:  # names take time, and few models need them
                self._light = light_model(scope, ir_version, unsound, functions, named=True)
                words = self._attempt(strict=True) or words
            rounds += 1
            self._take_out(words)
        if words:
            self.unplaced.append(words)
            self._attempt(strict=False)
        found = [self._found[code] for code in sorted(self._found, key=numbers_of)]
        self.refusals = [refusal for refusal in found if self._is_sure(refusal)]

    def type_of(self, scope: Scope, name: str) -> onnx.TypeProto | None:
        """Return the type of a value as a graph sees it; None if it is not known."""
        key = id(scope), name
        if key not in self._types:
            kind = self.as_inferred(scope, name)
            self._types[key] = _without_generated(kind) if known(kind) else None
        return self._types[key]

    def as_inferred(self, scope: Scope, name: str) -> onnx.TypeProto | None:
        """Return the type of a value as it came from onnx, with names for dimensions that are not known."""
        around: Scope | None = scope
        while around is not None:
            kind = self._values_of(around).get(name)
            if kind is not None:
                return kind.type if isinstance(kind, onnx.ValueInfoProto) else kind
            around = around.outer
        return None

    def types_of(self, scope: Scope, node: Node) -> list[onnx.TypeProto | None]:
        """Return the types of a node's inputs; None for one that is left out, or not known."""
        return [self.type_of(scope, name) if name else None for name in node.inputs]

    def knows(self, scope: Scope, node: Node) -> bool:
        """Whether the types of all inputs of a node are known."""
        return all(self.type_of(scope, name) is not None for name in node.inputs if name)

    def outputs_alone(self, scope: Scope, node: Node, constants: Constants) -> dict[str, onnx.TypeProto]:
        """Return the types of a node's outputs as its inputs alone make them; none if onnx refuses even that.

        Args:
            scope: the graph of the node.
            node: the node, without graphs in it.
            constants: of its graph.
        """
        model = onnx.ModelProto(ir_version=self._light.ir_version, opset_import=self._light.opset_import)
        model.functions.extend(self._light.functions)
        model.graph.node.append(node.proto)
        model.graph.node[0].domain = node.domain
        for name in dict.fromkeys(node.inputs):
            kind, tensor = self.type_of(scope, name), constants.get(name)
            if name and kind is not None:
                model.graph.input.add(name=name, type=kind)
            if name and tensor is not None:
                model.graph.initializer.append(tensor)
                model.graph.initializer[-1].name = name
        try:
            model = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
        except MemoryError:
            raise
        except Exception:  # whatever its C++ part raises
            return {}
        return {value.name: _without_generated(value.type) for value in model.graph.value_info}

    def _is_sure(self, refusal: Refusal) -> bool:
        scope, node, _ = refusal
        return self.knows(scope, node) or bool(types.faults(node, self.types_of(scope, node)))

    def _values_of(self, scope: Scope) -> dict[str, Any]:
        """Return what came of a graph's values, as it came: reading is what takes time."""
        code = self._codes.get(id(scope), "")
        if code not in self._values:
            inferred = self._result and code and inner_graph(self._result.graph, code)
            graph = inferred or onnx.GraphProto()
            values = self._values[code] = {tensor.name: of_tensor(tensor) for tensor in graph.initializer}
            for declared in (graph.value_info, graph.input, graph.output):
                values |= {value.name: value for value in declared}
        return self._values[code]

    def _attempt(self, *, strict: bool, check_type: bool = True) -> str:
        """Ask onnx; return what it says, or "" and keep the result if it is content."""
        try:
            self._result = onnx.shape_inference.infer_shapes(
                self._light, check_type=check_type, strict_mode=strict, data_prop=self._computes_shapes
            )
        except MemoryError:
            raise
        except Exception as error:  # whatever its C++ part raises
            return str(error) or type(error).__name__
        self._values.clear()
        self._types.clear()
        return ""

    def _take_out(self, words: str) -> None:
        """Take out what onnx refuses, so that the next attempt tells more."""
        typed = not self._attempt(strict=False, check_type=False)
        listed = leaves(self._attempt(strict=True, check_type=False)) or leaves(words)
        present = names_in(self._light.graph)
        found = list(self._faults(self.scope, present, listed, set())) if typed else []
        if found or not typed:
            new = dict(found) or {code: Refusal(*placed(self.scope, code), said) for code, said in listed.items()}
            self._found |= new
            self._keep_types(new)
            gone: Collection[str] = new
        else:
            self.unplaced.append(words)
            gone = listed
        remove(self._light.graph, gone)
        if not gone:
            del self._light.graph.node[:]  # it refuses something else: nothing can be known

    def _faults(
        self, scope: Scope, present: set[str], listed: dict[str, str], tainted: set[str]
    ) -> Iterator[tuple[str, Refusal]]:
        """Yield the faults of a graph that no other fault makes, in order; add their outputs to `tainted`."""
        declared = {name for name, kind in scope.declared.items() if known(kind)}
        prefix = self._codes[id(scope)]
        for node in scope.nodes:
            code = f"{prefix}{node.number}"
            if code not in present:
                continue
            sure = tainted.isdisjoint(node.inputs)
            below = [
                fault
                for subgraph in (scope.inner.get(node.number, ()) if sure else ())
                for fault in self._faults(subgraph, present, listed, tainted)
            ]
            yield from below
            if sure and not below:
                refusal = Refusal(scope, node, listed.get(code, ""))
                if not ((code in listed or types.faults(node, self.types_of(scope, node))) and self._is_sure(refusal)):
                    continue
                yield code, refusal
            tainted.update(name for name in node.outputs if name not in declared)

    def _keep_types(self, found: dict[str, Refusal]) -> None:
        """Declare the outputs of nodes that are taken out, as far as their types are sure."""
        for refusal in found.values():
            scope, node, _ = refusal
            graph = inner_graph(self._light.graph, self._codes[id(scope)])
            declared = {name for name, kind in scope.declared.items() if known(kind)}
            kinds = types.sure_outputs(node, self.types_of(scope, node))
            for name, kind in zip(node.outputs, kinds, strict=False):
                if graph is not None and name and kind is not None and name not in declared:
                    graph.value_info.add(name=name, type=kind)


def _without_generated(kind: onnx.TypeProto) -> onnx.TypeProto:
    """Return a type without the names that onnx gave to dimensions that are not known."""
    if _GENERATED not in kind.SerializeToString():
        return kind
    copy = onnx.TypeProto()
    copy.CopyFrom(kind)
    for dim in copy.tensor_type.shape.dim:
        if dim.dim_param.startswith(_GENERATED.decode()):
            dim.Clear()
    return copy
