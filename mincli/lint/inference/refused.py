"""What onnx's inference refuses, in words: by the finest rule that says it."""

import re
from collections.abc import Iterator, Sequence

import onnx

from mincli.errors import printable
from mincli.findings import Finding, Place, Rule
from mincli.findings import shapes as shape_rules
from mincli.findings import types as type_rules
from mincli.graphs.kinds import contradicts, sizes_of, type_in_words
from mincli.lint import shapes, types
from mincli.lint.constants import Constants
from mincli.lint.inference.inferred import Inferred, Refusal
from mincli.lint.scopes import Node, Scope

_NOISE = re.compile(r"\[(Shape|Type)InferenceError\] |Inference error\(s\): |\(op_type:[^()]*\): ")
_DIFFER = re.compile(r"existing shape differ in (?:rank|dimension (\d+)): \((\d+)\)")
MEND = "declare what it is, or leave the declaration out"
_AXIS = re.compile(r"\baxis\b.*(must be in|out of range|is invalid)", re.IGNORECASE)


def explained(inferred: Inferred, refusal: Refusal, constants: Constants) -> Iterator[Finding]:
    """Yield the findings of a node that is refused; its inputs are known.

    Args:
        inferred: what is known of the graph.
        refusal: the node.
        constants: of its graph.
    """
    scope, node, words = refusal
    kinds = inferred.types_of(scope, node)
    wrong = list(types.check(scope, node, kinds))
    if wrong:
        yield from wrong
    elif "existing" in words and node.number not in scope.inner:
        made = inferred.outputs_alone(scope, node, constants)
        found = [
            contradiction(scope.place(node, name), name, declared, made[name], f"{operator(node)} makes")
            for name, declared in scope.declared.items()
            if name in node.outputs and name in made
        ]
        yield from (finding for finding in found if finding) if any(found) else [_computed(refusal)]
    elif words.endswith("Incompatible dimensions") and node.signature is not None:
        pair = shapes.clash([sizes_of(kind) or () for kind in kinds])
        yield generic(refusal) if pair is None else shapes.broadcast_fault(scope, node, kinds, pair)
    else:
        yield generic(refusal)


def _computed(refusal: Refusal) -> Finding:
    """Return the finding that an output is declared with another shape than onnx computes from the shapes before it."""
    scope, node, words = refusal
    names = [name for name in scope.declared if name in node.outputs]
    differ = _DIFFER.search(words)
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
    """Return the finding that says in onnx's own words why a node is refused."""
    scope, node, words = refusal
    return _rule_of(words).at(scope.place(node), words_of(words), f"what {operator(node)} allows")


def unplaced(scope: Scope, words: Sequence[str]) -> Finding:
    """Return the finding of what onnx says of a graph without naming a node whose inputs are known."""
    return _rule_of(words[0]).at(scope.place(), words_of(words[0]), "what onnx's inference allows")


def _rule_of(words: str) -> Rule:
    if _AXIS.search(words):
        return shape_rules.AXIS_RANGE
    if _DIFFER.search(words):
        return shape_rules.DECLARED
    return type_rules.REFUSED if "[TypeInferenceError]" in words or "type" in words_of(words) else shape_rules.REFUSED


def is_nested(words: str) -> bool:
    """Whether onnx speaks of a node in the body of the function that a node calls."""
    return "(op_type:" in words or "Inference error(s)" in words


def words_of(words: str) -> str:
    """Return what onnx says in one line, without its marks."""
    lines = [" ".join(_NOISE.sub("", line).split()) for line in words.splitlines()]
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
        f"{maker} {type_in_words(made)}",
        MEND,
    )
