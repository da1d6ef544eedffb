"""Rules of element types: the type constraints of a node's operator version."""

from mincli.findings import Rule, Severity

NOT_TAKEN = Rule(
    "MC401",
    Severity.ERROR,
    "a type that this version of the operator does not take",
    "The schema of each operator version lists the types of each input: of tensors the element types, of sequences and "
    "optionals what they hold (onnx operator schemas, type constraints). Later versions mostly take more.",
    wrong="""<ir_version: 8, opset_import: ["" : 8]>
g (int32[2] x, int32[2] y) => (int32[2] z) {
   z = Min (x, y)
}""",
    right="""<ir_version: 8, opset_import: ["" : 12]>
g (int32[2] x, int32[2] y) => (int32[2] z) {
   z = Min (x, y)
}""",
)

SEVERAL = Rule(
    "MC402",
    Severity.ERROR,
    "several types where one is meant",
    "Inputs that share a type variable of the schema, such as T, are of one type: nothing is converted by itself "
    "(onnx operator schemas, type constraints).",
    wrong="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x, int64[2] y) => (float[2] z) {
   z = Min (x, y)
}""",
    right="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x, int64[2] y) => (float[2] z) {
   converted = Cast <to: int = 1> (y)
   z = Min (x, converted)
}""",
)

DECLARED = Rule(
    "MC403",
    Severity.ERROR,
    "a value that is declared with another type than it has",
    "What a graph says of a value, as an input, output or in value_info, agrees with its initializer and with what its "
    "node makes (IR.md, Graphs; onnx.proto, GraphProto.value_info).",
    wrong="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x) => (int64[2] y) {
   y = Relu (x)
}""",
    right="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x) => (float[2] y) {
   y = Relu (x)
}""",
)

REFUSED = Rule(
    "MC404",
    Severity.ERROR,
    "types that onnx's inference refuses",
    "The type inference of onnx's own schema of the operator finds the node wrong; the words are onnx's.",
    wrong="""<ir_version: 8, opset_import: ["" : 13]>
g (bool c, float[2] x, int64[2] i) => (float[2] y) {
   y = If (c) <
      then_branch = yes () => (float[2] a) { a = Identity (x) },
      else_branch = no () => (int64[2] b) { b = Identity (i) }
   >
}""",
    right="""<ir_version: 8, opset_import: ["" : 13]>
g (bool c, float[2] x) => (float[2] y) {
   y = If (c) <
      then_branch = yes () => (float[2] a) { a = Identity (x) },
      else_branch = no () => (float[2] b) { b = Neg (x) }
   >
}""",
)
