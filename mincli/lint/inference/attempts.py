"""Asking onnx's inference for a graph, without the nodes that it crashes on."""

from bisect import bisect_left
from collections.abc import Collection

import onnx

from mincli.graphs.functions import Key
from mincli.lint.constants import Unsound
from mincli.lint.inference.fragile import would_crash
from mincli.lint.inference.guarded import CrashedError, RefusedError, infer_shapes
from mincli.lint.inference.light import light_model
from mincli.lint.inference.light_names import codes_of, names_in, remove
from mincli.lint.scopes import Scope

_SHAPES = ("Shape", "Size")
"""Operators that make of shapes the values that other shapes are computed from.

Without them onnx is not asked for values: it keeps each element of each vector, whatever it is for, which takes the
square of the time, and gigabytes.
"""
_GENERATED = b"unk__"
MOST_ELEMENTS = 1 << 20
"""Of a vector in a graph that onnx is asked for values of."""
MOST_CRASHES = 50
"""Nodes that are found one by one; then what is left of the graph is left out, too."""


class Attempts:
    """A graph as onnx is asked for it.

    Args:
        scope: the graph.
        ir_version: of its model.
        unsound: what not to look at.
        functions: that onnx's inference may be given.

    Attributes:
        graph: what onnx is given, whose nodes are named by their places once it has refused something.
        result: its last answer with types; None if there was none.
        crashing: the names of the nodes that were left out because onnx crashes on them.
    """

    def __init__(
        self, scope: Scope, ir_version: int, unsound: Unsound, functions: dict[Key, onnx.FunctionProto]
    ) -> None:
        self.result: onnx.ModelProto | None = None
        self.crashing: list[str] = []
        self._made_of = scope, ir_version, unsound, functions
        self._named = False
        self._model = light_model(*self._made_of)
        operators = {node.proto.op_type for inner in scope.all() for node in inner.nodes}
        self._asks_values = not operators.isdisjoint(_SHAPES) and not any(map(_has_giants, scope.all()))
        codes = codes_of(scope)
        fragile = [
            f"{codes[id(inner)]}{node.number}"
            for inner in scope.all()
            for node in inner.nodes
            if would_crash(node, inner) and (inner.path, node.number) not in unsound
        ]
        if fragile:
            self._leave_out(fragile)

    @property
    def graph(self) -> onnx.GraphProto:
        """What onnx is given; its nodes have names once it has refused something."""
        return self._model.graph

    def ask(self, *, strict: bool, check_type: bool = True) -> str:
        """Ask onnx; return what it says, or "" and keep the result if it is content.

        Args:
            strict: whether it tells what is wrong, or only goes on without it.
            check_type: whether it looks at the types of inputs, too.
        """
        while True:
            try:
                self.result = infer_shapes(
                    self._model, check_type=check_type, strict=strict, data_prop=self._asks_values
                )
            except RefusedError as refused:
                if self._named:
                    return str(refused)
                self._name()
            except CrashedError:
                self._avoid_crash(strict=strict, check_type=check_type)
            else:
                return ""

    def alone(self, graph: onnx.GraphProto) -> onnx.GraphProto | None:
        """Return another graph, of the same opsets and functions, as onnx infers it; None if it does not."""
        model = onnx.ModelProto(
            ir_version=self._model.ir_version,
            opset_import=self._model.opset_import,
            functions=self._model.functions,
            graph=graph,
        )
        try:
            return infer_shapes(model, check_type=True, strict=True).graph
        except (RefusedError, CrashedError):
            return None

    def _name(self) -> None:
        """Name the nodes by their places: it takes time, and few models need it."""
        if not self._named:
            self._model = light_model(*self._made_of, named=True)
            self._named = True

    def _avoid_crash(self, **options: bool) -> None:
        """Ask no longer for values, if that is enough; else leave out the first node that onnx crashes on."""
        if self._asks_values and not _crashes(self._model, data_prop=False, **options):
            self._asks_values = False
            return
        self._name()
        names = names_in(self.graph)

        def crashes_before(end: int) -> bool:
            part = onnx.ModelProto()
            part.CopyFrom(self._model)
            remove(part.graph, names[end:])
            return _crashes(part, data_prop=self._asks_values, **options)

        first = bisect_left(range(1, len(names)), True, key=crashes_before)
        self._leave_out(names[first:] if len(self.crashing) >= MOST_CRASHES else names[first : first + 1])
        if not names:  # then it crashes on something else: nothing can be known
            self._model = onnx.ModelProto()

    def _leave_out(self, names: Collection[str]) -> None:
        self._name()
        self.crashing += names
        remove(self.graph, {*names})


def _crashes(model: onnx.ModelProto, **options: bool) -> bool:
    try:
        infer_shapes(model, **options)
    except RefusedError:
        return False
    except CrashedError:
        return True
    return False


def _has_giants(scope: Scope) -> bool:
    """Whether a graph has a vector that onnx would not make values of in any reasonable time."""
    graph = scope.graph
    if graph is None:
        return False
    values = (*graph.input, *graph.output, *graph.value_info)
    shapes = [[dim.dim_value for dim in value.type.tensor_type.shape.dim] for value in values]
    shapes += [list(tensor.dims) for tensor in graph.initializer]
    return any(len(shape) == 1 and shape[0] > MOST_ELEMENTS for shape in shapes)


def without_generated(kind: onnx.TypeProto) -> onnx.TypeProto:
    """Return a type without the names that onnx gave to dimensions that are not known."""
    if _GENERATED not in kind.SerializeToString():
        return kind
    copy = onnx.TypeProto()
    copy.CopyFrom(kind)
    for dim in copy.tensor_type.shape.dim:
        if dim.dim_param.startswith(_GENERATED.decode()):
            dim.Clear()
    return copy
