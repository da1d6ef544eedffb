"""Names, order and cycles in graphs: texts and places, and that no fault makes another."""

import pytest
from onnx import helper

from mincli.findings.table import RULES
from mincli.lint import findings_in
from tests.lint.told import codes, proto, said

SORT = "sort the nodes"
RENAME = "give it a name of its own"


def model(body, ir_version=10, opset=21):
    return f'<ir_version: {ir_version}, opset_import: ["" : {opset}]>\ng {body}'


def plain(nodes, inputs="float[2] x, bool c"):
    return model(f"({inputs}) => (float[2] y) {{ {nodes} }}")


IF = """y = If (c) <
  then_branch = t () => (float[2] p) {{ {} }},
  else_branch = e () => (float[2] q) {{ q = Abs (x) }}>
"""


@pytest.mark.parametrize(
    ("nodes", "findings"),
    [
        ("y = Add (x, bias)", [("MC201", "node 0 (Add-14)", "nothing makes its input bias", "", "")]),
        (
            "weight = Neg (x) a = Add (x, weigth) y = Add (a, weigth) z = Relu (weigth)",
            [
                (
                    "MC201",
                    "node 1 (Add-14)",
                    "nothing makes its input weigth, which 2 more nodes use",
                    "",
                    "did you mean weight?",
                )
            ],
        ),
        (
            "y = Neg (a) a = Relu (x)",
            [("MC202", "node 0 (Neg-13)", "its input a is made later, by node 1 (Relu)", "", SORT)],
        ),
        (
            "y = Add (y, x)",
            [
                (
                    "MC203",
                    "node 0 (Add-14)",
                    "it needs its own output",
                    "",
                    "an earlier value may be meant by one of the names",
                )
            ],
        ),
        (
            "[one] a = Add (x, d) b = Neg (a) d = Abs (b) y = Relu (d)",
            [
                (
                    "MC203",
                    "node 0 (Add-14 one)",
                    "node 0 (Add one), node 1 (Neg) and node 2 (Abs) need each other's outputs",
                    "",
                    "an earlier value may be meant by one of the names",
                )
            ],
        ),
        (
            "y = Relu (x) y = Neg (x)",
            [("MC204", "node 1 (Neg-13)", "its output y is made by node 0 (Relu) as well", "", RENAME)],
        ),
        (
            "x = Relu (c) y = Neg (x)",
            [("MC204", "node 0 (Relu-14)", "its output x is made by an input of the graph as well", "", RENAME)],
        ),
        ("a = Relu (x)", [("MC206", "", "nothing in the graph makes the output y", "", "")]),
        (
            IF.format("p = Neg (gone)"),
            [("MC201", "node 0 (If) then_branch > node 0 (Neg-13)", "nothing makes its input gone", "", "")],
        ),
        (
            IF.format("p = Neg (late)") + "late = Abs (x)",
            [
                (
                    "MC202",
                    "node 0 (If) then_branch > node 0 (Neg-13)",
                    "its input late is made later, by node 1 (Abs)",
                    "",
                    SORT,
                )
            ],
        ),
        (
            IF.format("p = Neg (late)") + "late = Abs (y)",
            [
                (
                    "MC203",
                    "node 0 (If-21)",
                    "node 0 (If) and node 1 (Abs) need each other's outputs",
                    "",
                    "an earlier value may be meant by one of the names",
                )
            ],
        ),
        (
            "a = Abs (x) " + IF.format("a = Neg (x) p = Neg (a)"),
            [
                (
                    "MC205",
                    "node 1 (If) then_branch > node 0 (Neg-13)",
                    "a is a value of the main graph as well",
                    "",
                    "give it another name",
                )
            ],
        ),
        (
            "p = Abs (x) " + IF.format("r = Neg (x)"),
            [
                (
                    "MC206",
                    "node 1 (If) then_branch",
                    "nothing in the graph makes the output p",
                    "a value that is made in this graph",
                    "hand the value of the graph around on by a node: Identity",
                )
            ],
        ),
    ],
)
def test_names_and_order(nodes, findings):
    assert said(plain(nodes)) == findings


def test_a_name_that_is_missing_is_missing_once():
    nodes = f"a = Add (x, gone) y = Add (a, out) {IF.replace('y =', 'z =').format('p = Neg (gone)')} w = Neg (z)"
    text = model(f"(float[2] x, bool c) => (float[2] y, float[2] out) {{ {nodes} }}")
    assert said(text, notes=True) == [
        ("MC201", "node 0 (Add-14)", "nothing makes its input gone", "", ""),
        ("MC201", "node 1 (Add-14)", "nothing makes its input out", "", ""),
    ]


def test_a_node_that_is_there_twice():
    node = "a, b = Split <num_outputs = 2> (x)"
    text = model(f"(float[2] x) => (float[1] a, float[1] b) {{ {node} {node} }}")
    words = "its outputs a and b are made by node 0 (Split) as well"
    assert said(text) == [("MC204", "node 1 (Split-18)", words, "", "give each a name of its own")]


def test_a_value_of_a_graph_around_is_seen_however_deep():
    inner = """s = If (c) <then_branch = t () => (float[2] u) { u = Neg (a) },
                           else_branch = e () => (float[2] v) { v = Abs (b) }>"""
    nodes = "a = Abs (x) " + IF.format(f"b = Neg (x) {inner} p = Abs (s)")
    assert codes(plain(nodes)) == []


def test_two_branches_may_use_the_same_names():
    nodes = """y = If (c) <then_branch = t () => (float[2] p) { r = Abs (x) p = Neg (r) },
                           else_branch = e () => (float[2] p) { r = Neg (x) p = Abs (r) }>"""
    assert codes(plain(nodes)) == []


def test_two_cycles_and_what_is_unsorted_between_them():
    nodes = "a = Neg (b) b = Add (a, d) d = Neg (e) e = Neg (d) y = Relu (b)"
    assert codes(plain(nodes, "float[2] x")) == ["MC202", "MC203", "MC203", "MC212"]


def test_inputs_and_initializers_have_names_of_their_own():
    text = model("(float[2] x, float[2] x) => (float[2] y) <float[1] w = {1}, float[1] w = {2}> { y = Add (x, w) }")
    several = "give each a name of its own"
    assert said(text) == [
        ("MC204", "", "2 inputs have the name x", "", several),
        ("MC204", "", "2 initializers have the name w", "", several),
    ]


def test_an_initializer_may_have_the_name_of_an_input():
    assert codes(model("(float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { y = Add (x, w) }")) == []


def test_an_initializer_and_a_node_may_not():
    text = model("(float[2] x) => (float[2] y) <float[2] y = {1, 2}> { y = Neg (x) }")
    assert said(text) == [("MC204", "node 0 (Neg-13)", "its output y is made by an initializer as well", "", RENAME)]


def test_an_input_of_a_graph_in_a_node_that_is_a_name_around():
    assert said(RULES["MC218"].wrong) == [
        ("MC218", "node 0 (Scan) body", "x is a value of the main graph as well", "", "give it another name")
    ]


def test_inputs_and_outputs_of_the_main_graph_have_types():
    broken = proto(plain("y = Relu (x)"))
    broken.graph.input[0].ClearField("type")
    broken.graph.output[0].type.tensor_type.ClearField("elem_type")
    broken.graph.output[0].type.tensor_type.ClearField("shape")
    assert said(broken) == [
        ("MC207", "", "the input x has no type", "", ""),
        ("MC207", "", "the output y has a tensor_type without elem_type", "", ""),
        ("MC208", "", "the output y has no shape", "", "a shape of named or unknown dimensions is enough"),
    ]


def test_in_graphs_in_nodes_they_need_none():
    right = proto(RULES["MC205"].right)
    for attribute in right.graph.node[1].attribute:
        attribute.g.output[0].ClearField("type")
    assert codes(right) == []


def test_until_ir_version_3_initializers_are_inputs():
    assert said(RULES["MC209"].wrong) == [
        (
            "MC209",
            "",
            "the initializer w is no input, in IR version 3",
            "",
            "make it an input as well, or set ModelProto.ir_version to 4 or more",
        )
    ]


def test_names_that_are_missing():
    broken = proto(model("(float[2] x) => (float[2] y) <float[1] w = {1}> { y = Add (x, w) }"))
    broken.graph.input.add().CopyFrom(helper.make_tensor_value_info("", 1, [2]))
    broken.graph.output.add().CopyFrom(helper.make_tensor_value_info("", 1, [2]))
    broken.graph.initializer.add().CopyFrom(helper.make_tensor("", 1, [1], [1]))
    assert said(broken) == [
        ("MC215", "", "input 1 has no name", "", ""),
        ("MC215", "", "output 1 has no name", "", ""),
        ("MC211", "", "initializer 1 has no name", "", ""),
    ]


def test_value_info_has_each_name_once():
    broken = proto(plain("a = Neg (x) y = Relu (a)", "float[2] x"))
    broken.graph.value_info.extend([helper.make_tensor_value_info("a", 1, [2])] * 2)
    assert said(broken) == [("MC217", "", "value_info has a 2 times", "", "keep one")]
    del broken.graph.value_info[1]
    assert codes(broken) == []


def test_what_nobody_uses():
    text = model(
        """(float[2] x, float[2] z) => (float[3] y) <float[2] w = {1, 2}> {
        a, b = Split <num_outputs = 2> (x)
        d, e = Split <num_outputs = 2> (x)
        y = Concat <axis = 0> (a, x)
    }"""
    )
    assert said(text, notes=True) == [
        ("MC212", "node 1 (Split-18)", "nobody uses its output d and e", "", ""),
        ("MC212", "", "nobody uses the initializer w", "", ""),
        ("MC212", "", "nobody uses the input z", "", ""),
    ]


def test_an_output_listed_twice():
    assert said(RULES["MC216"].wrong, notes=True) == [("MC216", "", "y is 2 of the outputs", "", "")]


def test_names_are_shown_safely():
    broken = proto(plain("y = Relu (x)"))
    broken.graph.node[0].input[0] = "\x1b[31m"
    (finding,) = (finding for finding in findings_in(broken) if finding.rule.code == "MC201")
    assert finding.found == r"nothing makes its input \x1b[31m"
    assert finding.place.value == "\x1b[31m"


def test_ten_thousand_nodes_in_one_cycle():
    nodes = [helper.make_node("Relu", [f"v{number}"], [f"v{(number + 1) % 10_000}"]) for number in range(10_000)]
    broken = proto(plain("y = Relu (x)", "float[2] x"))
    broken.graph.node.extend(nodes)
    (finding,) = findings_in(broken)
    assert finding.rule.code == "MC203"
    assert finding.found.startswith("node 1 (Relu), node 2 (Relu)")
    assert finding.found.endswith("node 8 (Relu), 9991 more and node 10000 (Relu) need each other's outputs")


def test_sizes_below_0():
    functions = """<domain: "own", opset_import: ["" : 21]> f (p) => (q) <float[2, -3] t> { t = Neg (p) q = Neg (t) }"""
    head = '<ir_version: 10, opset_import: ["" : 21, "own" : 1]>'
    nodes = "a = own.f (x) w = Relu (a) y = Neg (w)"
    text = f"{head} g (float[-1, 3] x) => (float[2, -2] y) <float[-1, -1] w> {{ {nodes} }} {functions}"
    rest = ("sizes from 0 on", "leave the size out, or give the dimension a name")
    assert said(text) == [
        ("MC219", "", "x is declared with the size -1 in dimension 0", *rest),
        ("MC219", "", "y is declared with the size -2 in dimension 1", *rest),
        ("MC219", "", "w is declared with the size -1 in dimension 0", *rest),
        ("MC219", "function own:f", "t is declared with the size -3 in dimension 1", *rest),
    ]


def test_a_size_below_0_contradicts_nothing():
    text = "(float[2, 3] x) => (float[2, -1] y) <float[-1, 3] w> { w = Relu (x) y = Neg (w) }"
    assert codes(model(text)) == ["MC219", "MC219"]
