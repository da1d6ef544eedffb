"""Nodes that onnx's inference is known to crash on, or not to end: it is never given them, in a child process or not.

These are the guards of a process with several threads, where there is no other (see `guarded.py`), so only the faults
are here that were met in models.
"""

import onnx

from mincli.graphs.kinds import known
from mincli.lint.equations import has_equation
from mincli.lint.scopes import Node, Scope

TYPED = ("DictVectorizer", "EyeLike", "LabelEncoder", "RegexFullMatch", "TreeEnsemble")
"""Operators whose inference crashes where the type of an input is not known: it has to be declared."""
_MOST_AXIS = (1 << 31) - 1
_OTHERS = ("Einsum", "GatherND", "LayerNormalization", "Split")


def lacks_types(node: Node, scope: Scope) -> bool:
    """Whether onnx crashes on a node for want of a type: there is nothing to be known of it anyway.

    Args:
        node: the node.
        scope: its graph.
    """
    own = node.signature
    if own is None or own.name not in TYPED:
        return False
    return not node.inputs or any(_declared(scope, name) is None for name in node.inputs)


def would_crash(node: Node, scope: Scope) -> bool:
    """Whether onnx crashes on a node for what it says itself, or what is declared of its inputs.

    Args:
        node: the node; an attribute of a function that it refers to may be anything.
        scope: its graph, or the function.
    """
    own = node.signature
    if own is None or own.domain or own.name not in _OTHERS:
        return False
    given = {attribute.name: attribute for attribute in node.attributes}
    match own.name:
        case "Einsum":  # some equations that are none keep it busy for ever
            return not has_equation(node.proto)
        case "Split":  # it makes room for num_outputs, and fills as many as there are
            return _is_odd(given.get("num_outputs"), least=len(node.outputs))
        case "LayerNormalization":  # it counts from the axis on in 32 bits
            return _is_odd(given.get("axis"), least=-_MOST_AXIS)
        case _:  # GatherND takes the dimensions of the data from there on
            return _is_odd(given.get("batch_dims"), least=0)


def _is_odd(attribute: onnx.AttributeProto | None, least: int) -> bool:
    if attribute is None:
        return False
    return bool(attribute.ref_attr_name) or not least <= attribute.i <= _MOST_AXIS


def _declared(scope: Scope, name: str) -> onnx.TypeProto | None:
    """Return the type that a graph, or one around it, declares of a value; None if it does not, or declares none."""
    kind = scope.typed.get(name)
    if known(kind):
        return kind
    return _declared(scope.outer, name) if scope.outer is not None else None
