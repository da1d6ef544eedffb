"""What check-schema says of types and shapes, in a line for each finding."""

from onnx import parser

from mincli.lint import findings_in

FAMILIES = ("MC4", "MC5")


def lines_of(model):
    """Return the findings of the families of types and shapes: code, place and what was found."""
    return [
        f"{own.rule.code} {own.place.path}{own.place.node} {own.place.operator} {own.place.value}: {own.found}"
        for own in findings_of(model)
    ]


def findings_of(model):
    """Return the findings of the families of types and shapes."""
    return [own for own in findings_in(model) if own.rule.code.startswith(FAMILIES)]


def model(text, *, opset=21, ir_version=10, functions=""):
    """Parse the graph of a model, in onnx's text form, and its functions."""
    head = f'<ir_version: {ir_version}, opset_import: ["" : {opset}, "d" : 1, "unheard.of" : 1]>'
    return parser.parse_model(f"{head}\n{text}\n{functions}")


def function(signature, body, *, opset=21):
    """Return a function of the domain d in onnx's text form."""
    return f'<opset_import: ["" : {opset}, "d" : 1], domain: "d">\n{signature} {{ {body} }}\n'
