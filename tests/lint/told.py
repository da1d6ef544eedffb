"""Models in onnx's text form, and what is found in them in short: for tests."""

from onnx import parser

from mincli.lint import findings_in

proto = parser.parse_model


def model(text, *, opset=21, ir_version=10, functions=""):
    """Return the model of a graph in text form, and of functions."""
    head = f'<ir_version: {ir_version}, opset_import: ["" : {opset}, "d" : 1, "unheard.of" : 1]>'
    return proto(f"{head}\n{text}\n{functions}")


def function(signature, body, *, opset=21):
    """Return a function of the domain d in text form."""
    return f'<opset_import: ["" : {opset}, "d" : 1], domain: "d">\n{signature} {{ {body} }}\n'


def in_short(findings):
    """Return code, found, expected, hint and opset of findings."""
    return [(own.rule.code, own.found, own.expected, own.hint, own.opset) for own in findings]


def said(model, folder=None, *, notes=False):
    """Return code, place, found, expected and hint of each finding of a model, or of its text; notes if asked for."""
    return [
        (own.rule.code, own.place.words, own.found, own.expected, own.hint)
        for own in findings_in(proto(model) if isinstance(model, str) else model, folder)
        if notes or own.rule.severity != "note"
    ]


def codes(model, folder=None):
    """Return the codes of all findings of a model, or of its text."""
    return [code for code, *_ in said(model, folder, notes=True)]


def of_families(model, *families):
    """Return the findings of a model that are of some families: `MC4`."""
    return [own for own in findings_in(model) if own.rule.code.startswith(families)]


def findings_of(model):
    """Return the findings of a model that are of its types and shapes."""
    return of_families(model, "MC4", "MC5")


def lines_of(model):
    """Return the findings of a model that are of its types and shapes: code, place and what was found."""
    return [
        f"{own.rule.code} {own.place.path}{own.place.node} {own.place.operator} {own.place.value}: {own.found}"
        for own in findings_of(model)
    ]
