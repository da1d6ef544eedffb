"""Models to test with, in onnx's text form."""

from onnx import ModelProto, parser

from mincli.models.load import Model, as_model

MARGIN = """
<ir_version: 7, opset_import: ["" : 13]>
margin (float[rows, cols] x, float[rows, cols] y) => (float[rows, cols] lower, float[rows] margin) {
  [low] lower = Min (x, y)
  gap = Sub (x, y)
  [root] root = Sqrt (gap)
  [least] margin = ReduceMin <axes: ints = [-1], keepdims: int = 0> (root)
}
"""
"""Four nodes; the root of a negative gap is NaN, and margin keeps it."""


def proto(text: str) -> ModelProto:
    """Parse a model."""
    return parser.parse_model(text)


def model(text: str) -> Model:
    """Parse a model, and check its versions."""
    return as_model(proto(text), "model.onnx")


def with_inputs(inputs: str, *, ir_version: int = 8, initializers: str = "") -> Model:
    """Return a model of opset 21 with inputs of any declared types, which it does not use."""
    return model(
        f'<ir_version: {ir_version}, opset_import: ["" : 21]>\n'
        f"g ({inputs}) => (float out)\n{initializers} {{ out = Constant <value_float: float = 1.0> () }}"
    )
