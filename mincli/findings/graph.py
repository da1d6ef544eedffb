"""Rules of graphs: names, order, cycles, initializers, inputs and outputs."""

from mincli.findings import Rule, Severity

HEADER = '<ir_version: 10, opset_import: ["" : 21]>'
RIGHT = f"""{HEADER}
g (float[2] x) => (float[2] y) {{
   a = Relu (x)
   y = Neg (a)
}}"""

UNDEFINED = Rule(
    "MC201",
    Severity.ERROR,
    "an input of a node that nothing makes",
    "Every input of a node is an input or an initializer of its graph, an output of another node there, or a value of "
    "a graph around it (onnx.proto, NodeProto.input; IR.md, Names Within a Graph). A function sees no graph around it.",
    wrong=f"""{HEADER}
g (float[2] x) => (float[2] y) {{
   y = Add (x, bias)
}}""",
    right=f"""{HEADER}
g (float[2] x, float[2] bias) => (float[2] y) {{
   y = Add (x, bias)
}}""",
)
UNSORTED = Rule(
    "MC202",
    Severity.ERROR,
    "a value used before the node that makes it",
    "The nodes of a graph are in the order of their values: what makes one is before all that use it (onnx.proto, "
    "GraphProto.node). A graph in a node sees what is made before that node.",
    wrong=f"""{HEADER}
g (float[2] x) => (float[2] y) {{
   y = Neg (a)
   a = Relu (x)
}}""",
    right=RIGHT,
)
CYCLE = Rule(
    "MC203",
    Severity.ERROR,
    "nodes in a cycle",
    "A graph has no cycles: no node needs a value that is made from its own outputs (IR.md, Graphs).",
    wrong=f"""{HEADER}
g (float[2] x) => (float[2] y) {{
   a = Add (x, y)
   y = Neg (a)
}}""",
    right=f"""{HEADER}
g (float[2] x) => (float[2] y) {{
   a = Add (x, x)
   y = Neg (a)
}}""",
)
MADE_TWICE = Rule(
    "MC204",
    Severity.ERROR,
    "a name made twice",
    "Each value of a graph has one maker: an input, an initializer or an output of one node (static single assignment; "
    "IR.md, Names Within a Graph). An initializer may have the name of an input, whose default it is.",
    wrong=f"""{HEADER}
g (float[2] x) => (float[2] y) {{
   y = Relu (x)
   y = Neg (x)
}}""",
    right=RIGHT,
)
SHADOWED = Rule(
    "MC205",
    Severity.ERROR,
    "a name that is also a value of a graph around",
    "What a node or an initializer of a graph in a node makes has another name than the values of the graphs around it "
    "(IR.md, Names Within a Graph; onnx.checker).",
    wrong=f"""{HEADER}
g (bool c, float[2] x) => (float[2] y) {{
   a = Relu (x)
   y = If (c) <
      then_branch = t () => (float[2] b) {{ b = Neg (a) }},
      else_branch = e () => (float[2] d) {{ a = Abs (x) d = Neg (a) }}>
}}""",
    right=f"""{HEADER}
g (bool c, float[2] x) => (float[2] y) {{
   a = Relu (x)
   y = If (c) <
      then_branch = t () => (float[2] b) {{ b = Neg (a) }},
      else_branch = e () => (float[2] d) {{ f = Abs (x) d = Neg (f) }}>
}}""",
)
OUTPUT_UNDEFINED = Rule(
    "MC206",
    Severity.ERROR,
    "an output of a graph that nothing in it makes",
    "Every output of a graph is made in that graph: by a node, an input or an initializer. In a graph in a node, a "
    "value of a graph around it is none (onnx.checker).",
    wrong=f"""{HEADER}
g (float[2] x) => (float[2] y, float[2] z) {{
   y = Relu (x)
}}""",
    right=f"""{HEADER}
g (float[2] x) => (float[2] y) {{
   y = Relu (x)
}}""",
)
UNTYPED = Rule(
    "MC207",
    Severity.ERROR,
    "an input or output without a type",
    "The inputs and outputs of the main graph say their types in full (IR.md, Static tensor shapes; onnx.checker).",
)
UNSHAPED = Rule(
    "MC208",
    Severity.ERROR,
    "an input or output without a shape",
    "The tensors that go in and out of the main graph have a shape, of which each dimension may be unknown "
    "(onnx.checker).",
    wrong=f"{HEADER} g (float[] x) => (float[2] y) {{ y = Relu (x) }}",
    right=f"{HEADER} g (float[n] x) => (float[n] y) {{ y = Relu (x) }}",
)
INITIALIZER_NO_INPUT = Rule(
    "MC209",
    Severity.ERROR,
    "an initializer that is no input, before IR version 4",
    "Until IR version 3 every initializer gives a value to an input of its graph; from 4 on it may be a constant "
    "(onnx.proto, IR_VERSION 4).",
    wrong="""<ir_version: 3, opset_import: ["" : 8]>
g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
   y = Add (x, w)
}""",
    right="""<ir_version: 3, opset_import: ["" : 8]>
g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> {
   y = Add (x, w)
}""",
)
TENSOR_SIZE = Rule(
    "MC210",
    Severity.ERROR,
    "a tensor whose data and shape disagree",
    "A tensor, in an initializer or in an attribute, has as many elements as its dims say (onnx.proto, TensorProto).",
    wrong=f"{HEADER} g (float[2] x) => (float[2] y) <float[2] w = {{1, 2, 3}}> {{ y = Add (x, w) }}",
    right=f"{HEADER} g (float[2] x) => (float[2] y) <float[2] w = {{1, 2}}> {{ y = Add (x, w) }}",
)
UNNAMED_INITIALIZER = Rule(
    "MC211",
    Severity.ERROR,
    "an initializer without a name",
    "Every initializer, dense or sparse, has a name (onnx.proto, GraphProto.initializer).",
)
UNUSED = Rule(
    "MC212",
    Severity.NOTE,
    "a value that nobody uses",
    "A node, an initializer, or an input of the main graph, of which no node uses a value and that is no output: "
    "right, but often what is left of a change.",
    wrong=f"""{HEADER}
g (float[2] x) => (float[2] y) {{
   a = Relu (x)
   y = Neg (x)
}}""",
    right=RIGHT,
)
BAD_TENSOR = Rule(
    "MC213",
    Severity.ERROR,
    "a malformed tensor",
    "A tensor has an element type, no negative dims, and its elements in one field: the one of its type, or raw_data; "
    "what is in int32_data has the width of the type (onnx.proto, TensorProto).",
)
BAD_SPARSE = Rule(
    "MC214",
    Severity.ERROR,
    "a malformed sparse tensor",
    "A sparse tensor has positive dims, a vector of values, and int64 indices for them: flat, or one for each axis, in "
    "range, in order and each once (onnx.proto, SparseTensorProto).",
)
UNNAMED = Rule(
    "MC215",
    Severity.ERROR,
    "an input or output of a graph without a name",
    "Every input and output of a graph has a name (onnx.checker).",
)
OUTPUT_TWICE = Rule(
    "MC216",
    Severity.NOTE,
    "an output listed twice",
    "One value is several outputs of a graph: right, but tools that keep outputs by name see one.",
    wrong=f"{HEADER} g (float[2] x) => (float[2] y, float[2] y) {{ y = Relu (x) }}",
    right=f"{HEADER} g (float[2] x) => (float[2] y, float[2] z) {{ y = Relu (x) z = Relu (x) }}",
)
DESCRIBED_TWICE = Rule(
    "MC217",
    Severity.ERROR,
    "a value described twice in value_info",
    "The names in value_info are distinct (onnx.proto, GraphProto.value_info).",
)
SHADOWING_INPUT = Rule(
    "MC218",
    Severity.WARNING,
    "an input of a graph in a node with the name of a value around",
    "In such a graph the name means its input. IR.md (Names Within a Graph) has the names in it differ from those of "
    "the graphs around; onnx.checker allows it, and some tools mix the two up.",
    wrong=f"""{HEADER}
g (float[3] x) => (float[3] y) {{
   y = Scan <num_scan_inputs = 1, body = b (float x) => (float z) {{ z = Relu (x) }}> (x)
}}""",
    right=f"""{HEADER}
g (float[3] x) => (float[3] y) {{
   y = Scan <num_scan_inputs = 1, body = b (float e) => (float z) {{ z = Relu (e) }}> (x)
}}""",
)
NEGATIVE_SIZE = Rule(
    "MC219",
    Severity.WARNING,
    "a declared dimension below 0",
    "Exporters write -1 for a size that they do not know; such a dimension has no value, and a name or none (IR.md, "
    "Static tensor shapes). mincli and onnxruntime take it for unknown; onnx's shape inference refuses it where it "
    "finds another size.",
    wrong=f"{HEADER} g (float[-1] x) => (float[n] y) {{ y = Relu (x) }}",
    right=f"{HEADER} g (float[n] x) => (float[n] y) {{ y = Relu (x) }}",
)
