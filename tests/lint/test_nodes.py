"""Rules of nodes: the exact words and places of each, in subgraphs and functions too; and what is no fault."""

import copy
import itertools

import onnx
import pytest
from onnx import AttributeProto, checker, helper

from mincli.findings import Place
from mincli.findings.nodes import DOMAIN_NAME
from mincli.graphs.signatures import history, operators
from mincli.lint import attributes, findings_in, moves, nodes
from mincli.lint.scopes import Scope
from tests.lint.told import in_short, of_families

node = helper.make_node


def model_of(*nodes, opset=21, ir=10, imports=(), functions=()):
    """Return a model of nodes; x, a, b and c are its inputs."""
    inputs = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in "xabc"]
    graph = helper.make_graph(nodes, "graph", inputs, [])
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(*own) for own in imports)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=ir, functions=functions)


def told(model):
    """Return what is said of nodes."""
    return in_short(of_families(model, "MC3"))


def places(model):
    return [(own.rule.code, own.place) for own in of_families(model, "MC3")]


ML5 = [("ai.onnx.ml", 5)]
OPERATORS = [
    pytest.param(21, (), node("Relux", ["x"], ["y"]),
                 ("MC301", "ai.onnx has no operator Relux", "", "did you mean Relu?", None), id="near"),
    pytest.param(21, (), node("RELU", ["x"], ["y"]),
                 ("MC301", "ai.onnx has no operator RELU", "", "did you mean Relu?", None), id="case"),
    pytest.param(21, (), node("Qqqq\x1b", ["x"], ["y"]),
                 ("MC301", "ai.onnx has no operator Qqqq\\x1b", "", "", None), id="nothing-near"),
    pytest.param(21, (), node("Normalizer", ["x"], ["y"]),
                 ("MC301", "ai.onnx has no operator Normalizer", "",
                  "ai.onnx.ml has it: set the domain of the node", None), id="other-domain"),
    pytest.param(21, ML5, node("Relu", ["x"], ["y"], domain="ai.onnx.ml"),
                 ("MC301", "ai.onnx.ml has no operator Relu", "", "ai.onnx has it: set the domain of the node", None),
                 id="main-domain"),
    pytest.param(11, (), node("Scatter", ["x", "a", "b"], ["y"]),
                 ("MC302", "Scatter is deprecated in opset 11 and newer", "Scatter may be used until opset 10",
                  "use ScatterElements", 11), id="scatter"),
    pytest.param(10, (), node("Upsample", ["x", "a"], ["y"]),
                 ("MC302", "Upsample is deprecated in opset 10 and newer", "Upsample may be used until opset 9",
                  "use Resize", 10), id="upsample"),
    pytest.param(21, ML5, node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml"),
                 ("MC302", "TreeEnsembleRegressor is deprecated in opset 5 and newer",
                  "TreeEnsembleRegressor may be used until opset 4", "use TreeEnsemble", 5), id="trees"),
    pytest.param(19, (), node("GroupNormalization", ["x", "a", "b"], ["y"], num_groups=1),
                 ("MC302", "GroupNormalization is deprecated in opset 18 to 20",
                  "GroupNormalization may be used from opset 21 on, with other inputs or attributes",
                  "use opset 21 or newer", 21), id="group-normalization"),
    pytest.param(19, (), node("Gelu", ["x"], ["y"]),
                 ("MC303", "opset 19 of ai.onnx has no operator Gelu yet", "Gelu exists from opset 20 on",
                  "Gelu-20 introduced it: use opset 20 or newer", 20), id="gelu"),
    pytest.param(21, [("com.x", 1)], node("Foo", ["x"], ["y"], domain="com.x"),
                 ("MC304", "com.x:Foo is not judged: onnx knows no domain com.x", "", "", None), id="own-domain"),
    pytest.param(21, (), node("Foo", ["x"], ["y"], domain="com.x"),
                 ("MC305", "the domain com.x is not imported", "imported: ai.onnx", "import com.x", None),
                 id="own-domain-not-imported"),
    pytest.param(21, (), node("Normalizer", ["x"], ["y"], domain="ai.onnx.ml"),
                 ("MC305", "the domain ai.onnx.ml is not imported", "imported: ai.onnx",
                  "import ai.onnx.ml: opset 5 is the newest", None), id="known-domain-not-imported"),
    pytest.param(21, (), node("", ["x"], ["y"]),
                 ("MC316", "it has no op_type", "", "set NodeProto.op_type", None), id="no-op-type"),
    pytest.param(9, (), node("Crop", ["x"], ["y"], scale=[1, 1]),
                 ("MC317", "Crop was experimental, and is not judged: onnx has dropped what it was then", "", "",
                  None), id="dropped"),
    pytest.param(10, (), node("Crop", ["x"], ["y"]),
                 ("MC301", "ai.onnx has no operator Crop", "", "", None), id="dropped-for-good"),
    pytest.param(10, (), node("ThresholdedRelu", ["x"], ["y"]), None, id="no-longer-experimental"),
]  # fmt: skip


@pytest.mark.parametrize(("opset", "imports", "it", "expected"), OPERATORS)
def test_operators(opset, imports, it, expected):
    found = told(model_of(it, opset=opset, imports=imports))
    assert found == ([expected] if expected else [])


SOME = [
    (21, node("Relu", ["x", "a"], ["y"]), "MC306", "it has 2 inputs", "Relu-14 takes 1 input", "", None),
    (21, node("Add", ["x"], ["y"]), "MC306", "it has 1 input", "Add-14 takes 2 inputs", "", None),
    (13, node("Min", [], ["y"]), "MC306", "it has 0 inputs", "Min-13 takes 1 to 2147483647 inputs", "", None),
    (11, node("Resize", ["x", "a"], ["y"]), "MC306", "it has 2 inputs", "Resize-11 takes 3 to 4 inputs",
     "Resize-13 takes 2: use opset 13 or newer", 13),
    (6, node("Tile", ["x", "a", "b"], ["y"]), "MC306", "it has 3 inputs", "Tile-6 takes 2 inputs",
     "Tile-1 (opset 1 to 5) took 3", 6),
    (21, node("Relu", ["x"], ["y", "z"]), "MC307", "it has 2 outputs", "Relu-14 has 1 output", "", None),
    (21, node("Relu", ["x"], []), "MC307", "it has 0 outputs", "Relu-14 has 1 output", "", None),
    (9, node("BatchNormalization", ["x", "a", "b", "c", "c"], ["y", "z"]), "MC307", "it has 2 outputs",
     "BatchNormalization-9 has 1 or 5 outputs", "", None),
    (21, node("Relu", [""], ["y"]), "MC308", "input 0 (X) is left out", "Relu-14 requires it", "", None),
    (13, node("Min", ["x", ""], ["y"]), "MC308", "input 1 (data_0) is left out",
     "Min-13 takes any number of them, and none is optional", "", None),
    (21, node("Relu", [], []), "MC319", "it has neither inputs nor outputs", "", "", None),
    (21, node("Relu", ["x"], [""]), "MC320", "output 0 (Y) is left out", "Relu-14 requires it", "", None),
    (21, node("LSTM", ["x", "a", "b"], ["", ""], hidden_size=1), "MC318", "all its outputs are left out", "",
     "remove the node", None),
]  # fmt: skip


@pytest.mark.parametrize(("opset", "it", "code", "found", "expected", "hint", "changed"), SOME)
def test_numbers_and_what_is_left_out(opset, it, code, found, expected, hint, changed):
    assert told(model_of(it, opset=opset)) == [(code, found, expected, hint, changed)]


def reference(name, kind, to):
    return AttributeProto(name=name, type=kind, ref_attr_name=to)


def with_attributes(*attributes):
    it = node("ReduceMin", ["x"], ["y"])
    it.attribute.extend(attributes)
    return it


INT, FLOAT = AttributeProto.INT, AttributeProto.FLOAT
REDUCE = "ReduceMin-13 has axes, keepdims"
ATTRIBUTES = [
    (with_attributes(AttributeProto(name="keepdim", i=1, type=INT)),
     "MC309", "ReduceMin-13 has no attribute keepdim", REDUCE, "did you mean keepdims?", None),
    (with_attributes(AttributeProto(name="a\x1b", i=1, type=INT)),
     "MC309", "ReduceMin-13 has no attribute a\\x1b", REDUCE, "", None),
    (with_attributes(AttributeProto(name="noop_with_empty_axes", i=1, type=INT)),
     "MC309", "ReduceMin-13 has no attribute noop_with_empty_axes", REDUCE,
     "ReduceMin-18 introduced it: use opset 18 or newer", 18),
    (node("Min", ["x"], ["y"], consumed_inputs=[0]),
     "MC309", "Min-13 has no attribute consumed_inputs", "Min-13 has none",
     "Min-1 (opset 1 to 5) was the last to have it", 6),
    (node("Concat", ["x"], ["y"]),
     "MC310", "the attribute axis is missing", "Concat-13 requires it: INT",
     "in Concat-1 (opset 1 to 3) it may be left out", 4),
    (node("Cast", ["x"], ["y"]), "MC310", "the attribute to is missing", "Cast-13 requires it: INT", "", None),
    (node("ReduceMin", ["x"], ["y"], keepdims=1.0),
     "MC311", "the attribute keepdims is FLOAT", "in ReduceMin-13 it is INT", "", None),
    (node("Cast", ["x"], ["y"], to="FLOAT"),
     "MC311", "the attribute to is STRING", "in Cast-13 it is INT", "Cast-1 (opset 1 to 5) has it as STRING", None),
    (with_attributes(AttributeProto(name="keepdims", i=1)),
     "MC311", "the attribute keepdims has no type", "it is INT by its value", "set AttributeProto.type", None),
    (with_attributes(AttributeProto(name="keepdims", type=INT, f=1)),
     "MC311", "the attribute keepdims has its value in f", "INT is in i", "", None),
    (with_attributes(AttributeProto(name="keepdims", type=INT, i=1, f=1)),
     "MC311", "the attribute keepdims has values in f and i", "i alone", "", None),
    (with_attributes(AttributeProto(type=INT, i=1)),
     "MC311", "an attribute has no name", "", "set AttributeProto.name", None),
    (with_attributes(*[AttributeProto(name="keepdims", type=INT, i=1)] * 3),
     "MC312", "the attribute keepdims is given 3 times", "once", "", None),
    (with_attributes(reference("keepdims", INT, "keep")),
     "MC315", "keepdims refers to keep outside a function", "a value", "", None),
]  # fmt: skip


@pytest.mark.parametrize(("it", "code", "found", "expected", "hint", "changed"), ATTRIBUTES)
def test_attributes(it, code, found, expected, hint, changed):
    assert told(model_of(it, opset=13)) == [(code, found, expected, hint, changed)]


def test_a_tensor_has_to_be_there():
    it = node("Constant", [], ["y"])
    it.attribute.append(AttributeProto(name="value", type=AttributeProto.TENSOR))
    assert told(model_of(it)) == [("MC311", "the attribute value has no value", "TENSOR is in t", "", None)]


def last(opset, number):
    return f"make it an initializer and input {number}, or use opset {opset}, the last where it is an attribute"


MOVES = [
    (18, node("ReduceMin", ["x"], ["y"], axes=[0]), [
        ("axes is given as an attribute", "from ReduceMin-18 on it is input 1 (axes)", last(17, 1), 18)]),
    (20, node("ReduceMin", ["x"], ["y"], axes=[0]), [
        ("axes is given as an attribute", "from ReduceMin-18 on it is input 1 (axes)", last(17, 1), 18)]),
    (13, node("ReduceMin", ["x", "a"], ["y"]), [
        ("axes is given as input 1", "before ReduceMin-18 it is an attribute",
         "make it the attribute axes, or use opset 18 or newer", 18)]),
    (11, node("Clip", ["x"], ["y"], min=0.0, max=6.0), [
        ("max is given as an attribute", "from Clip-11 on it is input 2 (max)", last(10, 2), 11),
        ("min is given as an attribute", "from Clip-11 on it is input 1 (min)", last(10, 1), 11)]),
    (6, node("Clip", ["x", "", "b"], ["y"]), [
        ("max is given as input 2", "before Clip-11 it is an attribute",
         "make it the attribute max, or use opset 11 or newer", 11)]),
    (5, node("Reshape", ["x"], ["y"], shape=[1]), [
        ("shape is given as an attribute", "from Reshape-5 on it is input 1 (shape)", last(4, 1), 5)]),
    (1, node("TopK", ["x", "a"], ["y", "z"]), [
        ("k is given as input 1", "before TopK-10 it is an attribute",
         "make it the attribute k, or use opset 10 or newer", 10)]),
]  # fmt: skip


@pytest.mark.parametrize(("opset", "it", "expected"), MOVES)
def test_attributes_that_are_inputs_and_the_reverse(opset, it, expected):
    """Instead of an unknown or missing attribute, or a wrong number of inputs."""
    assert told(model_of(it, opset=opset)) == [("MC313", *each) for each in expected]


REDUCTIONS = ("Max", "Min", "L1", "L2", "LogSum", "LogSumExp", "Mean", "Prod", "SumSquare")
MOVED_IN = {
    **{f"Reduce{name}-18": {"axes": 1} for name in REDUCTIONS},
    **{f"{name}-13": {"axes": 1} for name in ("ReduceSum", "Squeeze", "Unsqueeze")},
    "DFT-20": {"axis": 2},
    "Split-13": {"split": 1},
    "Pad-11": {"pads": 1, "value": 2},
    "Clip-11": {"min": 1, "max": 2},
    "Slice-10": {"starts": 1, "ends": 2, "axes": 3},
    "Dropout-12": {"ratio": 1},
    "Reshape-5": {"shape": 1},
    "Upsample-9": {"scales": 1},
    "TopK-10": {"k": 1},
}
"""Every attribute that ever became an input: the version, and the number of the input (Changelog.md of onnx)."""


def test_all_moves_of_all_operators():
    found = {}
    for domain in ("", "ai.onnx.ml", "ai.onnx.preview.training"):
        for name in operators(domain):
            versions = history(domain, name)
            for older, newer in itertools.pairwise(versions):
                if inputs := moves.as_inputs(newer, older.attributes):
                    found[newer.label] = inputs
                    extra = {number for number in inputs.values() if number >= older.max_inputs}
                    back = moves.as_attributes(older, range(older.max_inputs, newer.max_inputs))
                    assert {back[number] for number in extra} == {n for n in inputs if inputs[n] in extra}
    assert found == MOVED_IN


INSIDE = """<ir_version: 10, opset_import: ["" : 21, "own" : 1]>
g (bool c, float[2] x) => (float[2] y) {
  y = If (c) <then_branch = yes () => (float[2] t) { t = own.F <keep = 1> (x) },
              else_branch = no () => (float[2] e) { u = Relux (x)  e = Relu (u, u) }>
}
<opset_import: ["" : 18], domain: "own">
F <keep> (a) => (b) {
  d = ReduceMin <keepdims: int = @keep> (a)
  s = ReduceMin <keepdims: int = @kept, axes = [0]> (d)
  b = Add (s, d)
}
"""


def test_places_in_subgraphs_and_functions():
    assert places(onnx.parser.parse_model(INSIDE)) == [
        ("MC301", Place("node 0 (If) else_branch > ", 0, "Relux")),
        ("MC306", Place("node 0 (If) else_branch > ", 1, "Relu-14")),
        ("MC315", Place("function own:F > ", 1, "ReduceMin-18")),
        ("MC313", Place("function own:F > ", 1, "ReduceMin-18")),
    ]
    assert told(onnx.parser.parse_model(INSIDE))[2][1:3] == (
        "keepdims refers to kept, which is not declared",
        "attributes that the function declares: keep",
    )


def test_an_input_of_another_version_is_its_place():
    it = node("ReduceMin", ["x", "a"], ["y"], name="least")
    assert places(model_of(it, opset=13)) == [("MC313", Place("", 0, "ReduceMin-13", "least", "a"))]


def test_a_value_beside_a_reference():
    function = helper.make_function(
        "own", "F", ["x"], ["y"], [with_attributes(AttributeProto(name="keepdims", type=INT, i=1, ref_attr_name="k"))],
        [helper.make_opsetid("", 21)], ["k"],
    )  # fmt: skip
    call = node("F", ["x"], ["z"], domain="own", k=1)
    assert told(model_of(call, imports=[("own", 1)], functions=[function])) == [
        ("MC315", "keepdims refers to k, and has a value too", "one of them", "", None)
    ]


def test_where_no_opset_is_imported_only_that_is_a_fault():
    graph = model_of(node("Relu", ["x"], ["y"]), node("Nothing", ["x"], ["z"])).graph
    assert list(nodes.check(Scope(graph, {}, {}), 10)) == []


RIGHT = [
    pytest.param(21, 10, node("ReduceMin", ["x", ""], ["y"], __own=1.0), id="left-out-and-private"),
    pytest.param(1, 1, with_attributes(AttributeProto(name="keepdims", i=1)), id="no-type-in-ir-1"),
    pytest.param(21, 10, with_attributes(AttributeProto(name="keepdims", type=INT)), id="zero-is-not-written"),
    pytest.param(21, 10, with_attributes(AttributeProto(name="noop_with_empty_axes", type=INT, i=0, doc_string="a")),
                 id="doc-string"),
    pytest.param(21, 10, node("Split", ["x"], ["y", ""], num_outputs=2), id="an-output-of-any-number-left-out"),
    pytest.param(21, 10, node("LSTM", ["x", "a", "b", "", "", "c"], ["", "h"], hidden_size=1), id="optional"),
    pytest.param(99, 10, node("Nothing", ["x"], ["y"]), id="an-opset-that-is-not-known"),
    pytest.param(0, 10, node("Nothing", ["x"], ["y"]), id="no-opset"),
]  # fmt: skip


def test_the_other_name_of_the_domain():
    body = helper.make_graph([node("Relu", ["x"], ["p"], domain="ai.onnx")], "body", [], [])
    relus = [node("Relu", ["x"], [name], domain="ai.onnx") for name in ("y", "z", "w")]
    own = helper.make_function("d", "f", ["p"], ["q"], [node("Relu", ["p"], ["q"], domain="ai.onnx")], [])
    other, empty = (helper.make_opsetid(name, 21) for name in ("ai.onnx", ""))
    functions = [own, copy.deepcopy(own)]
    functions[0].opset_import.append(empty)
    functions[1].name = "h"
    functions[1].opset_import.append(other)
    chosen = node("If", ["b"], ["i"], then_branch=body, else_branch=copy.deepcopy(body))
    model = model_of(node("Neg", ["x"], ["n"]), *relus[:2], chosen, functions=functions)
    expected = ("one name of the domain", "leave the domain of the node out")
    found = [own for own in findings_in(model) if own.rule is DOMAIN_NAME]
    said = "its domain is ai.onnx{}, and the import has the empty name"
    assert found == [
        DOMAIN_NAME.at(Place("", 1, "Relu-14"), said.format(", and that of one more node"), *expected),
        DOMAIN_NAME.at(Place("node 3 (If) else_branch > ", 0, "Relu-14"), said.format(""), *expected),
        DOMAIN_NAME.at(Place("node 3 (If) then_branch > ", 0, "Relu-14"), said.format(""), *expected),
        DOMAIN_NAME.at(Place("function d:f > ", 0, "Relu-14"), said.format(""), *expected),
    ]
    assert told(model_of(*relus))[0][1] == said.format(", and that of 2 more nodes")


def test_domains_that_have_the_name_of_their_import():
    relus = [node("Relu", ["x"], ["y"]), node("Relu", ["x"], ["z"], domain="ai.onnx")]
    model = model_of(*relus, imports=[("ai.onnx", 21)])
    assert told(model) == []
    del model.opset_import[0]
    assert told(model) == []


@pytest.mark.parametrize(("opset", "ir", "it"), RIGHT)
def test_what_is_no_fault(opset, ir, it):
    assert told(model_of(it, opset=opset, ir=ir)) == []


def test_ir_version_1_is_judged_by_the_values():
    it = with_attributes(AttributeProto(name="keepdims", f=1))
    assert told(model_of(it, opset=1, ir=1)) == [
        ("MC311", "the attribute keepdims is FLOAT", "in ReduceMin-1 it is INT", "", None)
    ]


def test_several_faults_of_one_node_and_of_many():
    it = node("ReduceMin", ["x", "a", "b"], ["y", "z"], keepdim=1)
    codes = [code for code, *_ in told(model_of(it, node("Relu", ["x"], ["u"]), it, opset=21))]
    assert sorted(codes) == ["MC306", "MC306", "MC307", "MC307", "MC309", "MC309"]


def test_what_was_sound_once_does_not_hide_a_gap_elsewhere():
    optional = node("Clip", ["x", "", "b"], ["y"])
    required = node("Clip", ["", "x", "b"], ["z"])
    assert told(model_of(optional, required)) == [
        ("MC308", "input 0 (input) is left out", "Clip-13 requires it", "", None)
    ]


def test_large_attributes_are_judged_alike():
    it = node("ReduceMin", ["x"], ["y"], axes=[0] * 2000)
    wrong = node("ReduceMin", ["x"], ["z"], axes=[0.0] * 2000)
    assert [code for code, *_ in told(model_of(it, wrong, it, opset=13))] == ["MC311"]


def test_operators_with_some_numbers_of_outputs():
    """What onnx's checker refuses between the least and the greatest number: Python's schemas do not say it."""
    context = checker.C.CheckerContext()
    context.ir_version = 10
    refused = set()
    for name in operators(""):
        for version in history("", name):
            context.opset_imports = {"": version.since_version}
            for inputs in range(version.min_inputs, min(version.max_inputs, 9) + 1):
                for outputs in range(version.min_outputs, min(version.max_outputs, 9) + 1):
                    try:
                        checker.check_node(node(name, ["x"] * inputs, [f"y{n}" for n in range(outputs)]), context)
                    except checker.ValidationError as error:
                        if "allowed" in str(error):
                            refused.add(name)
    assert refused == nodes.SOME_OUTPUTS


def test_operators_that_take_any_attribute():
    """What onnx's checker does not refuse."""
    context = checker.C.CheckerContext()
    context.ir_version = 10
    taken = set()
    for name in operators(""):
        for version in history("", name):
            context.opset_imports = {"": version.since_version}
            outputs = [f"y{number}" for number in range(version.min_outputs)]
            try:
                checker.check_node(node(name, ["x"] * version.min_inputs, outputs, nothing=1), context)
            except checker.ValidationError:
                continue
            taken.add(version.label)
    assert taken == attributes.UNCHECKED


def test_names_like_an_operator_are_looked_for_for_some_only():
    unknown = [node(f"Relu{number}", ["x"], [f"y{number}"]) for number in range(11)]
    hints = [hint for _, _, _, hint, _ in told(model_of(*unknown, node("Relu0", ["x"], ["again"])))]
    assert hints == ["did you mean Relu?"] * 10 + ["", "did you mean Relu?"]


def test_attributes_are_compared_by_what_a_rule_asks_of_them():
    equation = "->".join(["i" * 2000] * 2)
    ends = [
        node("Einsum", ["x"], [f"y{number}"], equation=own) for number, own in enumerate([equation, equation + "?"])
    ]
    assert [place.node for _, place in places(model_of(*ends, opset=13))] == [1]


def test_long_attributes_are_compared_by_their_fields():
    long = [node("Constant", [], [f"y{number}"], value_ints=range(number, 1500)) for number in range(2)]
    long[1].attribute[0].f = 1.0
    assert places(model_of(*long)) == [("MC311", Place("", 1, "Constant-21", "", ""))]
