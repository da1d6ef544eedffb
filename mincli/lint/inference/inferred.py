"""The types and shapes of a graph's values, and the nodes that onnx's own inference refuses.

onnx's inference is asked for the whole graph at once. Where it refuses a node, that one is taken out, its outputs keep
the types that are sure, and the rest is asked for again, so that one fault neither hides nor makes others.
"""

from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import NamedTuple

import onnx

from mincli.graphs.functions import Key
from mincli.graphs.kinds import known, of_tensor
from mincli.lint import types
from mincli.lint.constants import Constants, Unsound, give
from mincli.lint.inference.attempts import Attempts, without_generated
from mincli.lint.inference.light_names import codes_of, inner_graph, leaves, names_in, numbers_of, placed, remove
from mincli.lint.scopes import Node, Scope

_Values = dict[str, onnx.TensorProto | onnx.ValueInfoProto]
MOST_ROUNDS = 50
"""Attempts; each but the last finds a fault that those before it hid."""


class Refusal(NamedTuple):
    """A node that onnx's inference refuses or crashes on, or whose types are wrong.

    Attributes:
        scope: the graph.
        node: the node.
        words: of onnx, if any.
        crashed: whether there is no answer for it.
    """

    scope: Scope
    node: Node
    words: str
    crashed: bool = False

    @property
    def contradicts(self) -> bool:
        """Whether onnx infers another type or shape of an output than is declared."""
        return "existing" in self.words


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
        self._unsound = unsound
        self._attempts = Attempts(scope, ir_version, unsound, functions)
        self._constants: dict[int, Constants] = {}
        self._codes = codes_of(scope)
        self._types: dict[tuple[int, str], onnx.TypeProto | None] = {}
        self._values: dict[str, _Values] = {}
        self._found: dict[str, Refusal] = {}
        for _ in range(MOST_ROUNDS):
            words = self._ask(strict=True)
            if words:
                self._take_out(words)
            elif not self._tell_crashes():
                break
        else:
            words = self._ask(strict=True)
        if words:
            self.unplaced.append(words)
            self._ask(strict=False)
        self._tell_crashes()
        found = [self._found[code] for code in sorted(self._found, key=numbers_of)]
        self.refusals = [refusal for refusal in found if self._is_sure(refusal)]

    def type_of(self, scope: Scope, name: str) -> onnx.TypeProto | None:
        """Return the type of a value as a graph sees it; None if it is not known."""
        key = id(scope), name
        if key not in self._types:
            kind = self.as_inferred(scope, name)
            self._types[key] = without_generated(kind) if known(kind) else None
        return self._types[key]

    def as_inferred(self, scope: Scope, name: str) -> onnx.TypeProto | None:
        """Return the type of a value as it came from onnx, with names for dimensions that are not known."""
        around: Scope | None = scope
        while around is not None:
            found = self._values_of(around).get(name)
            if found is not None:
                return of_tensor(found) if isinstance(found, onnx.TensorProto) else found.type
            around = around.outer
        return None

    def types_of(self, scope: Scope, node: Node) -> list[onnx.TypeProto | None]:
        """Return the types of a node's inputs; None for one that is left out, or not known."""
        return [self.type_of(scope, name) if name else None for name in node.inputs]

    def knows(self, scope: Scope, node: Node) -> bool:
        """Whether the types of all inputs of a node are known."""
        return all(self.type_of(scope, name) is not None for name in node.inputs if name)

    def constants(self, scope: Scope) -> Constants:
        """Return the constants that a graph sees."""
        if id(scope) not in self._constants:
            around = None if scope.outer is None else self.constants(scope.outer)
            self._constants[id(scope)] = Constants(scope, around, self._unsound)
        return self._constants[id(scope)]

    def outputs_alone(self, scope: Scope, node: Node) -> dict[str, onnx.TypeProto]:
        """Return the types of a node's outputs as its inputs alone make them; none if onnx refuses even that.

        Args:
            scope: the graph of the node.
            node: the node; of one with graphs in it nothing is known alone.
        """
        if node.number in scope.inner:
            return {}
        graph = onnx.GraphProto(node=[node.proto])
        graph.node[0].domain = node.domain
        for name in dict.fromkeys(name for name in node.inputs if name):
            give(graph, name, self.type_of(scope, name), self.constants(scope).get(name))
        inferred = self._attempts.alone(graph)
        return {value.name: without_generated(value.type) for value in inferred.value_info} if inferred else {}

    def _is_sure(self, refusal: Refusal) -> bool:
        scope, node = refusal.scope, refusal.node
        return refusal.crashed or self.knows(scope, node) or bool(types.faults(node, self.types_of(scope, node)))

    def _values_of(self, scope: Scope) -> _Values:
        """Return what came of a graph's values, as it came: reading is what takes time."""
        code = self._codes.get(id(scope), "")
        if code not in self._values:
            result = self._attempts.result
            inferred = result and code and inner_graph(result.graph, code)
            graph = inferred or onnx.GraphProto()
            values: _Values = {tensor.name: tensor for tensor in graph.initializer[:]}
            for declared in (graph.value_info, graph.input, graph.output):
                values |= {value.name: value for value in declared[:]}
            self._values[code] = values
        return self._values[code]

    def _ask(self, *, strict: bool, check_type: bool = True) -> str:
        """Ask onnx; return what it says, or "" if it is content (see `Attempts.ask`)."""
        words = self._attempts.ask(strict=strict, check_type=check_type)
        if not words:
            self._values.clear()
            self._types.clear()
        return words

    def _tell_crashes(self) -> bool:
        """Take the nodes that onnx crashes on for refused; return whether there are new ones."""
        codes = [code for code in self._attempts.crashing if code not in self._found]
        new = {code: Refusal(*placed(self.scope, code), "", crashed=True) for code in codes}
        self._found |= new
        self._keep_types(new)
        return bool(new)

    def _take_out(self, words: str) -> None:
        """Take out what onnx refuses, so that the next attempt tells more."""
        typed = not self._ask(strict=False, check_type=False)
        listed = leaves(self._ask(strict=True, check_type=False)) or leaves(words)
        present = {*names_in(self._attempts.graph)}
        found = list(self._faults(self.scope, present, listed, set())) if typed else []
        if found or not typed:
            new = dict(found) or {code: Refusal(*placed(self.scope, code), said) for code, said in listed.items()}
            self._found |= new
            self._keep_types(new)
            gone: Collection[str] = new
        else:
            self.unplaced.append(words)
            gone = listed
        remove(self._attempts.graph, gone)
        if not gone:
            del self._attempts.graph.node[:]  # it refuses something else: nothing can be known

    def _faults(
        self, scope: Scope, present: set[str], listed: dict[str, str], tainted: set[str]
    ) -> Iterator[tuple[str, Refusal]]:
        """Yield the faults of a graph that no other fault makes, in order; add their outputs to `tainted`."""
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
                if refusal.contradicts:
                    tainted.update(self._doubtful(refusal))
            tainted.update(name for name in node.outputs if not known(scope.declared.get(name)))

    def _doubtful(self, refusal: Refusal) -> set[str]:
        """Return the outputs of a node whose declarations do not count: of those, one is wrong.

        What is declared of an output of the graph is what its users rely on, and stays.
        """
        names = refusal.scope.declared.keys() & {*refusal.node.outputs}
        return names.difference(refusal.scope.outputs) if refusal.contradicts else set()

    def _keep_types(self, found: dict[str, Refusal]) -> None:
        """Declare the outputs of nodes that are taken out, as far as their types are sure."""
        graphs = {
            id(own.scope): inner_graph(self._attempts.graph, self._codes[id(own.scope)]) for own in found.values()
        }
        for refusal in found.values():
            scope, node = refusal.scope, refusal.node
            graph = graphs[id(scope)]
            if graph is None:
                continue
            doubtful = self._doubtful(refusal)
            made = self.outputs_alone(scope, node) if doubtful else {}
            for position in reversed(range(len(graph.value_info) if doubtful else 0)):
                if graph.value_info[position].name in doubtful:
                    del graph.value_info[position]
            kinds = types.sure_outputs(node, self.types_of(scope, node))
            for name, kind in zip_longest(node.outputs, kinds):
                sure = made.get(name, kind)
                taken = name in doubtful or not known(scope.declared.get(name))
                if name and sure is not None and taken:
                    graph.value_info.add(name=name, type=sure)
