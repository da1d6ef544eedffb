"""The types and constants of a scope's values, as far as onnx's shape inference and the model itself tell them."""

from collections import ChainMap
from collections.abc import Iterator
from typing import Any

import onnx

from mincli.lint.constants import Constants, elements
from mincli.lint.inference.guarded import CrashedError, RefusedError, infer_shapes
from mincli.lint.scopes import Scope


def with_types(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model with the types that onnx infers; the model itself where it infers none."""
    try:
        return infer_shapes(model)
    except (RefusedError, CrashedError):  # then only what is declared is known
        return model


class Known:
    """The types and the constants that a scope sees, its own and those of the graphs around it.

    Args:
        scope: the graph or function.
        around: of the graph around it, or None.

    Attributes:
        types: of values by name, as far as they are known.
    """

    def __init__(self, scope: Scope, around: "Known | None" = None) -> None:
        declared = scope.typed | {info.name: info.type for info in scope.proto.value_info}
        types = {name: kind for name, kind in declared.items() if kind.WhichOneof("value")}
        self.types: ChainMap[str, onnx.TypeProto] = ChainMap(types, *(around.types.maps if around else ()))
        self._constants: Constants = Constants(scope, around._constants if around else None, defaults=False)

    def constant(self, name: str) -> Any:
        """Return the elements of a small value that no run can change, as nested lists; None if it is none."""
        return elements(self._constants.get(name))


def each_known(root: Scope) -> Iterator[tuple[Scope, Known]]:
    """Yield a scope and all in it, from the outside in, with what each sees."""
    known: dict[int, Known] = {}
    for scope in root.all():
        known[id(scope)] = Known(scope, known.get(id(scope.outer)))
        yield scope, known[id(scope)]
