"""Rules of files and models: versions, opset imports, external data."""

from mincli.findings import Rule, Severity

BODY = "g (float[2] x) => (float[2] y) { y = Relu (x) }"
RIGHT = f'<ir_version: 10, opset_import: ["" : 21]> {BODY}'

UNREADABLE = Rule(
    "MC101",
    Severity.ERROR,
    "no file that a model can be read from",
    "The file is missing, a folder, empty, cut off, or of another format: a model is a ModelProto of onnx.proto, in "
    "protobuf's binary form or in one of onnx's text forms.",
)
EXTERNAL_DATA = Rule(
    "MC102",
    Severity.ERROR,
    "external data that cannot be read",
    "The data of a tensor outside of the model are in a regular file in the model's folder or in folders there, never "
    "behind a link, and all that offset and length say is in it (onnx.proto, TensorProto.external_data; "
    "ExternalData.md). The files are only looked at, never loaded.",
    wrong="""<ir_version: 10, opset_import: ["" : 21]>
g (float[2] x) => (float[2] y) <float[2] w = ["location": "../w.bin", "offset": "0", "length": "8"]> {
   y = Add (x, w)
}""",
    right="""<ir_version: 10, opset_import: ["" : 21]>
g (float[2] x) => (float[2] y) <float[2] w = ["location": "w.bin", "offset": "0", "length": "8"]> {
   y = Add (x, w)
}""",
)
NO_IR_VERSION = Rule(
    "MC103",
    Severity.ERROR,
    "no IR version",
    "Every model says which version of the IR it is of, 1 or more (onnx.proto, ModelProto.ir_version). Rules that "
    "depend on it are not judged.",
    wrong=f'<opset_import: ["" : 21]> {BODY}',
    right=RIGHT,
)
NEW_IR_VERSION = Rule(
    "MC104",
    Severity.ERROR,
    "an IR version newer than the installed onnx knows",
    "What a newer IR version means is not known here, so that nothing says that the model is valid (onnx.checker).",
    wrong=f'<ir_version: 1000, opset_import: ["" : 21]> {BODY}',
    right=RIGHT,
)
NO_OPSET = Rule(
    "MC105",
    Severity.ERROR,
    "no opset import",
    "From IR version 3 on a model says which opset of each domain its nodes are of (onnx.proto, "
    "ModelProto.opset_import). Without it no node can be judged.",
    wrong=f"<ir_version: 10> {BODY}",
    right=RIGHT,
)
EARLY_OPSET = Rule(
    "MC106",
    Severity.ERROR,
    "opset imports in an IR version before there were any",
    "Opset imports came with IR version 3; before, all nodes are of opset 1 (onnx.checker).",
    wrong=f'<ir_version: 2, opset_import: ["" : 6]> {BODY}',
    right=f'<ir_version: 3, opset_import: ["" : 6]> {BODY}',
)
IMPORTED_TWICE = Rule(
    "MC107",
    Severity.WARNING,
    "a domain imported twice",
    "The highest opset binds (onnx.proto, ModelProto.opset_import), but there are tools that take the last. ONNX's own "
    "domain has two names: empty, and ai.onnx.",
    wrong=f'<ir_version: 10, opset_import: ["" : 21, "ai.onnx" : 20]> {BODY}',
    right=RIGHT,
)
FOREIGN_DOMAIN = Rule(
    "MC108",
    Severity.NOTE,
    "a domain that onnx does not know",
    "No schemas of its operators are known: its nodes are not judged.",
    wrong=f'<ir_version: 10, opset_import: ["" : 21, "com.example" : 1]> {BODY}',
    right=RIGHT,
)
NEW_OPSET = Rule(
    "MC109",
    Severity.ERROR,
    "an opset newer than the installed onnx knows",
    "What its operators are is not known here: its nodes are not judged, and nothing says that they are valid.",
    wrong=f'<ir_version: 10, opset_import: ["" : 1000]> {BODY}',
    right=RIGHT,
)
NO_SUCH_OPSET = Rule(
    "MC110",
    Severity.ERROR,
    "an opset below 1",
    "Opsets count from 1 (Versioning.md); the nodes of this one cannot be judged.",
    wrong=f'<ir_version: 10, opset_import: ["" : 0]> {BODY}',
    right=RIGHT,
)
GRAPH_WITHOUT_NAME = Rule(
    "MC111",
    Severity.ERROR,
    "a graph without a name",
    "Every graph has a name, those in nodes too (onnx.checker).",
)
METADATA_TWICE = Rule(
    "MC112",
    Severity.ERROR,
    "metadata with a key twice",
    "The keys of a model's metadata_props are distinct (onnx.proto, onnx.checker).",
    wrong=f'<ir_version: 10, opset_import: ["" : 21], metadata_props: ["author" : "a", "author" : "b"]> {BODY}',
    right=f'<ir_version: 10, opset_import: ["" : 21], metadata_props: ["author" : "a"]> {BODY}',
)
PRODUCER = Rule(
    "MC113",
    Severity.NOTE,
    "a producer with a version and no name",
    "What made a model should say its name as well (onnx.proto, ModelProto.producer_name).",
    wrong=f'<ir_version: 10, opset_import: ["" : 21], producer_version: "1.0"> {BODY}',
    right=f'<ir_version: 10, opset_import: ["" : 21], producer_name: "maker", producer_version: "1.0"> {BODY}',
)
EARLY_IR_VERSION = Rule(
    "MC114",
    Severity.NOTE,
    "an opset that the IR version did not have yet",
    "Each release of onnx brought an IR version and an opset (Versioning.md). A tool of the time of this IR version "
    "does not know the opset; onnx.checker allows it.",
    wrong=f'<ir_version: 8, opset_import: ["" : 21]> {BODY}',
    right=RIGHT,
)
TRAINING = Rule(
    "MC115",
    Severity.NOTE,
    "training information, which is not judged",
    "The graphs in ModelProto.training_info hold together with the main graph alone; they are not looked at.",
)
