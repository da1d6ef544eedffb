"""Rules of graphs: names, order, cycles, initializers, inputs and outputs."""

from mincli.findings import Rule, Severity

UNDEFINED = Rule(
    "MC201",
    Severity.ERROR,
    "an input of a node that nothing makes",
    "Every input of a node is an input or an initializer of its graph, an output of another node there, or a value of "
    "a graph around it (onnx.proto, NodeProto.input; IR.md, Names Within a Graph).",
    wrong="""<ir_version: 10, opset_import: ["" : 21]>
g (float[2] x) => (float[2] y) {
   y = Add (x, bias)
}""",
    right="""<ir_version: 10, opset_import: ["" : 21]>
g (float[2] x, float[2] bias) => (float[2] y) {
   y = Add (x, bias)
}""",
)
