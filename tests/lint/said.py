"""What findings say, in short: for tests."""

import onnx

from mincli.lint import findings_in


def proto(text):
    return onnx.parser.parse_model(text)


def said(model, folder=None, *, notes=False):
    """Return code, place, found, expected and hint of each finding of a model, or of its text; notes if asked for."""
    if isinstance(model, str):
        model = proto(model)
    return [
        (finding.rule.code, finding.place.words, finding.found, finding.expected, finding.hint)
        for finding in findings_in(model, folder)
        if notes or finding.rule.severity != "note"
    ]


def codes(model, folder=None):
    """Return the codes of all findings."""
    return [code for code, *_ in said(model, folder, notes=True)]
