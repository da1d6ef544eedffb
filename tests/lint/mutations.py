"""Faults made by rule in valid models: each kind breaks a model at a site, and says what has to be found of it.

A kind is a function that takes a `Site` and returns the faults that it made; none if the site has no place for it.
A node that it changed or added is taken: no other kind touches it, so that several go into one model.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import onnx
from onnx import AttributeProto, NodeProto, TensorProto, helper, numpy_helper

from tests.lint.bases import Body

_TAKEN = "taken "


class Fault(NamedTuple):
    """What has to be found.

    Attributes:
        code: of the rule.
        path: of the graph or function.
        mark: of the node (see `number_of`); a number; "" for no node; None for any.
        value: the name of the value; None for any.
    """

    code: str
    path: str
    mark: str | int | None
    value: str | None


class Site:
    """A body in a model, to put faults in.

    Args:
        model: which is changed.
        body: in it.
        path: of the body, as findings name it.
        outer, container, caller: see `bases.Base`.
        x: the name of a float tensor of known shape, of rank 2 or more.
    """

    def __init__(
        self,
        model: onnx.ModelProto,
        body: Body,
        path: str = "",
        outer: str = "",
        container: tuple[str, int] | None = None,
        caller: tuple[str, int] | None = None,
        x: str = "x",
    ) -> None:
        self.model, self.body, self.path, self.x = model, body, path, x
        self.outer, self.container, self.caller = outer, container, caller
        self._count = 0

    @property
    def graph(self) -> onnx.GraphProto | None:
        """The body; None if it is a function's."""
        return self.body if isinstance(self.body, onnx.GraphProto) else None

    @property
    def main(self) -> onnx.GraphProto | None:
        """The body; None if it is not the main graph."""
        return None if self.path else self.graph

    @property
    def opset(self) -> int:
        """Of ONNX's own domain."""
        owner = self.model if self.graph is not None else self.body
        return max(entry.version for entry in owner.opset_import if entry.domain in ("", "ai.onnx"))

    def new(self) -> str:
        """Return the name of a new value."""
        self._count += 1
        return f"new{self._count}_{len(self.body.node)}"

    def free(self, fits: Callable[[NodeProto], bool]) -> NodeProto | None:
        """Return a node that fits and is not taken, from about the middle; None if there is none."""
        found = [node for node in self.body.node if not node.doc_string.startswith(_TAKEN) and fits(node)]
        return found[len(found) // 2] if found else None

    def take(self, node: NodeProto) -> str:
        """Take a node; return its mark."""
        if not node.doc_string.startswith(_TAKEN):
            self._count += 1
            node.doc_string = f"{_TAKEN}{self._count} {node.op_type}"
        return node.doc_string

    def add(self, operator: str, inputs: list[str], outputs: int = 1, **attributes: object) -> NodeProto:
        """Add a node at the end; return it, taken."""
        node = helper.make_node(operator, inputs, [self.new() for _ in range(outputs)], **attributes)
        self.body.node.append(node)
        self.take(self.body.node[-1])
        return self.body.node[-1]

    def use(self, node: NodeProto) -> None:
        """Add nodes behind another that would be wrong too if they were told what it must not make."""
        behind = self.add("Relu", [node.output[0]])
        if self.opset >= 8:  # before, their shapes have to be equal
            self.add("Min", [behind.output[0], self.x])

    def constant(self, array: object, dtype: object = np.float32) -> str:
        """Add a constant; return the name of its value."""
        value = numpy_helper.from_array(np.array(array, dtype))
        return self.add("Constant", [], value=value).output[0]

    def consumers(self, name: str) -> list[NodeProto]:
        """Return the nodes of the body that take a value."""
        return [node for node in self.body.node if name in node.input]

    def fault(self, code: str, node: NodeProto | str | None = "", value: str | None = "") -> Fault:
        """Return what has to be found here: at a node, at none (""), at any (None)."""
        return Fault(code, self.path, self.take(node) if isinstance(node, NodeProto) else node, value)


Kind = Callable[[Site], list[Fault]]
KINDS: dict[str, Kind] = {}
"""By name."""

WHOLE: set[str] = set()
"""The names of those that change what the whole model means: no other goes with them."""


HIDING = {
    "graph_with_too_many_outputs": "onnx's inference does not go into a graph whose outputs are too many",
    "required_attribute_of_a_function_missing": "the body of a function cannot be judged without the attribute",
}
"""Kinds that hide faults of types and shapes in the graph or function that they are made in, and why."""


def kind(function: Kind) -> Kind:
    """Put a function into the table."""
    KINDS[function.__name__] = function
    return function


def whole(function: Kind) -> Kind:
    """Put a function into the table, as one that goes alone."""
    WHOLE.add(function.__name__)
    return kind(function)


def number_of(body: Body, mark: str) -> int:
    """Return where the node with a mark is now."""
    (number,) = (number for number, node in enumerate(body.node) if node.doc_string == mark)
    return number


# The model


@whole
def no_ir_version(site):
    site.model.ClearField("ir_version")
    return [Fault("MC103", "", "", "")]


@whole
def ir_version_of_the_future(site):
    site.model.ir_version = 1000
    return [Fault("MC104", "", "", "")]


@whole
def no_opset_imports(site):
    if site.model.ir_version < 3 or site.model.functions:
        return []
    del site.model.opset_import[:]
    return [Fault("MC105", "", "", "")]


@whole
def opset_of_the_future(site):
    site.model.opset_import[0].version = 1000
    return [Fault("MC109", "", "", None)]


@whole
def opset_zero(site):
    site.model.opset_import[0].version = 0
    return [Fault("MC110", "", "", None)]


@kind
def domain_twice(site):
    if site.model.opset_import[0].version < 2:
        return []
    site.model.opset_import.add(domain=site.model.opset_import[0].domain, version=1)
    return [Fault("MC107", "", "", None)]


@kind
def graph_without_a_name(site):
    if site.main is None:
        return []
    site.main.name = ""
    return [site.fault("MC111")]


@kind
def metadata_twice(site):
    for value in ("a", "b"):
        site.model.metadata_props.add(key="author", value=value)
    return [Fault("MC112", "", "", None)]


# The graph


@kind
def input_from_nowhere(site):
    if not (node := site.free(lambda node: len(node.input))):
        return []
    node.input[0] = "nowhere"
    return [site.fault("MC201", node, "nowhere")]


@kind
def value_of_a_graph_inside(site):
    """A graph around cannot see what a graph in it makes."""
    if not site.container or site.container[0]:
        return []
    around, inside = site.model.graph.node, site.body.node[0].output[0]
    around.append(helper.make_node("Relu", [inside], ["outside"]))
    return [Fault("MC201", "", len(around) - 1, inside)]


@kind
def node_behind_its_users(site):
    def fits(node):
        users = [user for name in node.output for user in site.consumers(name)]
        return users and not any(user.doc_string.startswith(_TAKEN) for user in users)

    if not (node := site.free(fits)):
        return []
    users = [(name, site.consumers(name)) for name in node.output if site.consumers(name)]
    faults = [site.fault("MC202", each[0], name) for name, each in users]
    for _, each in users:
        for user in each:
            site.take(user)
    site.take(node)
    moved = NodeProto.FromString(node.SerializeToString())
    site.body.node.remove(node)
    site.body.node.append(moved)
    return faults


@kind
def cycle(site):
    def fits(node):
        return len(node.input) and _users(site, node)

    if not (node := site.free(fits)):
        return []
    user = _users(site, node)[0]
    node.input[0] = user.output[0]
    site.take(node)
    site.take(user)
    return [site.fault("MC203", None, None)]


def _users(site, node):
    users = [user for name in node.output for user in site.consumers(name)]
    return [user for user in users if not user.doc_string.startswith(_TAKEN) and len(user.output)]


@kind
def cycle_of_one(site):
    node = site.add("Relu", ["self"])
    node.output[0] = node.input[0] = site.new()
    site.use(node)
    return [site.fault("MC203", node, None)]


@kind
def value_made_twice(site):
    earlier = site.free(lambda node: len(node.output) and node.output[0])
    if earlier is None:
        return []
    site.take(earlier)
    node = site.add("Identity", [site.x])
    node.output[0] = earlier.output[0]
    return [site.fault("MC204", node, earlier.output[0])]


@kind
def output_of_the_name_of_an_input(site):
    if not len(site.body.input):
        return []
    node = site.add("Identity", [site.x])
    first = site.body.input[0]
    node.output[0] = first if isinstance(first, str) else first.name
    return [site.fault("MC204", node, node.output[0])]


@kind
def initializer_twice(site):
    if site.graph is None or site.model.ir_version < 4:
        return []
    for number in (1.0, 2.0):
        site.graph.initializer.append(numpy_helper.from_array(np.array([number], np.float32), "weight_twice"))
    return [site.fault("MC204", value="weight_twice")]


@kind
def input_twice(site):
    if site.main is None:
        return []
    site.main.input.append(site.main.input[0])
    return [site.fault("MC204", value=site.main.input[0].name)]


@kind
def name_of_a_graph_around(site):
    if not site.outer:
        return []
    node = site.add("Identity", [site.x])
    node.output[0] = site.outer
    return [site.fault("MC205", node, site.outer)]


@kind
def output_that_nothing_makes(site):
    if site.graph is None or (site.main is not None and not site.main.output[0].HasField("type")):
        return []  # what an output is called would change beneath the other fault
    site.graph.output[0].name = "ghost"
    return [site.fault("MC206", value="ghost")]


@kind
def output_without_a_type(site):
    if site.main is None:
        return []
    site.main.output[0].ClearField("type")
    return [site.fault("MC207", value=site.main.output[0].name)]


@kind
def input_without_a_shape(site):
    if site.main is None:
        return []
    made = site.main.input.add(name=site.new())
    made.type.tensor_type.elem_type = TensorProto.FLOAT
    return [site.fault("MC208", value=made.name)]


@kind
def input_without_a_name(site):
    if site.main is None:
        return []
    site.main.input.append(helper.make_tensor_value_info("", TensorProto.FLOAT, [1]))
    return [site.fault("MC215")]


@kind
def initializer_that_is_no_input(site):
    if site.main is None or site.model.ir_version >= 4:
        return []
    return _initializer(site, "MC209", numpy_helper.from_array(np.array([1.0], np.float32)))


def _initializer(site, code, tensor):
    tensor.name = site.new()
    site.graph.initializer.append(tensor)
    return [site.fault(code, value=tensor.name)]


def _own_initializers(site):
    return site.graph is not None and site.model.ir_version >= 4


@kind
def initializer_too_short(site):
    if not _own_initializers(site):
        return []
    return _initializer(site, "MC210", TensorProto(dims=[2], data_type=TensorProto.FLOAT, raw_data=bytes(4)))


@kind
def constant_too_long(site):
    value = TensorProto(dims=[2], data_type=TensorProto.FLOAT, float_data=[1, 2, 3])
    node = site.add("Constant", [], value=value)
    site.use(node)
    return [site.fault("MC210", node, None)]


@kind
def initializer_without_a_name(site):
    if not _own_initializers(site):
        return []
    site.graph.initializer.append(numpy_helper.from_array(np.array([1.0], np.float32)))
    return [site.fault("MC211", value=None)]


@kind
def initializer_of_no_type(site):
    if not _own_initializers(site):
        return []
    return _initializer(site, "MC213", TensorProto(dims=[1], raw_data=bytes(4)))


@kind
def initializer_of_an_unknown_type(site):
    if not _own_initializers(site):
        return []
    return _initializer(site, "MC213", TensorProto(dims=[1], data_type=999, raw_data=bytes(4)))


@kind
def constant_with_data_twice(site):
    value = TensorProto(dims=[1], data_type=TensorProto.FLOAT, float_data=[1], raw_data=bytes(4))
    node = site.add("Constant", [], value=value)
    site.use(node)
    return [site.fault("MC213", node, None)]


@kind
def initializer_in_the_wrong_field(site):
    if not _own_initializers(site):
        return []
    return _initializer(site, "MC213", TensorProto(dims=[1], data_type=TensorProto.FLOAT, int64_data=[1]))


@kind
def initializer_with_a_negative_size(site):
    if not _own_initializers(site):
        return []
    return _initializer(site, "MC213", TensorProto(dims=[-1], data_type=TensorProto.FLOAT, float_data=[1]))


@kind
def sparse_initializer_beyond_its_shape(site):
    if not _own_initializers(site):
        return []
    sparse = onnx.SparseTensorProto(dims=[3])
    sparse.values.CopyFrom(numpy_helper.from_array(np.array([1.0], np.float32), site.new()))
    sparse.indices.CopyFrom(numpy_helper.from_array(np.array([3], np.int64)))
    site.graph.sparse_initializer.append(sparse)
    return [site.fault("MC214", value=sparse.values.name)]


# Nodes

_COUNTS = {"Relu": (1, 1), "Cast": (1, 1), "Identity": (1, 1), "Concat": (1, None), "Add": (2, 2), "Conv": (2, 3)}
_COUNTS |= {"LeakyRelu": (1, 1), "MaxPool": (1, 1), "Softmax": (1, 1), "LRN": (1, 1), "Reshape": (2, 2)}
"""The least and the most inputs of operators, None for any number; hand-written."""


@kind
def operator_misspelt(site):
    if not (node := site.free(lambda node: node.op_type in _COUNTS)):
        return []
    node.op_type += "s"
    return [site.fault("MC301", node)]


@kind
def operator_removed(site):
    if site.opset < 10:
        return []
    node = site.add("Upsample", [site.x, site.constant([1, 2])], mode="nearest")
    site.use(node)
    return [site.fault("MC302", node)]


@kind
def operator_not_there_yet(site):
    if site.opset >= 24:
        return []
    node = site.add("Swish", [site.x])
    site.use(node)
    return [site.fault("MC303", node)]


@kind
def domain_not_imported(site):
    if not (node := site.free(lambda node: node.op_type in _COUNTS)):
        return []
    node.domain = "com.example"
    return [site.fault("MC305", node)]


@kind
def too_many_inputs(site):
    if not (node := site.free(lambda node: _COUNTS.get(node.op_type, (0, None))[1])):
        return []
    most = _COUNTS[node.op_type][1]
    node.input.extend([node.input[0]] * (most + 1 - len(node.input)))
    return [site.fault("MC306", node)]


@kind
def too_few_inputs(site):
    if not (node := site.free(lambda node: node.op_type in _COUNTS)):
        return []
    del node.input[_COUNTS[node.op_type][0] - 1 :]
    return [site.fault("MC306", node)]


@kind
def too_many_outputs(site):
    if not (node := site.free(lambda node: node.op_type in ("Relu", "Add", "Conv", "Cast", "Concat", "ReduceMin"))):
        return []
    node.output.append(site.new())
    return [site.fault("MC307", node)]


@kind
def required_input_left_out(site):
    if not (node := site.free(lambda node: node.op_type in ("Add", "Conv", "Reshape", "ReduceMin"))):
        return []
    node.input[0] = ""
    return [site.fault("MC308", node)]


@kind
def variadic_input_left_out(site):
    node = site.add("Min", [site.x, "", site.x])
    site.use(node)
    return [site.fault("MC308", node)]


@kind
def attribute_of_another_operator(site):
    if not (node := site.free(lambda node: node.op_type in ("Relu", "Min", "Add", "Cast", "Concat", "Conv"))):
        return []
    node.attribute.append(helper.make_attribute("direction", "forward"))
    return [site.fault("MC309", node)]


_REQUIRED = {"Concat": "axis", "Cast": "to", "LRN": "size", "MaxPool": "kernel_shape"}


def _required(node):
    return _REQUIRED.get(node.op_type) in [own.name for own in node.attribute]


@kind
def required_attribute_missing(site):
    if not (node := site.free(_required)):
        return []
    kept = [own for own in node.attribute if own.name != _REQUIRED[node.op_type]]
    del node.attribute[:]
    node.attribute.extend(kept)
    return [site.fault("MC310", node)]


@kind
def attribute_of_the_wrong_type(site):
    if not (node := site.free(_required)):
        return []
    (own,) = (own for own in node.attribute if own.name == _REQUIRED[node.op_type])
    own.CopyFrom(helper.make_attribute(own.name, "1"))
    return [site.fault("MC311", node)]


@kind
def attribute_in_another_field(site):
    if not (node := site.free(_required)):
        return []
    (own,) = (own for own in node.attribute if own.name == _REQUIRED[node.op_type])
    own.CopyFrom(AttributeProto(name=own.name, type=own.type, t=numpy_helper.from_array(np.array(1))))
    return [site.fault("MC311", node)]


@kind
def attribute_twice(site):
    if not (node := site.free(_required)):
        return []
    node.attribute.extend([own for own in node.attribute if own.name == _REQUIRED[node.op_type]])
    return [site.fault("MC312", node)]


@kind
def axes_as_an_attribute(site):
    if site.opset < 18:
        return []
    node = site.add("ReduceMin", [site.x], axes=[0])
    site.use(node)
    return [site.fault("MC313", node)]


@kind
def axes_as_an_input(site):
    if site.opset >= 18:
        return []
    axes = site.add("Cast", [site.x], to=TensorProto.INT64).output[0]
    node = site.add("ReduceMin", [site.x, axes])
    site.use(node)
    return [site.fault("MC313", node, axes)]


@kind
def equation_that_is_none(site):
    if site.opset < 12:
        return []
    node = site.add("Einsum", [site.x], equation="ij-")
    site.use(node)
    return [site.fault("MC314", node)]


@kind
def cast_to_no_type(site):
    node = site.add("Cast", [site.x], to=999)
    site.use(node)
    return [site.fault("MC314", node)]


@whole
def subgraph_output_of_no_type(site):
    if not site.container:
        return []
    site.graph.output[-1].type.tensor_type.elem_type = 0
    return [site.fault("MC207", value=site.graph.output[-1].name)]


@whole
def output_of_an_unknown_type(site):
    if site.graph is None:
        return []
    site.graph.output[-1].type.tensor_type.elem_type = 999
    return [site.fault("MC207", value=site.graph.output[-1].name)]


@kind
def reference_to_no_attribute(site):
    node = site.add("LeakyRelu", [site.x])
    node.attribute.append(AttributeProto(name="alpha", type=AttributeProto.FLOAT, ref_attr_name="absent"))
    site.use(node)
    return [site.fault("MC315", node)]


@kind
def node_without_an_operator(site):
    if not (node := site.free(lambda node: node.op_type in _COUNTS)):
        return []
    node.op_type = ""
    return [site.fault("MC316", node)]


# Types and shapes


@kind
def minimum_of_bools(site):
    node = site.add("Min", [site.add("Cast", [site.x], to=TensorProto.BOOL).output[0]])
    site.use(node)
    return [site.fault("MC401", node, None)]


@kind
def minimum_of_integers_before_12(site):
    if site.opset >= 12:
        return []
    node = site.add("Min", [site.add("Cast", [site.x], to=TensorProto.INT32).output[0]])
    site.use(node)
    return [site.fault("MC401", node, None)]


@kind
def root_of_integers(site):
    node = site.add("Sqrt", [site.add("Cast", [site.x], to=TensorProto.INT64).output[0]])
    site.use(node)
    return [site.fault("MC401", node, None)]


@kind
def two_types_in_a_sum(site):
    other = site.add("Cast", [site.x], to=TensorProto.DOUBLE).output[0]
    node = site.add("Add", [site.add("Relu", [site.x]).output[0], other])
    site.use(node)
    return [site.fault("MC402", node, None)]


@kind
def two_types_in_a_minimum(site):
    other = site.add("Cast", [site.x], to=TensorProto.DOUBLE).output[0]
    node = site.add("Min", [site.x, site.x, other])
    site.use(node)
    return [site.fault("MC402", node, None)]


def _declare(site, node, element, shape):
    info = helper.make_tensor_value_info(node.output[0], element, shape)
    site.body.value_info.append(info)
    return info.name


def _has_value_info(site):
    return site.graph is not None or site.model.ir_version >= 10


@kind
def declared_another_type(site):
    if not _has_value_info(site):
        return []
    node = site.add("Cast", [site.x], to=TensorProto.INT32)
    return [site.fault("MC403", None, _declare(site, node, TensorProto.FLOAT, None))]


@kind
def declared_another_shape(site):
    if not _has_value_info(site):
        return []
    node = site.add("Relu", [site.x])
    return [site.fault("MC508", None, _declare(site, node, TensorProto.FLOAT, [9] * 9))]


@kind
def minimum_that_does_not_broadcast(site):
    if site.opset < 8:
        return []
    node = site.add("Min", [site.x, site.constant([0] * 97)])
    site.use(node)
    return [site.fault("MC501", node, None)]


@kind
def product_that_does_not_broadcast(site):
    if site.opset < 7:
        return []
    node = site.add("Mul", [site.add("Neg", [site.x]).output[0], site.constant([[0] * 97])])
    site.use(node)
    return [site.fault("MC501", node, None)]


@kind
def minimum_of_unequal_shapes(site):
    if site.opset >= 8:
        return []
    node = site.add("Min", [site.x, site.constant([1])])
    site.use(node)
    return [site.fault("MC502", node, None)]


def _reduce(site, axes, **more):
    if site.opset < 18:
        return site.add("ReduceMin", [site.x], axes=axes, **more)
    return site.add("ReduceMin", [site.x, site.constant(axes, np.int64)], **more)


@kind
def axis_out_of_range(site):
    node = _reduce(site, [9])
    site.use(node)
    return [site.fault("MC503", node, None)]


@kind
def axis_twice(site):
    return [site.fault("MC504", _reduce(site, [0, 0]), None)]


@kind
def negative_axis_before_11(site):
    if site.opset >= 11:
        return []
    node = _reduce(site, [-1])
    site.use(node)
    return [site.fault("MC505", node, None)]


@kind
def axes_in_a_matrix(site):
    if site.opset < 18:
        return []
    node = site.add("ReduceMin", [site.x, site.constant([[0]], np.int64)])
    site.use(node)
    return [site.fault("MC506", node, None)]


@kind
def axes_of_another_type(site):
    if site.opset < 18:
        return []
    node = site.add("ReduceMin", [site.x, site.constant([0], np.int32)])
    site.use(node)
    return [site.fault("MC506", node, None)]


@kind
def keepdims_of_two(site):
    return [site.fault("MC507", _reduce(site, [0], keepdims=2), None)]


@kind
def joined_ranks_differ(site):
    node = site.add("Concat", [site.x, site.constant([1])], axis=0)
    site.use(node)
    return [site.fault("MC510", node, None)]


@kind
def matrices_that_do_not_fit(site):
    node = site.add("MatMul", [site.x, site.constant([[1]] * 97)])
    site.use(node)
    return [site.fault("MC510", node, None)]


# Functions and subgraphs


def _function(site):
    return None if site.graph is not None else site.body


@kind
def function_that_calls_itself(site):
    if (function := _function(site)) is None or not site.caller:
        return []
    if not any(entry.domain == "own" for entry in function.opset_import):
        function.opset_import.add(domain="own", version=1)
    node = site.add(function.name, [site.x], **dict.fromkeys(function.attribute, 1))
    node.domain = "own"
    return [Fault("MC601", site.path, None, None)]


@whole
def function_twice(site):
    if (function := _function(site)) is None or any(node.doc_string.startswith(_TAKEN) for node in function.node):
        return []  # a fault in it would be there twice
    site.model.functions.append(function)
    return [Fault("MC602", site.path, "", None)]


@whole
def function_without_opset_imports(site):
    if (function := _function(site)) is None:
        return []
    del function.opset_import[:]
    return [Fault("MC603", site.path, "", None)]


def _call(site):
    """Return a node that calls the function, and what finds it."""
    path, number = site.caller
    owner = site.model.graph if not path else site.model.functions[0]
    return owner.node[number], path, number


@kind
def call_with_too_many_inputs(site):
    if not site.caller:
        return []
    node, path, number = _call(site)
    node.input.append(node.input[0])
    return [Fault("MC604", path, number, None)]


@whole
def call_without_an_input(site):
    if not site.caller:
        return []
    node, path, number = _call(site)
    del node.input[:]
    return [Fault("MC613", path, number, None)]


@kind
def call_with_too_many_outputs(site):
    if not site.caller:
        return []
    node, path, number = _call(site)
    node.output.append(site.new())
    return [Fault("MC604", path, number, None)]


@kind
def function_output_that_nothing_makes(site):
    if (function := _function(site)) is None:
        return []
    function.output[0] = "ghost"
    return [site.fault("MC605", value="ghost")]


@kind
def parameter_twice(site):
    if (function := _function(site)) is None:
        return []
    function.attribute.extend(["beta", "beta"])
    return [Fault("MC606", site.path, "", None)]


@kind
def graph_with_too_many_outputs(site):
    if not site.container:
        return []
    node = site.add("Neg", [site.x])
    site.graph.output.append(helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None))
    return [site.fault("MC607")]


@whole
def functions_before_ir_version_8(site):
    if not site.model.functions:
        return []
    site.model.ir_version = 7
    return [Fault("MC609", f"function {own.domain}:{own.name} > ", "", None) for own in site.model.functions]


@kind
def required_attribute_of_a_function_missing(site):
    if not site.caller or not (cast := site.free(lambda node: any(own.ref_attr_name for own in node.attribute))):
        return []
    site.take(cast)
    node, path, number = _call(site)
    del node.attribute[:]
    return [Fault("MC610", path, number, None)]
