"""What onnx's inference refuses, in words: by the finest rule that says it."""

import re
from collections.abc import Iterator

import onnx

from mincli.errors import printable
from mincli.findings import Finding, Place, Rule
from mincli.findings import shapes as shape_rules
from mincli.findings import types as type_rules
from mincli.graphs.kinds import contradicts, dims_of, sizes_of, type_in_words
from mincli.lint import shapes, types
from mincli.lint.attributes import values
from mincli.lint.inference.inferred import Inferred, Refusal
from mincli.lint.inference.light_names import MARK
from mincli.lint.scopes import Node, Scope

_NOISE = re.compile(rf"\[(Shape|Type)InferenceError\] |Inference error\(s\): |\(op_type:[^()]*\): | \({MARK}[\d.]*\)")
_NARROW = re.compile(r"narrow: value (-?\d+) cannot be represented in target type")
_DIFFER = re.compile(r"existing shape differ in (?:rank|dimension (\d+)): \((\d+)\)")
MEND = "declare what it is, or leave the declaration out"
_AXIS = re.compile(r"\baxis\b.*(must be in|out of range|is invalid)", re.IGNORECASE)


def explained(inferred: Inferred, refusal: Refusal) -> Iterator[Finding]:
    """Yield the findings of a node that is refused; its inputs are known.

    Args:
        inferred: what is known of the graph.
        refusal: the node.
    """
    scope, node, words = refusal.scope, refusal.node, refusal.words
    kinds = inferred.types_of(scope, node)
    wrong = list(values(scope, node)) or list(types.check(scope, node, kinds))
    if wrong:
        yield from wrong
    elif refusal.contradicts:
        made = inferred.outputs_alone(scope, node)
        found = [
            contradiction(scope.place(node, name), name, scope.declared[name], made[name], f"{operator(node)} makes")
            for name in node.outputs
            if name in scope.declared and name in made
        ]
        yield from (finding for finding in found if finding) if any(found) else [_computed(refusal)]
    elif words.endswith("Incompatible dimensions") and node.signature is not None:
        pair = shapes.clash([sizes_of(kind) or () for kind in kinds])
        yield generic(refusal) if pair is None else shapes.broadcast_fault(scope, node, kinds, pair)
    else:
        yield generic(refusal)


def _computed(refusal: Refusal) -> Finding:
    """Return the finding that an output is declared with another shape than onnx computes from the shapes before it."""
    scope, node = refusal.scope, refusal.node
    names = [name for name in node.outputs if name in scope.declared]
    differ = _DIFFER.search(refusal.words)
    if len(names) != 1 or differ is None:
        return generic(refusal)
    size = f"size {differ[2]} in dimension {differ[1]}" if differ[1] else f"rank {differ[2]}"
    return shape_rules.DECLARED.at(
        scope.place(node, names[0]),
        f"{printable(names[0])} is declared {type_in_words(scope.declared[names[0]])}",
        f"{operator(node)} makes {size}",
        MEND,
    )


def operator(node: Node) -> str:
    """Return the operator version of a node in words, or the function that it calls."""
    return node.signature.label if node.signature else printable(node.proto.op_type)


def generic(refusal: Refusal) -> Finding:
    """Return the finding that says in onnx's own words why a node is refused, or that it crashes on it."""
    scope, node, words = refusal.scope, refusal.node, refusal.words
    if refusal.crashed:
        return shape_rules.NOT_JUDGED.at(
            scope.place(node),
            "it is not judged: onnx's inference crashes on it, or does not end",
            hint="look at its attributes, and at what is declared of its inputs",
        )
    return _rule_of(words).at(scope.place(node), words_of(words), f"what {operator(node)} allows")


def unplaced(scope: Scope, words: str) -> Finding:
    """Return the finding of what onnx says of a graph without naming a node whose inputs are known."""
    return _rule_of(words).at(scope.place(), words_of(words), "what onnx's inference allows")


def _rule_of(words: str) -> Rule:
    if _AXIS.search(words):
        return shape_rules.AXIS_RANGE
    if _DIFFER.search(words):
        return shape_rules.DECLARED
    return type_rules.REFUSED if "[TypeInferenceError]" in words or "type" in words_of(words) else shape_rules.REFUSED


def is_nested(refusal: Refusal) -> bool:
    """Whether what onnx says of a node that calls a function is about, or may be about, a node in the body."""
    return refusal.crashed or "(op_type:" in refusal.words or "Inference error(s)" in refusal.words


def words_of(words: str) -> str:
    """Return what onnx says in one line, without its marks."""
    plain = _NARROW.sub(r"\1 is out of range", _NOISE.sub("", words))
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    return printable("; ".join(dict.fromkeys(line for line in lines if line)))[:300]


def contradiction(
    place: Place, name: str, declared: onnx.TypeProto, made: onnx.TypeProto, maker: str
) -> Finding | None:
    """Return the finding that a value is declared with another type or shape than it has; None if it is not.

    Args:
        place: of it.
        name: of the value.
        declared: what is said.
        made: what is so.
        maker: what makes it, in words.
    """
    match contradicts(declared, made):
        case "":
            return None
        case "type":
            rule = type_rules.DECLARED
        case _:
            rule = shape_rules.DECLARED
    return rule.at(
        place,
        f"{printable(name)} is declared {type_in_words(declared)}",
        f"{maker} {_made_in_words(made)}",
        MEND,
    )


def _made_in_words(made: onnx.TypeProto) -> str:
    """Return a type in words; where nothing but the rank is known of its shape, that alone."""
    dims = dims_of(made)
    if not dims or set(dims) != {"?"}:
        return type_in_words(made)
    element = onnx.TypeProto(tensor_type=onnx.TypeProto.Tensor(elem_type=made.tensor_type.elem_type))
    return f"{type_in_words(element)} of rank {len(dims)}"
