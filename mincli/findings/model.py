"""Rules of files and models: versions, opset imports, external data."""

from mincli.findings import Rule, Severity

UNREADABLE = Rule(
    "MC101",
    Severity.ERROR,
    "no model, or one that cannot be read",
    "The file is missing, cannot be read, or holds no ModelProto (onnx.proto), neither binary nor in one of the text "
    "forms. Nothing else in it is checked.",
)
