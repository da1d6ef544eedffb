"""What the versions of an operator say of arrays, for people and as a JSON document."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from mincli import __version__
from mincli.cli.render import columns, line
from mincli.spec.operators import OperatorVersion, Standard
from mincli.spec.shapes import in_words

if TYPE_CHECKING:
    from mincli.verdicts import Verdict, Verdicts


def text(found: "Verdicts") -> str:
    """Return the verdict that was asked for, and below it those of all versions, if there are several."""
    asked, version = found.asked, found.asked.version
    if asked.error is None:
        opsets = f" ({version.opsets})" if version.opsets else ""
        lines = [f"{click.style('yes:', fg='green')} {version.label}{opsets} gives {_result(found, asked)}"]
    else:
        error = asked.error
        hints = [f"hint: {error.hint}"] if error.hint else []
        lines = [f"{click.style('no:', fg='red')} {line(error.message)}"]
        lines += [f"  {line(detail)}" for detail in (*error.details, *hints)]
    if len(found.matrix) > 1:
        rows = [("version", "opsets", "legal", "result")]
        lines += columns(rows + [_row(found, verdict) for verdict in found.matrix])
    return "\n".join(lines)


def _row(found: "Verdicts", verdict: "Verdict") -> tuple[str, str, str, str]:
    version, error = verdict.version, verdict.error
    opsets = version.opsets.removeprefix("opset ")
    if error is None:
        return version.label, opsets, "yes", _result(found, verdict)
    return version.label, opsets, "no", line(error.message)


def _result(found: "Verdicts", verdict: "Verdict") -> str:
    return f"{found.inputs[0].element} {in_words(verdict.shape or ())}"


def document(found: "Verdicts", inputs: Sequence[str]) -> str:
    """Return the document, in ASCII; its names are data, as they were given.

    Args:
        found: the verdicts.
        inputs: the arrays, as they were given.
    """
    version = found.asked.version
    facts = {
        "mincli": __version__,
        "version": 1,
        "standard": version.standard,
        "operator": version.name,
        "since_version": _since(version),
        "inputs": [
            {"name": tensor.name if given == "-" else given, "type": tensor.element.name, "shape": tensor.shape}
            for given, tensor in zip(inputs, found.inputs, strict=True)
        ],
        "legal": found.asked.error is None,
        "first": found.first and _since(found.first),
        "verdicts": [_verdict(verdict) for verdict in found.matrix],
    }
    return json.dumps(facts, indent=2)


def _since(version: OperatorVersion) -> int | None:
    return version.since_version if version.standard is Standard.ONNX else None


def _verdict(verdict: "Verdict") -> dict[str, Any]:
    error = verdict.error
    return {
        "since_version": _since(verdict.version),
        "legal": error is None,
        "shape": verdict.shape,
        "error": error and error.message,
        "details": list(error.details) if error else [],
        "hint": error.hint or None if error else None,
    }
