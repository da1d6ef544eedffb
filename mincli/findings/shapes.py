"""Rules of shapes: broadcasting, axes, declared shapes."""

from mincli.findings import Rule, Severity

_REDUCED = """<ir_version: 8, opset_import: ["" : %d]>
g (float[2, 3] x) => (float[%s] y) {
   y = ReduceMin <axes: ints = [%s]%s> (x)
}"""

BROADCAST = Rule(
    "MC501",
    Severity.ERROR,
    "shapes that do not broadcast",
    "Shapes are aligned at their last dimensions; two sizes go together if they are equal or one of them is 1 (onnx, "
    "Broadcasting.md). Dimensions that are not known are given the benefit of the doubt.",
    wrong="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2, 3] x, float[4] y) => (float[2, 3] z) {
   z = Min (x, y)
}""",
    right="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2, 3] x, float[3] y) => (float[2, 3] z) {
   z = Min (x, y)
}""",
)

UNEQUAL = Rule(
    "MC502",
    Severity.ERROR,
    "unequal shapes where they have to be equal",
    "Min, Max, Sum and Mean take inputs of one shape until opset 7, and broadcast them from version 8 on; Add and its "
    "kind, and C of Gemm, are broadcast until opset 6 only with the attribute broadcast = 1, and from version 7 on "
    "always (onnx operator schemas).",
    wrong="""<ir_version: 3, opset_import: ["" : 6]>
g (float[2, 3] x, float[3] y) => (float[2, 3] z) {
   z = Min (x, y)
}""",
    right="""<ir_version: 3, opset_import: ["" : 8]>
g (float[2, 3] x, float[3] y) => (float[2, 3] z) {
   z = Min (x, y)
}""",
)

AXIS_RANGE = Rule(
    "MC503",
    Severity.ERROR,
    "an axis that the input does not have",
    "An axis of an input of rank r is -r to r-1, or 0 to r-1 in versions that count from the front alone (onnx "
    "operator schemas).",
    wrong=_REDUCED % (13, "2, 3", "2", ""),
    right=_REDUCED % (13, "2, 1", "1", ""),
)

AXIS_TWICE = Rule(
    "MC504",
    Severity.WARNING,
    "an axis that is given twice",
    "ONNX leaves open what repeated axes mean, also by two names, as 1 and -1 at rank 2: runtimes differ, and mincli "
    "refuses them (onnx operator schemas, ReduceMin).",
    wrong=_REDUCED % (13, "2, 1", "1, -1", ""),
    right=_REDUCED % (13, "2, 1", "1", ""),
)

AXIS_NEGATIVE = Rule(
    "MC505",
    Severity.ERROR,
    "a negative axis in a version that counts from the front",
    "Axes count from the front, 0 to r-1, until version 11 of ReduceMin, Squeeze, Unsqueeze and Flatten, which also "
    "count from the end (onnx operator schemas).",
    wrong=_REDUCED % (10, "2, 1", "-1", ""),
    right=_REDUCED % (11, "2, 1", "-1", ""),
)

AXES_INPUT = Rule(
    "MC506",
    Severity.ERROR,
    "axes that are no vector of int64",
    "Where axes are an input, they are a tensor(int64) of rank 1 (onnx operator schemas, such as ReduceMin-18).",
    wrong="""<ir_version: 8, opset_import: ["" : 18]>
g (float[2, 3] x, int32[1] axes) => (float[n, m] y) {
   y = ReduceMin (x, axes)
}""",
    right="""<ir_version: 8, opset_import: ["" : 18]>
g (float[2, 3] x, int64[1] axes) => (float[n, m] y) {
   y = ReduceMin (x, axes)
}""",
)

KEEPDIMS = Rule(
    "MC507",
    Severity.WARNING,
    "keepdims that is neither 0 nor 1",
    "The text names 0 and 1 alone. mincli keeps the reduced dimensions for all but 0; onnx's shape inference drops "
    "them for all but 1 (onnx operator schemas, ReduceMin).",
    wrong=_REDUCED % (13, "2, 1", "1", ", keepdims: int = 2"),
    right=_REDUCED % (13, "2, 1", "1", ", keepdims: int = 1"),
)

DECLARED = Rule(
    "MC508",
    Severity.ERROR,
    "a value that is declared with another shape than it has",
    "What a graph says of the shape of a value, as an input, output or in value_info, agrees with its initializer and "
    "with what its node makes (IR.md, Static tensor shapes).",
    wrong="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x) => (float[3] y) {
   y = Relu (x)
}""",
    right="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x) => (float[2] y) {
   y = Relu (x)
}""",
)

SYMBOL = Rule(
    "MC509",
    Severity.WARNING,
    "a symbolic dimension that stands for two sizes",
    "The name of a dimension stands for one size in all of a graph (IR.md, Static tensor shapes). Engines that rely on "
    "it plan their memory wrongly.",
    wrong="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x, float[3] y) => (float[n] a, float[n] b) {
   a = Relu (x)
   b = Relu (y)
}""",
    right="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x, float[3] y) => (float[n] a, float[m] b) {
   a = Relu (x)
   b = Relu (y)
}""",
)

REFUSED = Rule(
    "MC510",
    Severity.ERROR,
    "shapes that onnx's inference refuses",
    "The shape inference of onnx's own schema of the operator finds the node wrong; the words are onnx's.",
    wrong="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2, 3] x, float[2, 3] y) => (float[2, 3] z) {
   z = MatMul (x, y)
}""",
    right="""<ir_version: 8, opset_import: ["" : 13]>
g (float[2, 3] x, float[3, 2] y) => (float[2, 2] z) {
   z = MatMul (x, y)
}""",
)

AXIS_UNSAID = Rule(
    "MC511",
    Severity.WARNING,
    "a negative axis where the version says nothing of them",
    "Version 11 of Concat, Softmax, the reductions and many more brought axes that count from the end. The versions "
    "before do not speak of them: some engines count from the end there too, others refuse the node (onnx operator "
    "schemas; ReduceMin is MC505).",
    wrong="""<ir_version: 8, opset_import: ["" : 10]>
g (float[2, 3] x) => (float[2, 3] y) {
   y = Softmax <axis: int = -1> (x)
}""",
    right="""<ir_version: 8, opset_import: ["" : 11]>
g (float[2, 3] x) => (float[2, 3] y) {
   y = Softmax <axis: int = -1> (x)
}""",
)

NOT_JUDGED = Rule(
    "MC512",
    Severity.WARNING,
    "a node that onnx's inference crashes on",
    "onnx.shape_inference crashes on the node, does not end, or takes gigabytes. mincli leaves the node out: nothing "
    "is said of its types and shapes, and other tools that ask onnx may crash on the model. Mostly an attribute or a "
    "declared size makes no sense.",
    wrong="""<ir_version: 10, opset_import: ["" : 17]>
g (float[2, 3] x, int64[3, 1] i) => (float[3, 3] y) {
   y = GatherND <batch_dims: int = -9> (x, i)
}""",
    right="""<ir_version: 10, opset_import: ["" : 17]>
g (float[2, 3] x, int64[3, 1] i) => (float[3, 3] y) {
   y = GatherND <batch_dims: int = 0> (x, i)
}""",
)
