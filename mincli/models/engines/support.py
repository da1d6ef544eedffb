"""Which nodes of a valid model onnxruntime has no kernel for: `check-schema --engine onnxruntime`.

The engine is asked, in its own process: first for the whole model; if it does not load it, for each node alone, once
for each operator version with the same types and attributes. It names only the first node that it lacks a kernel for.
"""

from collections.abc import Iterator, Mapping

import onnx

from mincli.errors import CrashError, TimeLimitError, printable
from mincli.findings import Finding, Place
from mincli.findings.engine import CRASHES, NO_KERNEL, REFUSED
from mincli.graphs.kinds import known, short, spelling
from mincli.lint.known import each_known, with_types
from mincli.lint.scopes import Node, Scope, scopes_of
from mincli.models.engines import onnxruntime
from mincli.models.engines.worker import Worker
from mincli.models.load import Model

Types = Mapping[str, onnx.TypeProto]
VALID = "valid"


def check(model: onnx.ModelProto, folder: str = "", limit: float = onnxruntime.LIMIT) -> list[Finding]:
    """Return what onnxruntime does not run.

    Args:
        model: a model without errors.
        folder: where its external data lie; "" if it has none.
        limit: the seconds that loading it may take.

    Raises:
        EngineError: onnxruntime is not installed, or the model is too large to be handed to it.
        TimeLimitError: loading took too long.
    """
    asked = _Asked(limit)
    whole = asked.load(model, folder)
    if whole is None:
        return []
    verdict = _verdict(model)
    found = [finding for finding in _each(model, asked, verdict) if finding is not None]
    missing = onnxruntime.NO_KERNEL.search(whole) if isinstance(whole, str) else None
    if isinstance(whole, CrashError):
        if not any(finding.rule is CRASHES for finding in found):
            found.append(CRASHES.at(Place(), f"{verdict}, but onnxruntime {whole.message} while it loaded the model"))
    elif missing is None:
        found.append(REFUSED.at(Place(), f"{verdict}, but onnxruntime refuses it: {onnxruntime.reason_in(whole)}"))
    elif not any(finding.rule is NO_KERNEL for finding in found):
        operator, version, name = missing.groups()
        place = _named(model, operator, name) or Place(operator=f"{operator}-{version}", name=name)
        found.append(NO_KERNEL.at(place, f"{verdict}, but onnxruntime has no kernel for {operator}-{version}"))
    return found


def _verdict(model: onnx.ModelProto) -> str:
    """Return what is known of a model without errors: what has a node that is not judged is not called valid."""
    nodes = (node for root in scopes_of(model) for scope in root.all() for node in scope.nodes)
    return VALID if all(node.signature or node.function for node in nodes) else "no errors found"


class _Asked:
    """The process of onnxruntime, and what it said."""

    def __init__(self, limit: float) -> None:
        self._worker = Worker(limit)

    def load(self, model: onnx.ModelProto, folder: str = "") -> str | CrashError | None:
        """Load a model; return what onnxruntime says against it, or how it crashed, or None.

        Raises:
            EngineError: onnxruntime is not installed, or the model is too large to be handed to it.
            TimeLimitError: loading took too long.
        """
        data, _ = onnxruntime.serialized(Model("the model", model, {}))
        try:
            done, *answer = self._worker.ask(("load", data, folder, True))
        except CrashError as error:
            return error
        except TimeLimitError as error:  # its hint is for runs
            raise TimeLimitError(
                f"onnxruntime {error.message} while it loaded a model", details=error.details
            ) from None
        if done:
            return None
        kind, text = answer
        if absent := onnxruntime.unavailable(kind, text):
            raise absent
        return str(text)


def _each(model: onnx.ModelProto, asked: _Asked, verdict: str) -> Iterator[Finding | None]:
    """Yield, for each node of the graphs of a model, what onnxruntime does not run, or None."""
    answers: dict[bytes, str | CrashError | None] = {}
    root = scopes_of(with_types(model))[0]
    for scope, seen in each_known(root):
        for node in scope.nodes:
            alone = _alone(model, scope, node, seen.types)
            if alone is not None:
                question = alone.SerializeToString(deterministic=True)
                if question not in answers:
                    answers[question] = asked.load(alone)
                # what is known of the types is of the node alone: no other has a say in whether it is valid
                said = VALID if node.signature else verdict
                yield _finding(scope, node, seen.types, answers[question], said)


def _alone(model: onnx.ModelProto, scope: Scope, node: Node, types: Types) -> onnx.ModelProto | None:
    """Return a model of one node, the same for nodes that differ only in names and shapes.

    None if the types of its inputs are not known, or it has graphs inside, whose nodes are asked about one by one.
    """
    names = [name for name in dict.fromkeys(node.inputs) if name]
    if any(name not in types for name in names) or node.number in scope.inner:
        return None
    called = {name: f"i{number}" for number, name in enumerate(names)} | {"": ""}
    own = onnx.NodeProto()
    own.CopyFrom(node.proto)
    for field in ("name", "doc_string", "input", "output", "metadata_props"):
        own.ClearField(field)
    own.input.extend(called[name] for name in node.inputs)
    own.output.extend(f"o{number}" if name else "" for number, name in enumerate(node.outputs))
    graph = onnx.GraphProto(name="node", node=[own])
    graph.input.extend(onnx.ValueInfoProto(name=called[name], type=_without_shape(types[name])) for name in names)
    graph.output.extend(onnx.ValueInfoProto(name=name) for name in own.output if name)
    opsets = [onnx.helper.make_opsetid(domain, version) for domain, version in scope.opsets.items()]
    functions = model.functions if node.function is not None else ()
    return onnx.ModelProto(ir_version=model.ir_version, graph=graph, opset_import=opsets, functions=functions)


def _without_shape(kind: onnx.TypeProto) -> onnx.TypeProto:
    own = onnx.TypeProto()
    own.CopyFrom(kind)
    inner = own
    while inner.WhichOneof("value") in ("sequence_type", "optional_type"):
        inner = getattr(inner, inner.WhichOneof("value")).elem_type
    if inner.HasField("tensor_type"):
        inner.tensor_type.ClearField("shape")
    return own


def _finding(scope: Scope, node: Node, types: Types, answer: str | CrashError | None, verdict: str) -> Finding | None:
    """Return what an answer to the question for one node says of it; a refusal may be for what it stands alone."""
    place = scope.place(node)
    if isinstance(answer, CrashError):
        return CRASHES.at(place, f"{verdict}, but onnxruntime {answer.message} while it loaded {place.operator} alone")
    missing = onnxruntime.NO_KERNEL.search(answer or "")
    if missing is None:
        return None
    operator, version, _ = missing.groups()
    found = f"{verdict}, but onnxruntime has no kernel for {operator}-{version}"
    if operator == node.proto.op_type:
        return NO_KERNEL.at(place, f"{found}{_on(node, types)}")
    return NO_KERNEL.at(place, f"{found}, which it makes of {printable(place.operator)}{_on(node, types)}")


def _on(node: Node, types: Types) -> str:
    """Return the types of a node's inputs and outputs in words: ` on int16`, ` on float to int4`."""
    inputs, outputs = (_elements(names, types) for names in (node.inputs, node.outputs))
    made = [name for name in outputs if name not in inputs]
    return (f" on {', '.join(inputs)}" if inputs else "") + (f" to {', '.join(made)}" if made else "")


def _elements(names: tuple[str, ...], types: Types) -> list[str]:
    kinds = (types[name] for name in names if name in types)
    return list(dict.fromkeys(short(spelling(kind)) for kind in kinds if known(kind)))


def _named(model: onnx.ModelProto, operator: str, name: str) -> Place | None:
    """Return the place of the only node of an operator and a name, or None."""
    scopes = (scope for root in scopes_of(model) for scope in root.all())
    found = [
        scope.place(node)
        for scope in scopes
        for node in scope.nodes
        if (node.proto.op_type, node.proto.name) == (operator, name)
    ]
    return found[0] if len(found) == 1 else None
