"""Valid models for faults to be put in: one chain of nodes, in a graph, in subgraphs and in functions of every nesting.

Each says where the chain is, in the words of a finding's place, written by hand.
"""

from collections.abc import Callable
from typing import NamedTuple

import onnx

Body = onnx.GraphProto | onnx.FunctionProto

CHAIN = """
  [relu] a = Relu (x)
  [min] b = Min (a, x)
  axes = Constant <value = int64[1] {1}> ()
  [lowest] c = ReduceMin <keepdims: int = 1> (b, axes)
  [join] d = Concat <axis: int = 1> (c, b)
  [cast] e = Cast <to: int = 1> (d)
  [again] f = ReduceMin <keepdims: int = 1> (e, axes)
  [leaky] g = LeakyRelu <alpha: float = 0.5> (f)
  [add] y = Add (g, x)
"""
"""From x to y, both float[2,3]."""

OLD_CHAIN = """
  [relu] a = Relu (x)
  [min] b = Min (a, x)
  [lowest] c = ReduceMin <axes: ints = [1], keepdims: int = 1> (b)
  [join] d = Concat <axis: int = 1> (c, b)
  [cast] e = Cast <to: int = 1> (d)
  [leaky] f = LeakyRelu <alpha: float = 0.5> (e)
  [again] g = ReduceMin <axes: ints = [1], keepdims: int = 1> (f)
  [widen] h = Concat <axis: int = 1> (g, c, g)
  [least] y = Min (h, x)
"""
"""From x to y, before opset 18."""

NEW = '<ir_version: 10, opset_import: ["" : 21]>'
CALLING = '<ir_version: 10, opset_import: ["" : 21, "own" : 1]>'
MAIN = "main (float[2,3] x, bool more) => (float[2,3] y)"


class Base(NamedTuple):
    """A valid model, and where in it faults are put.

    Attributes:
        text: the model in onnx's text form.
        path: of the body that the chain is in, as findings name it.
        body: finds it in the model.
        outer: a name of a graph around it, which it does not have itself, or "".
        container: path and number of the node that it is a graph of, or None.
        caller: path and number of the node that calls the function that it is, or None.
    """

    text: str
    path: str
    body: Callable[[onnx.ModelProto], Body]
    outer: str = ""
    container: tuple[str, int] | None = None
    caller: tuple[str, int] | None = None


def _graph(node: onnx.NodeProto, name: str) -> onnx.GraphProto:
    (graph,) = (attribute.g for attribute in node.attribute if attribute.name == name)
    return graph


def _branch(result: str, value: str = "x") -> str:
    return f"other () => (float[2,3] {result}) {{ {result} = Neg ({value}) }}"


BASES = {
    "graph": Base(f"{NEW} main (float[2,3] x) => (float[2,3] y) {{ {CHAIN} }}", "", lambda model: model.graph),
    "opset 9": Base(
        f'<ir_version: 4, opset_import: ["" : 9]> main (float[2,3] x) => (float[2,3] y) {{ {OLD_CHAIN} }}',
        "",
        lambda model: model.graph,
    ),
    "opset 6": Base(
        f'<ir_version: 3, opset_import: ["" : 6]> main (float[2,3] x) => (float[2,3] y) {{ {OLD_CHAIN} }}',
        "",
        lambda model: model.graph,
    ),
    "If": Base(
        f"""{NEW} {MAIN.replace(" y", " z")} {{
  [choose] z = If (more) <then_branch = then () => (float[2,3] y) {{ {CHAIN} }}, else_branch = {_branch("n")}>
}}""",
        "node 0 (If choose) then_branch > ",
        lambda model: _graph(model.graph.node[0], "then_branch"),
        outer="more",
        container=("", 0),
    ),
    "Loop": Base(
        f"""{NEW} {MAIN.replace(" x", " start").replace(" y", " z")} {{
  count = Constant <value = int64 {{3}}> ()
  z = Loop (count, more, start) <body = body (int64 i, bool go, float[2,3] x) => (bool on, float[2,3] y) {{
    on = Identity (go)
    {CHAIN}
  }}>
}}""",
        "node 1 (Loop) body > ",
        lambda model: _graph(model.graph.node[1], "body"),
        outer="start",
        container=("", 1),
    ),
    "Scan": Base(
        f"""{NEW} main (float[2,3] start, float[4,2,3] all) => (float[2,3] last, float[4,2,3] z) {{
  last, z = Scan (start, all) <num_scan_inputs: int = 1,
    body = body (float[2,3] state, float[2,3] x) => (float[2,3] next, float[2,3] y) {{
      next = Add (state, x)
      {CHAIN}
    }}>
}}""",
        "node 0 (Scan) body > ",
        lambda model: _graph(model.graph.node[0], "body"),
        outer="all",
        container=("", 0),
    ),
    "function": Base(
        f"""{CALLING} main (float[2,3] x) => (float[2,3] z) {{ first = Abs (x) z = own.f <to: int = 1> (first) }}
<domain: "own", opset_import: ["" : 21]>
f <to> (x) => (y) {{ {CHAIN.replace("<to: int = 1>", "<to: int = @to>")} }}""",
        "function own:f > ",
        lambda model: model.functions[0],
        caller=("", 1),
    ),
    "function in a function": Base(
        f"""{CALLING} main (float[2,3] x) => (float[2,3] z) {{ z = own.outside (x) }}
<domain: "own", opset_import: ["" : 21, "own" : 1]> outside (v) => (w) {{ u = Abs (v) w = own.inside (u) }}
<domain: "own", opset_import: ["" : 21]> inside (x) => (y) {{ {CHAIN} }}""",
        "function own:inside > ",
        lambda model: model.functions[1],
        caller=("function own:outside > ", 1),
    ),
    "If in a Loop": Base(
        f"""{NEW} {MAIN.replace(" x", " start").replace(" y", " z")} {{
  count = Constant <value = int64 {{3}}> ()
  z = Loop (count, more, start) <body = body (int64 i, bool go, float[2,3] x) => (bool on, float[2,3] t) {{
    on = Identity (go)
    [choose] t = If (go) <else_branch = {_branch("n")}, then_branch = then () => (float[2,3] y) {{ {CHAIN} }}>
  }}>
}}""",
        "node 1 (Loop) body > node 1 (If choose) then_branch > ",
        lambda model: _graph(_graph(model.graph.node[1], "body").node[1], "then_branch"),
        outer="start",
        container=("node 1 (Loop) body > ", 1),
    ),
    "If in a function": Base(
        f"""{CALLING} {MAIN.replace(" y", " z")} {{ z = own.f (x, more) }}
<domain: "own", opset_import: ["" : 21]>
f (x, more) => (z) {{
  z = If (more) <then_branch = then () => (float[2,3] y) {{ {CHAIN} }}, else_branch = {_branch("n")}>
}}""",
        "function own:f > node 0 (If) then_branch > ",
        lambda model: _graph(model.functions[0].node[0], "then_branch"),
        outer="more",
        container=("function own:f > ", 0),
    ),
}
"""By what the chain is in."""
