"""Functions, and the calls of them; the graphs in nodes that operators call are in `subgraphs.py`."""

from collections import Counter
from collections.abc import Iterator

import onnx

from mincli.errors import printable
from mincli.findings import Finding
from mincli.findings import functions as rules
from mincli.graphs.functions import Key, key_of, key_of_function
from mincli.graphs.nodes import own_domain
from mincli.graphs.signatures import is_judged, signature
from mincli.lint.cycles import cycles_of, depths_of
from mincli.lint.scopes import Node, Scope

Functions = list[tuple[onnx.FunctionProto, Scope]]
"""Each function with its body."""


MOST_DEPTH = 100
"""Of functions that call each other (onnx.checker)."""


def check(model: onnx.ModelProto, roots: list[Scope]) -> Iterator[Finding]:
    """Yield what is wrong with the functions of a model, and with the calls of them.

    Args:
        model: the model.
        roots: its main graph, and its functions in order.
    """
    if not model.functions:
        return
    functions = list(zip(model.functions, roots[1:], strict=True))
    yield from _chains(functions)
    opsets = dict(roots[0].opsets)
    seen: set[Key] = set()
    for function, root in functions:
        key = key_of_function(function)
        if key in seen:
            yield rules.DEFINED_TWICE.at(
                root.place(), "it is defined before", hint="remove one, or give it an overload"
            )
        seen.add(key)
        for domain, version in root.opsets.items():
            opsets.setdefault(domain, version)
        for field in ("name", "domain"):
            if not function.HasField(field) or (field == "name" and not function.name):
                yield rules.UNNAMED.at(root.place(), f"it has no {field}", hint=f"set FunctionProto.{field}")
        yield from _parameters(function, root)
        yield from _opsets(root, opsets, roots[0])
        yield from _age(model.ir_version, function, root)
        yield from _replaced(function, root, roots[0])
    needed = {key_of_function(function): (_needed(root), _needed_inputs(root)) for function, root in functions}
    for root in roots:
        for scope in root.all():
            for node in scope.nodes:
                if node.function is not None:
                    attributes, inputs = needed[key_of(node.proto)]
                    yield from _call(scope, node, node.function, attributes)
                    yield from _inputs(scope, node, node.function, inputs)


def _chains(functions: Functions) -> Iterator[Finding]:
    """Yield the functions that call themselves at last, and one that too long a chain of them begins with."""
    numbers = {key_of_function(function): number for number, (function, _) in enumerate(functions)}
    calls = [
        {numbers[key_of(node.proto)] for scope in root.all() for node in scope.nodes if node.function is not None}
        for _, root in functions
    ]
    for cycle in cycles_of(calls):
        places = [functions[number][1].path.removesuffix(" > ") for number in cycle]
        found = "it calls itself" if len(cycle) == 1 else f"{', '.join(places[:-1])} and {places[-1]} call each other"
        yield rules.RECURSION.at(functions[cycle[0]][1].place(), found)
    depths = depths_of(dict(enumerate(calls)))
    deepest = max(depths, key=lambda number: depths[number], default=0)
    if depths.get(deepest, 0) > MOST_DEPTH:
        yield rules.DEEP.at(
            functions[deepest][1].place(),
            f"{depths[deepest]} functions, of which each calls the next, begin with it",
            f"at most {MOST_DEPTH}, as onnx.checker has it",
            "write the nodes of some of them where they are called",
        )


def _parameters(function: onnx.FunctionProto, root: Scope) -> Iterator[Finding]:
    """Yield the parameters that a function has twice."""
    attributes = [*function.attribute, *(attribute.name for attribute in function.attribute_proto)]
    for kind, names in (("inputs", root.inputs), ("outputs", root.outputs), ("attributes", attributes)):
        for name, count in Counter(names).items():
            if count > 1:
                yield rules.PARAMETER_TWICE.at(
                    root.place(value="" if kind == "attributes" else name),
                    f"{count} of its {kind} have the name {printable(name)}",
                    hint="give each a name of its own",
                )


def _opsets(root: Scope, opsets: dict[str, int], main: Scope) -> Iterator[Finding]:
    """Yield the nodes of a function that are of another version than they were in the model.

    Args:
        root: the function.
        opsets: of the model; where it imports none of a domain, of the first function that does.
        main: the main graph.
    """
    if not root.opsets and root.nodes:
        yield rules.FUNCTION_OPSETS.at(
            root.place(),
            "it imports no opset",
            "an opset of each domain of its nodes",
            "set FunctionProto.opset_import",
        )
    others: dict[str, list[tuple[Scope, Node, str]]] = {}
    for scope in root.all():
        for node in scope.nodes:
            version = opsets.get(node.domain)
            if node.signature is None or version is None or not is_judged(node.domain, version):
                continue
            theirs = signature(node.domain, node.signature.name, version)
            if theirs is None or theirs.label != node.signature.label:
                others.setdefault(node.domain, []).append((scope, node, theirs.label if theirs else "nothing"))
    for domain, found in others.items():
        (scope, node, other), version = found[0], opsets[domain]
        more = f"; {len(found) - 1} more of its nodes change" if len(found) > 1 else ""
        yield rules.FUNCTION_OPSETS.at(
            scope.place(node),
            f"by opset {node.opset} of the function it is {node.signature and node.signature.label}, and by opset "
            f"{version} of {'the model' if domain in main.opsets else 'another function'} {other}{more}",
            "one version of each operator by both",
            f"write the function for opset {version}",
        )


def _age(version: int, function: onnx.FunctionProto, root: Scope) -> Iterator[Finding]:
    """Yield what a function has that the IR version did not have."""
    features = [
        (8, "functions", True),
        (9, "default values of attributes in functions", bool(function.attribute_proto)),
        (10, "overloads of functions", bool(function.overload)),
        (10, "value_info in functions", bool(function.value_info)),
    ]
    for first, what, there in features:
        if there and 0 < version < first:
            yield rules.EARLY.at(
                root.place(),
                f"IR version {version} has no {what}",
                f"IR version {first} or more",
                f"set ModelProto.ir_version to {first}",
            )
            return


def _replaced(function: onnx.FunctionProto, root: Scope, main: Scope) -> Iterator[Finding]:
    """Yield the operator that a function is in place of."""
    domain = own_domain(function.domain)
    version = main.opsets.get(domain)
    if version is not None and is_judged(domain, version) and (own := signature(domain, function.name, version)):
        yield rules.REPLACES_OPERATOR.at(root.place(), f"it has the name of {own.label}")


def _needed(root: Scope) -> dict[str, str]:
    """Return the attributes of a function that operators in it require, each with the operator, in words."""
    needed: dict[str, str] = {}
    for scope in root.all():
        for node in scope.nodes:
            known = node.signature.attributes if node.signature else {}
            for attribute in node.attributes:
                if attribute.ref_attr_name and attribute.name in known and known[attribute.name].required:
                    needed.setdefault(attribute.ref_attr_name, f"{node.proto.op_type} in it needs {attribute.name}")
    return needed


def _needed_inputs(root: Scope) -> dict[str, str]:
    """Return the inputs of a function that operators in it require, each with the operator, in words."""
    needed: dict[str, str] = {}
    for scope in root.all():
        for node in scope.nodes:
            parameters = node.signature.inputs if node.signature else ()
            for name, parameter in zip(node.inputs, parameters, strict=False):
                if not parameter.optional:
                    needed.setdefault(name, f"{node.proto.op_type} in it needs it")
    return {name: why for name, why in needed.items() if name in root.inputs}


def _inputs(scope: Scope, node: Node, function: onnx.FunctionProto, needed: dict[str, str]) -> Iterator[Finding]:
    """Yield the inputs that a call leaves out and an operator in the function requires."""
    given = {name for name, actual in zip(function.input, node.inputs, strict=False) if actual}
    for name in dict.fromkeys(function.input):
        if name not in given and name in needed:
            found = f"the input {printable(name)} is not given"
            yield rules.INPUT_MISSING.at(scope.place(node), found, printable(needed[name]), "give it a value")


def _call(scope: Scope, node: Node, function: onnx.FunctionProto, needed: dict[str, str]) -> Iterator[Finding]:
    """Yield what is wrong with a call of a function."""
    for kind, given, taken in (("inputs", node.inputs, function.input), ("outputs", node.outputs, function.output)):
        if len(given) > len(taken):
            yield rules.CALL.at(scope.place(node), f"it has {len(given)} {kind}", f"the function has {len(taken)}")
    attributes = {attribute.name for attribute in node.attributes}
    defaults = {attribute.name for attribute in function.attribute_proto}
    for name, why in needed.items():
        if name not in attributes | defaults:
            yield rules.ATTRIBUTE_MISSING.at(
                scope.place(node), f"the attribute {printable(name)} is not given", printable(why), "give it a value"
            )
    for name in sorted(attributes - defaults - {*function.attribute}):
        yield rules.UNKNOWN_ATTRIBUTE.at(
            scope.place(node),
            f"the function has no attribute {printable(name)}",
            f"its attributes: {', '.join(map(printable, sorted(defaults | {*function.attribute}))) or 'none'}",
        )
