"""What changes at the nodes of a model between its opset and another: `check-schema --target-opset`.

What the schemas of the two versions say is derived from them; `changes.py` has the rest.
"""

from collections.abc import Collection, Iterator
from itertools import chain
from typing import NamedTuple

import onnx

from mincli.errors import UsageError
from mincli.findings import Finding, Place, Severity
from mincli.findings.migration import IMPOSSIBLE, MEANING
from mincli.graphs.kinds import known, spelling
from mincli.graphs.signatures import Parameter, Signature, history, newest_opset, parameter_at, signature
from mincli.lint.changes import Use, boundary, crossed, verdict
from mincli.lint.known import Known, each_known, with_types
from mincli.lint.migration.reimported import broken
from mincli.lint.migration.rewriting import attributes_of, counterpart, inputs_of
from mincli.lint.nodes import DROPPED, replaced_by
from mincli.lint.scopes import Node, Scope, scopes_of
from mincli.spec.changes import Change

Where = tuple[str, int | None]
"""The path of a graph, and the number of a node in it."""


class Migration(NamedTuple):
    """What it takes to bring a model to another opset.

    Attributes:
        target: the opset.
        findings: what changes.
        fine: the number of nodes at which nothing does.
        changed: the number of nodes that findings are about.
        not_judged: the number of nodes of other domains, of operators that the model's own opset does not have, of
            calls of functions, and of nodes with errors.
    """

    target: int
    findings: list[Finding]
    fine: int
    changed: int
    not_judged: int


def check(model: onnx.ModelProto, target: int, faulty: Collection[Where] = ()) -> Migration:
    """Compare what each node of ONNX's own domain means at the opset of its graph or function and at another.

    Args:
        model: the model.
        target: the other opset, newer or older.
        faulty: nodes with errors of their own, which are not judged: the path of the graph, and the node's number.

    Raises:
        UsageError: there is no such opset.
    """
    newest = newest_opset("") or 0
    if not 1 <= target <= newest:
        raise UsageError(f"there is no opset {target}", hint=f"opsets 1 to {newest} are known")
    typed = with_types(model)
    found: dict[Where, list[Finding]] = {}
    dropped: dict[Where, list[Finding]] = {}
    not_judged = 0
    for root in scopes_of(typed):
        for scope, seen in each_known(root):
            for node in scope.nodes:
                where = (scope.path, node.number)
                if where not in faulty and node.function is None and _is_dropped(node):
                    dropped[where] = []
                elif node.domain or node.signature is None or where in faulty:
                    not_judged += 1
                else:
                    found[where] = list(_node(scope, node, node.signature, target, seen))
    for finding in broken(typed, target):
        at = finding.place.path, finding.place.node
        said = found.get(at, dropped.get(at))
        if said is not None and all(own.rule.severity is not Severity.ERROR for own in said):
            said.append(finding)
    found |= {where: said for where, said in dropped.items() if said}
    not_judged += sum(not said for said in dropped.values())
    changed = sum(map(bool, found.values()))
    return Migration(target, [*chain(*found.values())], len(found) - changed, changed, not_judged)


def _is_dropped(node: Node) -> bool:
    """Whether an operator was experimental in its opset, and is unknown today: only in another it may be judged."""
    return (node.domain, node.proto.op_type, node.opset) in DROPPED


def _node(scope: Scope, node: Node, old: Signature, target: int, seen: Known) -> Iterator[Finding]:
    new = signature("", old.name, target)
    place = scope.place(node)
    if new is old:
        return
    if new is None:
        first = history("", old.name)[0].since_version
        expected = f"{old.name} exists from opset {first} on"
        yield IMPOSSIBLE.at(place, f"opset {target} has no operator {old.name} yet", expected, opset=first)
        return
    if new.deprecated:
        since = new.since_version
        expected = f"{old.name} may be used until opset {since - 1}"
        hint = f"use {replaced_by(new)}" if replaced_by(new) else ""
        yield IMPOSSIBLE.at(place, f"{old.name} is deprecated in {new.opsets}", expected, hint, since)
        return
    given = {attribute.name: attribute for attribute in node.attributes}
    use = Use(node, old, new, given, seen)
    yield from _types(scope, use)
    yield from attributes_of(scope, use)
    yield from inputs_of(scope, use)
    for change in crossed(use):
        yield from _meaning(place, use, change)


def _types(scope: Scope, use: Use) -> Iterator[Finding]:
    """Yield which types, of those that are known, the other version does not take or give; each once."""
    said = set()
    new, types = use.new, use.known.types
    numbers = [counterpart(use, number) for number in range(len(use.node.inputs))]
    pairs = [(name, new.inputs, number) for name, number in zip(use.node.inputs, numbers, strict=True)]
    pairs += [(name, new.outputs, number) for number, name in enumerate(use.node.outputs)]
    for name, parameters, number in pairs:
        if number is None or not parameters or not name or name not in types:
            continue
        parameter, kind = parameter_at(parameters, number), spelling(types[name])
        if known(types[name]) and kind not in parameter.types and (kind, parameter.variable) not in said:
            said.add((kind, parameter.variable))
            yield _type(scope.place(use.node, name), use, kind, parameter)


def _type(place: Place, use: Use, kind: str, parameter: Parameter) -> Finding:
    def takes(version: Signature) -> bool:
        return any(kind in own.types for own in (*version.inputs, *version.outputs) if own.name == parameter.name)

    if parameter in use.new.outputs and len(parameter.types) == 1:
        (only,) = parameter.types
        return MEANING.at(place, f"the output {parameter.name} is {kind}, and becomes {only}", "", f"cast it to {kind}")
    expected = f"it takes {', '.join(sorted(parameter.types))}"
    taken = takes(use.old)
    return IMPOSSIBLE.at(
        place, f"{use.new.label} does not take {kind}", expected, opset=boundary(use, takes) if taken else None
    )


def _meaning(place: Place, use: Use, change: Change) -> Iterator[Finding]:
    """Yield a known change, unless the node means the same in both versions."""
    rule = verdict(use, change)
    if rule is None:
        return
    before, after = (change.before, change.after) if use.up else (change.after, change.before)
    hint = change.hint[0 if use.up else 1]
    yield rule.at(place, f"{use.old.label}: {before}; {use.new.label}: {after}", "", hint, change.since)
