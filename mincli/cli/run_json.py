"""The JSON document of `run-model`; its names are data, as they were given: JSON has escapes of its own."""

import json
from typing import Any

from mincli import __version__
from mincli.cli import model_values, reproduce
from mincli.models.compare import EDGES, Comparison, Extreme
from mincli.models.inspection import Timing, by_node, by_operator
from mincli.models.request import Request
from mincli.models.run import Report, Run
from mincli.models.values import Value
from mincli.spec.operators import DEFAULT_DOMAIN


def text(report: Report) -> str:
    """Return the document, in ASCII."""
    request, model = report.request, report.model
    facts = {
        "mincli": __version__,
        "model": {
            "path": request.model,
            "ir_version": model.proto.ir_version,
            "opsets": {domain or DEFAULT_DOMAIN: opset for domain, opset in model.opsets.items()},
            "nodes": len(model.proto.graph.node),
        },
        "engine": request.engine,
        "compare": request.other,
        "tolerance": request.tolerance._asdict(),
        "runs": [_run(report, run) for run in report.runs],
        "intermediates": report.intermediates or None,
        "case": report.case or None,
        "found": report.found,
    }
    return json.dumps(facts, indent=2)


def _run(report: Report, run: Run) -> dict[str, Any]:
    request = report.request
    inspector = run.inspector
    return {
        "set": run.data.name or None,
        "inputs": [
            {**_value(name, value), "file": run.data.files.get(name)} for name, value in run.data.inputs.items()
        ],
        "outputs": [
            {**_value(name, value), "file": report.files.get(name), "values": model_values.as_json(value)}
            for name, value in run.outputs.items()
        ],
        "comparisons": [
            {"against": compared.against, **_comparison(comparison)}
            for compared in run.compared
            for comparison in compared.comparisons
        ],
        "first_difference": [
            {"against": compared.against, **compared.first._asdict()} for compared in run.compared if compared.first
        ],
        "notes": run.notes,
        "failure": str(run.failure) if run.failure else None,
        "reproduce": reproduce.command(request, run) if run.found else None,
        "stats": [row._asdict() for row in inspector.statistics] if request.stats else None,
        "non_finite": inspector.non_finite and inspector.non_finite._asdict(),
        "profile": _profile(request, run),
        "seconds": round(run.seconds, 6),
    }


def _value(name: str, value: Value) -> dict[str, Any]:
    kind, _ = model_values.type_and_shape(value)
    return {"name": name, "type": kind, "shape": model_values.shape_of(value)}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    edges = [*EDGES, None]
    counts = zip(edges, comparison.histogram, strict=False)
    return {
        **comparison._asdict(),
        **{name: _extreme(getattr(comparison, name)) for name in ("absolute", "relative", "ulp")},
        "histogram": [{"up_to": edge, "count": count} for edge, count in counts if count],
    }


def _extreme(extreme: Extreme | None) -> dict[str, Any] | None:
    return extreme and {"value": model_values.number(extreme.value), "index": extreme.index}


def _profile(request: Request, run: Run) -> dict[str, Any] | None:
    if not request.profile:
        return None

    def rows(timings: list[Timing]) -> list[dict[str, Any]]:
        return [{**timing._asdict(), "seconds": round(timing.seconds, 9)} for timing in timings]

    return {"nodes": rows(by_node(run.inspector.timings)), "operators": rows(by_operator(run.inspector.timings))}
