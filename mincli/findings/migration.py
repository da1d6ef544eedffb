"""What changes at a node towards another opset: found only with `--target-opset`."""

from mincli.findings import Rule, Severity

REWRITE = Rule(
    "MC701",
    Severity.ERROR,
    "the node has to be written in another way at the target opset",
    "The version of the operator that the target opset means says the same in another way: an attribute became an "
    "input (the axes of ReduceMin in opset 18) or has to go, a value has another name, or something has to be given. "
    "As it is the node is not valid there. The finding says how (the operator's page, Versions).",
)
IMPOSSIBLE = Rule(
    "MC702",
    Severity.ERROR,
    "the node cannot be said at the target opset",
    "The target opset has no such operator, no longer or not yet, or its version of it does not take this type, these "
    "shapes, or what an attribute, input or output of the node asks for (the operator's page, Versions).",
)
MEANING = Rule(
    "MC703",
    Severity.WARNING,
    "the node would mean something else at the target opset",
    "The node is valid at both opsets as it is written, and may give other values: a default changed (the axis of "
    "Softmax in opset 13), or the rule by which the operator computes (the operator's page, Versions).",
)
BREAKS = Rule(
    "MC704",
    Severity.ERROR,
    "the node as it is breaks a rule at the target opset",
    "With the target opset in place of its own, check-schema finds the node wrong, by the rule that the finding names: "
    "--explain has it. Nothing more is known of how to say the same there, if it can be said.",
)
