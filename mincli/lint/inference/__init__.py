"""The types and shapes of all values of a model: of each graph, and of each function for each way it is called."""

from collections.abc import Iterable, Iterator

import onnx

from mincli.findings import Finding, Severity
from mincli.findings.functions import ATTRIBUTE_MISSING, CALL, FUNCTION_OPSETS, INPUT_MISSING
from mincli.graphs.functions import Key, key_of
from mincli.graphs.kinds import of_tensor
from mincli.graphs.signatures import Signature
from mincli.lint import axes, older, shapes, types
from mincli.lint.constants import Unsound
from mincli.lint.inference import symbols
from mincli.lint.inference.bodies import Bodies
from mincli.lint.inference.consequences import without_consequences
from mincli.lint.inference.inferred import Inferred, Refusal
from mincli.lint.inference.refused import contradiction, explained, generic, is_nested, unplaced
from mincli.lint.scopes import Node, Scope

_CALLS = (CALL, ATTRIBUTE_MISSING, INPUT_MISSING)
"""Faults of calls; where it is but the first, the body is looked at all the same."""


def check(model: onnx.ModelProto, roots: list[Scope], structure: Iterable[Finding]) -> Iterator[Finding]:
    """Yield what is wrong with the types and shapes of a model.

    Args:
        model: the model.
        roots: its main graph and its functions.
        structure: what else is wrong; nodes and initializers with such an error are not looked at.
    """
    errors = [finding for finding in structure if finding.rule.severity is Severity.ERROR]
    places = [own.place for own in errors if own.rule is not FUNCTION_OPSETS or own.place.node is None]
    unsound = {(place.path, place.value if place.node is None else place.node) for place in places}
    calls = {rule: {(own.place.path, own.place.node or 0) for own in errors if own.rule is rule} for rule in _CALLS}
    long_calls = calls[CALL] - calls[ATTRIBUTE_MISSING] - calls[INPUT_MISSING]
    found = list(dict.fromkeys(_Values(model.ir_version, roots, unsound, long_calls).check()))
    yield from without_consequences(found, roots, {path for path, _ in unsound})


class _Values:
    """Goes through the graphs of a model, and the bodies that are called."""

    def __init__(self, ir_version: int, roots: list[Scope], unsound: Unsound, long_calls: Unsound) -> None:
        self._ir_version = ir_version
        self._main = roots[0]
        self._unsound = unsound
        self._long_calls = long_calls
        self._bodies = Bodies(roots[1:], unsound)
        self._waiting: list[Scope] = []
        self._seen: set[bytes] = set()
        self._called: set[Key] = set()
        self._refused_calls: list[tuple[Refusal, bytes]] = []
        self._faulty: set[bytes] = set()
        self._fine: set[shapes.Case] = set()
        self._looked_at: dict[int, bool] = {}

    def check(self) -> Iterator[Finding]:
        """Yield what is wrong."""
        called = list(self._graphs([self._main]))
        yield from called
        told = {(finding.rule, finding.place) for finding in called}
        uncalled = self._graphs(self._bodies.uncalled(self._called))
        yield from (finding for finding in uncalled if (finding.rule, finding.place) not in told)
        yield from (generic(call) for call, body in self._refused_calls if body not in self._faulty)

    def _graphs(self, scopes: list[Scope]) -> Iterator[Finding]:
        """Yield the findings of graphs, and of the bodies that they call."""
        self._waiting += scopes
        while self._waiting:
            scope = self._waiting.pop()
            calls = len(self._refused_calls)
            found = list(self._graph(scope))
            if scope is not self._main and (found or len(self._refused_calls) > calls):
                self._faulty.add(_identity(scope))
            yield from found

    def _graph(self, root: Scope) -> Iterator[Finding]:
        inferred = Inferred(root, self._ir_version, self._unsound, self._bodies.usable(root))
        refusals = {(id(own.scope), own.node.number): own for own in inferred.refusals}
        found = bool(refusals)
        for scope in root.all():
            for finding in (*_initializers(scope, self._unsound), *symbols.check(inferred, scope)):
                found = True
                yield finding
            for node in scope.nodes:
                refusal = refusals.get((id(scope), node.number)) if refusals else None
                if node.function is None and refusal is None and not self._is_looked_at(node.signature):
                    continue
                if not self._is_unsound(scope, node) or (scope.path, node.number) in self._long_calls:
                    look = self._operator if node.function is None else self._call
                    yield from look(inferred, scope, node, refusal)
        if inferred.unplaced and not found and not self._unsound and root is self._main:
            yield unplaced(root, inferred.unplaced[0])

    def _is_looked_at(self, own: Signature | None) -> bool:
        """Whether there are rules for an operator version besides those of onnx's inference."""
        if id(own) not in self._looked_at:  # there is one signature of each version, for ever
            self._looked_at[id(own)] = shapes.is_ours(own) or axes.is_missed(own) or older.is_strict(own)
        return self._looked_at[id(own)]

    def _is_unsound(self, scope: Scope, node: Node) -> bool:
        return bool(self._unsound) and (scope.path, node.number) in self._unsound

    def _operator(self, inferred: Inferred, scope: Scope, node: Node, refusal: Refusal | None) -> Iterator[Finding]:
        kinds = inferred.types_of(scope, node)
        wrong = bool(refusal) and bool(types.faults(node, kinds))
        constants = inferred.constants(scope)
        own: list[Finding] = []
        if shapes.is_ours(node.signature) and not wrong:
            case = shapes.case_of(node, kinds, constants)
            if case not in self._fine:
                own = list(shapes.check(scope, node, kinds, constants))
                if not own:
                    self._fine.add(case)
        if older.is_strict(node.signature) and not wrong:
            own += older.check(scope, node, kinds, constants)
        if not wrong and all(finding.rule.severity is not Severity.ERROR for finding in own):
            own += axes.check(scope, node, kinds, constants)
        yield from own
        if refusal is not None and not own:
            yield from explained(inferred, refusal)

    def _call(self, inferred: Inferred, scope: Scope, node: Node, refusal: Refusal | None) -> Iterator[Finding]:
        key = key_of(node.proto)
        again = key in self._called
        self._called.add(key)
        if again and self._bodies.is_recursive(node):
            return  # the types that it is called with may never be the same
        kinds = inferred.types_of(scope, node)
        inside = refusal is not None and is_nested(refusal)
        if refusal is not None and not inside:
            yield from explained(inferred, refusal)
        unseen = self._is_unsound(scope, node) or not inferred.knows(scope, node)
        if inside or unseen or self._bodies.is_telling(node):
            body = self._bodies.body(node, kinds, inferred.constants(scope))
            identity = _identity(body)
            if identity not in self._seen:
                self._seen.add(identity)
                self._waiting.append(body)
            if refusal is not None and inside:
                self._refused_calls.append((refusal, identity))


def _identity(body: Scope) -> bytes:
    content: bytes = body.proto.SerializeToString(deterministic=True)
    return body.path.encode("utf-8", "surrogatepass") + content


def _initializers(scope: Scope, unsound: Unsound) -> Iterator[Finding]:
    """Yield the initializers that are declared with another type or shape than they have."""
    graph = scope.graph
    if graph is None or not graph.initializer:
        return
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for value in (*graph.input, *graph.value_info, *graph.output):
        tensor = tensors.get(value.name)
        if tensor is not None and (scope.path, value.name) not in unsound:
            place = scope.place(value=value.name)
            finding = contradiction(place, value.name, value.type, of_tensor(tensor), "its initializer is")
            if finding is not None:
                yield finding
