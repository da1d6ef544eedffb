"""Names, order, cycles, initializers, inputs and outputs of a graph."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import onnx

from mincli.errors import printable
from mincli.findings import Finding
from mincli.findings import graph as rules
from mincli.findings.functions import OUTPUT_UNDEFINED as FUNCTION_OUTPUT_UNDEFINED
from mincli.graphs.nearest import MOST_NAMES, did_you_mean
from mincli.graphs.nodes import node_label
from mincli.lint import ends
from mincli.lint.scopes import GIVEN, Node, Scope

Unmade = set[tuple[int, str]]
"""Names that nothing makes and that a finding tells of, each with the `id` of the scope where they are missing."""
_OF_UNMADE = {rules.UNDEFINED, rules.OUTPUT_UNDEFINED, FUNCTION_OUTPUT_UNDEFINED}
"""The rules of names that nothing makes."""


def check(root: Scope) -> Iterator[Finding]:
    """Yield what is wrong with a main graph or function, and with the graphs in its nodes."""
    unmade: Unmade = set()
    for scope in root.all():
        for finding in chain(_order(scope, unmade), _twice(scope), _outer(scope), _outputs(scope, unmade)):
            if finding.rule in _OF_UNMADE:
                unmade.add((id(scope), finding.place.value))
            yield finding
        if scope.graph is not None:
            yield from _declared(scope, scope.graph)
        yield from ends.check_sizes(scope)
    if not unmade:  # else what is unused may be what is missing elsewhere, by a slip in a name
        for scope in root.all():
            yield from _unused(scope)


def _order(scope: Scope, unmade: Unmade) -> Iterator[Finding]:
    """Yield the inputs of nodes that are not made before, or not at all: each name once, where it is used first."""
    makers = scope.makers
    early: dict[str, list[Node]] = {}
    for node in scope.nodes:
        number = node.number
        for name in node.inputs:
            if makers.get(name, number) >= number:
                early.setdefault(name, []).append(node)
    for count, (name, nodes) in enumerate(early.items()):
        if not any((id(around), name) in unmade for around, _ in scope.around(nodes[0])):
            yield from _not_before(scope, nodes, name, hinted=count < MOST_NAMES)
    backwards = early.keys() & makers.keys() or any(
        makers.get(name, GIVEN) >= node.number for node, _, inner in scope.subgraphs for name in inner.captured
    )
    for cycle in scope.cycles if backwards else ():
        labels = [_label(scope.nodes[number]) for number in cycle]
        yield rules.CYCLE.at(
            scope.place(scope.nodes[cycle[0]]),
            "it needs its own output" if len(labels) == 1 else f"{_listed(labels)} need each other's outputs",
            hint="an earlier value may be meant by one of the names",
        )


def _not_before(scope: Scope, nodes: list[Node], name: str, *, hinted: bool) -> Iterator[Finding]:
    """Yield what to say of an input that nothing in the graph of its nodes makes before them."""
    for around, within in scope.around(nodes[0]):
        maker = around.makers.get(name)
        if maker is not None:
            cycle = around.cycle_of.get(maker) if maker >= within.number else None
            if maker >= within.number and (cycle is None or cycle != around.cycle_of.get(within.number)):
                yield rules.UNSORTED.at(
                    scope.place(nodes[0], name),
                    f"its input {printable(name)} is made later, by {_label(around.nodes[maker])}",
                    hint="sort the nodes",
                )
            return
    more = {1: "", 2: ", which one more node uses"}.get(len(nodes), f", which {len(nodes) - 1} more nodes use")
    before = [other for other, maker in scope.makers.items() if other and maker < nodes[0].number] if hinted else []
    yield rules.UNDEFINED.at(
        scope.place(nodes[0], name),
        f"nothing makes its input {printable(name)}{more}",
        hint=did_you_mean(name, before[-1000:], 0.8),
    )


def _twice(scope: Scope) -> Iterator[Finding]:
    """Yield the names that are made more than once in one graph."""
    again: dict[tuple[int, str], list[str]] = {}
    inputs = {*scope.inputs} if scope.made[1] else set()
    for node, name in scope.made[1]:
        again.setdefault((node.number, _maker(scope, name, inputs)), []).append(name)
    for (number, maker), several in again.items():
        verb = "outputs {} are" if len(several) > 1 else "output {} is"
        yield rules.MADE_TWICE.at(
            scope.place(scope.nodes[number], several[0]),
            f"its {verb.format(_listed([*map(printable, several)]))} made by {maker} as well",
            hint="give each a name of its own" if len(several) > 1 else "give it a name of its own",
        )
    if scope.graph is None:
        return
    for kind, names in (("inputs", scope.inputs), ("initializers", scope.initializers)):
        for name, count in Counter(names).items() if len({*names}) < len(names) else ():
            if count > 1 and name:
                yield rules.MADE_TWICE.at(
                    scope.place(value=name),
                    f"{count} {kind} have the name {printable(name)}",
                    hint="give each a name of its own",
                )


def _maker(scope: Scope, name: str, inputs: set[str]) -> str:
    number = scope.makers[name]
    if number != GIVEN:
        return _label(scope.nodes[number])
    if name in inputs:
        return "an input of the function" if scope.graph is None else "an input of the graph"
    return "an initializer"


def _outer(scope: Scope) -> Iterator[Finding]:
    """Yield the names in a subgraph that are values of graphs around it too."""
    if scope.outer is None or scope.within is None:
        return
    outer = list(scope.outer.around(scope.within))
    for name, number in scope.makers.items():
        for around, within in outer if name else ():
            if around.makers.get(name, within.number) < within.number:
                is_input = number == GIVEN and name in scope.inputs
                yield (rules.SHADOWING_INPUT if is_input else rules.SHADOWED).at(
                    scope.place(None if number == GIVEN else scope.nodes[number], name),
                    f"{printable(name)} is a value of {around.path.removesuffix(' > ') or 'the main graph'} as well",
                    hint="give it another name",
                )
                break


def _outputs(scope: Scope, unmade: Unmade) -> Iterator[Finding]:
    """Yield the outputs that nothing makes, and those that are listed twice."""
    for name in dict.fromkeys(scope.outputs):
        if name in scope.makers or (id(scope), name) in unmade:  # "" is made: another rule has it
            continue
        if scope.graph is None:
            yield FUNCTION_OUTPUT_UNDEFINED.at(scope.place(value=name), f"nothing makes the output {printable(name)}")
            continue
        outer = scope.outer.around(scope.within) if scope.outer and scope.within else ()
        around = any(name in other.makers for other, _ in outer)
        yield rules.OUTPUT_UNDEFINED.at(
            scope.place(value=name),
            f"nothing in the graph makes the output {printable(name)}",
            "a value that is made in this graph" if around else "",
            "hand the value of the graph around on by a node: Identity" if around else "",
        )
    if scope.graph is not None and len({*scope.outputs}) < len(scope.outputs):
        for name, count in Counter(scope.outputs).items():
            if count > 1 and name:
                yield rules.OUTPUT_TWICE.at(scope.place(value=name), f"{printable(name)} is {count} of the outputs")


def _declared(scope: Scope, graph: onnx.GraphProto) -> Iterator[Finding]:
    """Yield what is wrong with the lists of inputs, outputs, initializers and descriptions."""
    for kind, names in (("input", scope.inputs), ("output", scope.outputs)):
        for number, name in enumerate(names):
            if not name:
                yield rules.UNNAMED.at(scope.place(), f"{kind} {number} has no name")
    for number, name in enumerate(scope.initializers):
        if not name:
            yield rules.UNNAMED_INITIALIZER.at(scope.place(), f"initializer {number} has no name")
    for kind, values in (("input", graph.input), ("output", graph.output)):
        for value in values:
            yield from ends.check(scope, kind, value)
    if 0 < scope.ir_version < 4:
        inputs = {*scope.inputs, ""}
        for tensor in graph.initializer:
            if tensor.name not in inputs:
                yield rules.INITIALIZER_NO_INPUT.at(
                    scope.place(value=tensor.name),
                    f"the initializer {printable(tensor.name)} is no input, in IR version {scope.ir_version}",
                    hint="make it an input as well, or set ModelProto.ir_version to 4 or more",
                )
    described = [value.name for value in graph.value_info]
    if len({*described}) < len(described):
        for name, count in Counter(described).items():
            if count > 1:
                yield rules.DESCRIBED_TWICE.at(
                    scope.place(value=name), f"value_info has {printable(name)} {count} times", hint="keep one"
                )


def _unused(scope: Scope) -> Iterator[Finding]:
    """Yield the nodes, initializers and inputs whose values nobody uses."""
    captured = [inner.captured for _, _, inner in scope.subgraphs]
    used = {*scope.outputs}.union(*captured, *[node.inputs for node in scope.nodes])
    makers = scope.makers
    for number in sorted({makers[name] for name in makers.keys() - used} - {GIVEN}):
        node = scope.nodes[number]
        if used.isdisjoint(node.outputs):
            named = _listed([printable(name) for name in node.outputs if name])
            yield rules.UNUSED.at(scope.place(node), f"nobody uses its output {named}")
    if scope.graph is None:
        return
    inputs = {*scope.inputs}
    for kind, names in (("initializer", scope.initializers), ("input", () if scope.outer else scope.inputs)):
        for name in dict.fromkeys(names):
            if name and name not in used and (kind == "input" or name not in inputs):
                yield rules.UNUSED.at(scope.place(value=name), f"nobody uses the {kind} {printable(name)}")


def _label(node: Node) -> str:
    return node_label(node.number, node.proto)


def _listed(words: list[str]) -> str:
    """Return words as a list in a sentence; the middle of a long one is left out."""
    if len(words) > 10:
        words = [*words[:8], f"{len(words) - 9} more", words[-1]]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
