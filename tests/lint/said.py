"""What findings say, in short: for tests."""

import onnx

from mincli.lint import check_model
from mincli.lint.places import in_words


def proto(text):
    return onnx.parser.parse_model(text)


def said(model, folder=None, *, notes=False):
    """Return code, place, found, expected and hint of each finding of a model, or of its text; notes if asked for."""
    if isinstance(model, str):
        model = proto(model)
    return [
        (finding.rule.code, in_words(finding.place), finding.found, finding.expected, finding.hint)
        for finding in check_model(model, folder)
        if notes or finding.rule.severity != "note"
    ]


def of_family(number, findings):
    """Return the findings of one family."""
    return [finding for finding in findings if finding[0].startswith(f"MC{number}")]


def codes(model, folder=None):
    """Return the codes of all findings."""
    return [code for code, *_ in said(model, folder, notes=True)]
