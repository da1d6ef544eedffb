"""What an engine does not run: found only with `--engine`. No rule of ONNX is broken."""

from mincli.findings import Rule, Severity

NO_KERNEL = Rule(
    "MC801",
    Severity.ERROR,
    "no errors, but the engine has no kernel for the node",
    "ONNX allows the node, and the engine implements its operator version not at all, or not for these element types: "
    "onnxruntime has no Min-13 for int16. It was found by asking the engine that is installed, node by node. Nodes "
    "whose types are not known are not asked about.",
)
REFUSED = Rule(
    "MC802",
    Severity.ERROR,
    "no errors, but the engine refuses the model",
    "The engine does not load the model, for a reason of its own: an opset or an IR version that it does not know yet, "
    "or a rule that ONNX does not have. Its own words are in the finding. "
    "It calls the model valid only if all of its nodes could be judged.",
)
CRASHES = Rule(
    "MC803",
    Severity.ERROR,
    "no errors, but the engine crashes on it",
    "The process of the engine died while it loaded the model, or the node alone. That is a fault of the engine.",
)
