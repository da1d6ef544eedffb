"""Rules of functions and subgraphs."""

from mincli.findings import Rule, Severity

PLAIN = '<ir_version: 10, opset_import: ["" : 21]>'
HEADER = '<ir_version: 10, opset_import: ["" : 21, "own" : 1]>'
FUNCTION = '<domain: "own", opset_import: ["" : 21]>'
MAIN = f"{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x) }}"
RIGHT = f"{MAIN}\n{FUNCTION} f (a) => (b) {{ b = Relu (a) }}"

RECURSION = Rule(
    "MC601",
    Severity.ERROR,
    "a function that calls itself",
    "No function calls itself, directly or by way of others (onnx.proto, ModelProto.functions).",
    wrong=f"""{MAIN}
<domain: "own", opset_import: ["" : 21, "own" : 1]> f (a) => (b) {{ b = own.f (a) }}""",
    right=RIGHT,
)
DEFINED_TWICE = Rule(
    "MC602",
    Severity.ERROR,
    "a function defined twice",
    "Domain, name and overload together are one function (onnx.proto, ModelProto.functions).",
    wrong=f"{RIGHT}\n{FUNCTION} f (a) => (b) {{ b = Neg (a) }}",
    right=RIGHT,
)
FUNCTION_OPSETS = Rule(
    "MC603",
    Severity.ERROR,
    "a function whose operators are of no known or of another version",
    "A function imports the opsets of its nodes itself; where model and function import different opsets of a domain, "
    "both mean the same version of each operator in it (onnx.proto, FunctionProto.opset_import; onnx.checker).",
    wrong=f"""{MAIN}
<domain: "own", opset_import: ["" : 13]> f (a) => (b) {{ b = Relu (a) }}""",
    right=f"""{MAIN}
<domain: "own", opset_import: ["" : 14]> f (a) => (b) {{ b = Relu (a) }}""",
)
CALL = Rule(
    "MC604",
    Severity.ERROR,
    "a call with more inputs or outputs than the function has",
    "A call may leave out inputs and outputs at the end, and has none besides (onnx.proto, FunctionProto).",
    wrong=f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x, x) }}
{FUNCTION} f (a) => (b) {{ b = Relu (a) }}""",
    right=RIGHT,
)
OUTPUT_UNDEFINED = Rule(
    "MC605",
    Severity.ERROR,
    "an output of a function that nothing makes",
    "Every output of a function is made by one of its nodes, or is one of its inputs (onnx.proto, FunctionProto).",
    wrong=f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x) }}
{FUNCTION} f (a) => (b, c) {{ b = Relu (a) }}""",
    right=RIGHT,
)
PARAMETER_TWICE = Rule(
    "MC606",
    Severity.ERROR,
    "a function with one parameter twice",
    "The inputs of a function have names of their own, and so have its outputs, and its attributes, with a default or "
    "without (onnx.proto, FunctionProto; onnx.checker).",
    wrong=f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x, x) }}
{FUNCTION} f (a, a) => (b) {{ b = Relu (a) }}""",
    right=RIGHT,
)
SUBGRAPH = Rule(
    "MC607",
    Severity.ERROR,
    "a graph in a node with the wrong number of inputs or outputs",
    "What an operator gives to the graph in its attribute, and takes from it, is counted: If, Loop, Scan, SequenceMap "
    "(Operators.md).",
    wrong=f"""{PLAIN}
g (bool c, float[2] x) => (float[2] y) {{
   y = If (c) <
      then_branch = t () => (float[2] a) {{ a = Neg (x) }},
      else_branch = e () => (float[2] b, float[2] d) {{ b = Abs (x) d = Relu (x) }}>
}}""",
    right=f"""{PLAIN}
g (bool c, float[2] x) => (float[2] y) {{
   y = If (c) <
      then_branch = t () => (float[2] a) {{ a = Neg (x) }},
      else_branch = e () => (float[2] b) {{ b = Abs (x) }}>
}}""",
)
REPLACES_OPERATOR = Rule(
    "MC608",
    Severity.NOTE,
    "a function in place of an operator",
    "A function has the name of an operator in the opset that is imported; which of the two a node calls is up to "
    "the runtime (onnx.proto, ModelProto.functions). mincli calls the function.",
    wrong=f"""{PLAIN} g (float[2] x) => (float[2] y) {{ y = Relu (x) }}
<domain: "", opset_import: ["" : 21]> Relu (a) => (b) {{ b = Neg (a) }}""",
    right=RIGHT,
)
EARLY = Rule(
    "MC609",
    Severity.ERROR,
    "something of functions that the IR version did not have yet",
    "Models have functions from IR version 8 on, default values of their attributes from 9 on, overloads and "
    "value_info in functions from 10 on (onnx.proto, Version).",
    wrong=RIGHT.replace("ir_version: 10", "ir_version: 7").replace('"" : 21', '"" : 14'),
    right=RIGHT,
)
ATTRIBUTE_MISSING = Rule(
    "MC610",
    Severity.ERROR,
    "a call without an attribute that an operator in the function needs",
    "A node in a function whose required attribute refers to one of the function gets none where the call does not "
    "give it and the function has no default (onnx.proto, AttributeProto.ref_attr_name).",
    wrong=f"""{MAIN}
{FUNCTION} f <to> (a) => (b) {{ b = Cast <to: int = @to> (a) }}""",
    right=f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f <to = 1> (x) }}
{FUNCTION} f <to> (a) => (b) {{ b = Cast <to: int = @to> (a) }}""",
)
UNKNOWN_ATTRIBUTE = Rule(
    "MC611",
    Severity.WARNING,
    "a call with an attribute that the function does not have",
    "It has no effect, or is refused (onnx.proto, FunctionProto.attribute).",
    wrong=f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f <to = 1> (x) }}
{FUNCTION} f (a) => (b) {{ b = Relu (a) }}""",
    right=RIGHT,
)
UNNAMED = Rule(
    "MC612",
    Severity.ERROR,
    "a function without a name or a domain",
    "A function has a name, and says its domain, which may be the empty one of ONNX (onnx.checker).",
)
INPUT_MISSING = Rule(
    "MC613",
    Severity.ERROR,
    "a call without an input that an operator in the function needs",
    "A call may leave out an input of a function, and then each operator in it has none there, which it may not leave "
    "out if it is required (onnx.proto, FunctionProto; onnx.checker).",
    wrong=f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x) }}
{FUNCTION} f (a, c) => (b) {{ b = Add (a, c) }}""",
    right=f"""{HEADER} g (float[2] x) => (float[2] y) {{ y = own.f (x, x) }}
{FUNCTION} f (a, c) => (b) {{ b = Add (a, c) }}""",
)
DEEP = Rule(
    "MC614",
    Severity.WARNING,
    "a long chain of functions that call each other",
    "Where over 100 functions each call the next, onnx.checker refuses the model, and so does whatever asks it; the "
    "standard has no limit (onnx.checker).",
)
