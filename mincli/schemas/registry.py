"""The operators that the installed onnx knows: finds a schema by name and opset, or says why there is none."""

from bisect import bisect_right
from collections import defaultdict
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple

import onnx

from mincli.errors import UsageError, printable
from mincli.schemas.page import DEFAULT_DOMAIN
from mincli.spec import operators
from mincli.spec.operators import Standard


class Operator(NamedTuple):
    """An operator by its domain and name."""

    domain: str
    name: str

    def __str__(self) -> str:
        return self.name if self.domain == DEFAULT_DOMAIN else f"{self.domain}:{self.name}"


class Found(NamedTuple):
    """A schema, the last opset that means it (None if the newest does), and all versions of the operator."""

    schema: Any
    last_opset: int | None
    versions: tuple[int, ...]


@cache
def history() -> dict[Operator, dict[int, Any]]:
    """Return every schema (`onnx.defs.OpSchema`) of each operator by the opset since which it is there."""
    schemas: dict[Operator, dict[int, Any]] = defaultdict(dict)
    for schema in onnx.defs.get_all_schemas_with_history():
        schemas[Operator(schema.domain or DEFAULT_DOMAIN, schema.name)][schema.since_version] = schema
    return {operator: dict(sorted(versions.items())) for operator, versions in schemas.items()}


def find(name: str, opset: int | None = None) -> Found:
    """Return the schema of an operator at an opset.

    Args:
        name: `OP` of the default domain, or `DOMAIN:OP`.
        opset: of the operator's domain; None is the newest that the installed onnx knows.

    Raises:
        UsageError: there is no such operator or opset, or the opset does not have the operator yet.
    """
    domain, _, plain = name.rpartition(":")
    operator = Operator(domain or DEFAULT_DOMAIN, plain)
    if operator not in history():
        raise _unknown(operator)
    newest = newest_opset(operator.domain)
    number = newest if opset is None else opset
    if not 1 <= number <= newest:
        raise UsageError(
            f"there is no opset {number} of {operator.domain}",
            hint=f"onnx {onnx.__version__} knows opsets 1 to {newest}",
        )
    versions = tuple(history()[operator])
    place = bisect_right(versions, number)
    if not place:
        raise UsageError(
            f"opset {number} has no {operator}", hint=f"{operator} exists from opset {versions[0]} on"
        )  # fmt: skip
    schema = history()[operator][versions[place - 1]]
    return Found(schema, versions[place] - 1 if place < len(versions) else None, versions)


def newest_opset(domain: str) -> int:
    """Return the newest opset of a domain that the installed onnx knows."""
    _, newest = onnx.defs.C.schema_version_map()["" if domain == DEFAULT_DOMAIN else domain]
    return int(newest)


def _unknown(operator: Operator) -> UsageError:
    """Return the error for an operator that onnx does not know, with the nearest that is known."""
    elsewhere = [str(known) for known in history() if known.name == operator.name]
    by_lower = {str(known).lower(): str(known) for known in history()}
    near = elsewhere or [by_lower[found] for found in get_close_matches(str(operator).lower(), by_lower, n=1)]
    if operators.versions(operator.name, Standard.ONEDNN):
        hint = f"{operator.name} is of oneDNN: add --spec {Standard.ONEDNN}"
    elif near:
        hint = f"did you mean {near[0]}?"
    else:
        hint = "names are as in ONNX: Min, ReduceMin, ai.onnx.ml:Scaler"
    return UsageError(f"onnx {onnx.__version__} knows no operator {printable(str(operator))}", hint=hint)
