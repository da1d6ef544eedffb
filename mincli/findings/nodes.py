"""Rules of nodes: operators, arity, attributes."""

from mincli.findings import Rule, Severity


def _model(opset: int, body: str, more: str = "") -> str:
    imports = f'"" : {opset}{more}'
    return f"<ir_version: 10, opset_import: [{imports}]>\ng (float[2, 3] x) => (float[N, M] y) {{\n   {body}\n}}"


UNKNOWN = Rule(
    "MC301",
    Severity.ERROR,
    "an operator that the domain has in no opset",
    "The op_type of a node is the name of an operator of the node's domain, or of a function of the model "
    "(onnx.proto, NodeProto.op_type; Operators.md).",
    wrong=_model(21, "y = Relux (x)"),
    right=_model(21, "y = Relu (x)"),
)
DEPRECATED = Rule(
    "MC302",
    Severity.ERROR,
    "an operator that is deprecated in this opset",
    "A deprecated operator may be used only until the opset before the one that deprecates it (Versioning.md, "
    "Operator versioning; Changelog.md).",
    wrong='<ir_version: 10, opset_import: ["" : 11]>\n'
    "g (float[3] x, int64[1] i, float[1] u) => (float[N] y) {\n   y = Scatter (x, i, u)\n}",
    right='<ir_version: 10, opset_import: ["" : 11]>\n'
    "g (float[3] x, int64[1] i, float[1] u) => (float[N] y) {\n   y = ScatterElements (x, i, u)\n}",
)
NOT_YET = Rule(
    "MC303",
    Severity.ERROR,
    "an operator that this opset does not have yet",
    "An operator exists from the opset of its first version on, and the import decides which opset is meant "
    "(Versioning.md, Operator sets).",
    wrong=_model(19, "y = Gelu (x)"),
    right=_model(20, "y = Gelu (x)"),
)
NOT_JUDGED = Rule(
    "MC304",
    Severity.NOTE,
    "an operator of an unknown domain is not judged",
    "The installed onnx has no schemas for the domain, and the model no function of that name: nothing can be said of "
    "the node, not that it is valid either.",
)
NOT_IMPORTED = Rule(
    "MC305",
    Severity.ERROR,
    "the domain of a node is not imported",
    "A graph may use only operators and functions of domains that the model imports, a function only those that it "
    "imports itself (onnx.proto, ModelProto.opset_import, FunctionProto.opset_import).",
    wrong=_model(21, "y = ai.onnx.ml.Normalizer (x)"),
    right=_model(21, "y = ai.onnx.ml.Normalizer (x)", ', "ai.onnx.ml" : 3'),
)
INPUTS = Rule(
    "MC306",
    Severity.ERROR,
    "too few or too many inputs",
    "A node has as many inputs as its operator version takes; optional ones at the end may be left out (IR.md, Nodes; "
    "the operator's page, Inputs).",
    wrong=_model(21, "y = Relu (x, x)"),
    right=_model(21, "y = Relu (x)"),
)
OUTPUTS = Rule(
    "MC307",
    Severity.ERROR,
    "too few or too many outputs",
    "A node has as many outputs as its operator version gives; optional ones at the end may be left out (IR.md, Nodes; "
    "the operator's page, Outputs).",
    wrong=_model(21, "y, z = Relu (x)"),
    right=_model(21, "y = Relu (x)"),
)
INPUT_LEFT_OUT = Rule(
    "MC308",
    Severity.ERROR,
    "an input that is required is left out",
    "Only an optional input may be left out by an empty name (IR.md, Optional Inputs and Outputs). One of any number "
    "is not optional: some engines crash on it.",
    wrong=_model(21, 'y = Min (x, "")'),
    right=_model(21, "y = Min (x)"),
)
ATTRIBUTE = Rule(
    "MC309",
    Severity.ERROR,
    "an attribute that this operator version does not have",
    "A node has attributes of its operator version only; names that begin with two underscores are for private use "
    "(the operator's page, Attributes; onnx/defs/schema.cc).",
    wrong=_model(21, "y = ReduceMin <keepdim = 0> (x)"),
    right=_model(21, "y = ReduceMin <keepdims = 1> (x)"),
)
NO_ATTRIBUTE = Rule(
    "MC310",
    Severity.ERROR,
    "an attribute that is required is missing",
    "A required attribute has no default (the operator's page, Attributes).",
    wrong=_model(21, "y = Concat (x, x)"),
    right=_model(21, "y = Concat <axis = 0> (x, x)"),
)
ATTRIBUTE_TYPE = Rule(
    "MC311",
    Severity.ERROR,
    "an attribute of the wrong type, or whose value is elsewhere",
    "An attribute has a name, the type that its operator version says, and its value, once, in the field of that type; "
    "only in models of IR version 1 the type may be left out (onnx.proto, AttributeProto).",
    wrong=_model(21, "y = ReduceMin <keepdims = 1.0> (x)"),
    right=_model(21, "y = ReduceMin <keepdims = 1> (x)"),
)
ATTRIBUTE_TWICE = Rule(
    "MC312",
    Severity.ERROR,
    "an attribute that is given twice",
    "The names of a node's attributes are unique (IR.md, Attributes).",
    wrong=_model(21, "y = ReduceMin <keepdims = 0, keepdims = 1> (x)"),
    right=_model(21, "y = ReduceMin <keepdims = 1> (x)"),
)
MOVED = Rule(
    "MC313",
    Severity.ERROR,
    "an attribute that is an input in this opset, or the reverse",
    "Some versions made inputs of attributes: the axes of ReduceMin in opset 18, the min and max of Clip in 11. A node "
    "gives them as the opset has it that is imported (the operators' pages, Versions).",
    wrong=_model(18, "y = ReduceMin <axes = [0]> (x)"),
    right=_model(13, "y = ReduceMin <axes = [0]> (x)"),
)
ATTRIBUTE_VALUE = Rule(
    "MC314",
    Severity.ERROR,
    "an attribute whose value is not allowed",
    "The equation of Einsum has a term of letters, with at most one ellipsis, for each input, commas between them, and "
    "after -> one for the output (Einsum-12, equation). onnx's shape inference never ends on some that are none. Some "
    "values are only of newer versions, as the mode wrap of Pad-19 (onnx operator schemas).",
    wrong="""<ir_version: 10, opset_import: ["" : 21]>
g (float[2, 3] x) => (float[N, M] y) {
   y = Einsum <equation = "ij-"> (x)
}""",
    right="""<ir_version: 10, opset_import: ["" : 21]>
g (float[2, 3] x) => (float[N, M] y) {
   y = Einsum <equation = "ij->ji"> (x)
}""",
)
REFERENCE = Rule(
    "MC315",
    Severity.ERROR,
    "a reference to an attribute that no function declares",
    "ref_attr_name stands for the value of an attribute of the function around it, and has no value itself ("
    "onnx.proto, AttributeProto.ref_attr_name, FunctionProto.attribute).",
    wrong=_model(21, "y = ReduceMin <keepdims: int = @keep> (x)"),
    right=_model(21, "y = ReduceMin <keepdims = 1> (x)"),
)
NO_OPERATOR = Rule(
    "MC316",
    Severity.ERROR,
    "a node without an operator",
    "op_type is required (onnx.proto, NodeProto.op_type).",
)
EXPERIMENTAL = Rule(
    "MC317",
    Severity.WARNING,
    "an experimental operator",
    "onnx promises nothing for it: it may change within a version, or go. Those that onnx dropped until opset 9 are "
    "not judged any more (Versioning.md; the operator's page, support_level).",
    wrong='<ir_version: 3, opset_import: ["" : 7]>\ng (float[2, 3] x) => (float[2, 3] y) {\n   y = ScaledTanh (x)\n}',
    right='<ir_version: 3, opset_import: ["" : 7]>\ng (float[2, 3] x) => (float[2, 3] y) {\n   y = Tanh (x)\n}',
)
NO_EFFECT = Rule(
    "MC318",
    Severity.NOTE,
    "a node of which every output is left out",
    "Nobody can use what it computes: its outputs have empty names.",
)
NOTHING = Rule(
    "MC319",
    Severity.ERROR,
    "a node with neither inputs nor outputs",
    "A node has an input or an output (onnx's checker).",
)
OUTPUT_LEFT_OUT = Rule(
    "MC320",
    Severity.ERROR,
    "an output that is required is left out",
    "Only an optional output may be left out by an empty name (IR.md, Optional Inputs and Outputs; onnx's checker).",
)
DOMAIN_NAME = Rule(
    "MC321",
    Severity.WARNING,
    "a node whose domain has another name than its import",
    "ONNX's own domain has two names, empty and ai.onnx. Where the import has the empty one, onnx.checker and onnx's "
    "ReferenceEvaluator refuse a node that has the other, and onnxruntime does in functions.",
    wrong=_model(21, "y = ai.onnx.Relu (x)"),
    right=_model(21, "y = Relu (x)"),
)
