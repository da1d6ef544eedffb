"""What a failure of a node becomes: an error that says where, on what, and why."""

import re
from collections.abc import Mapping

import onnx

from mincli.errors import EngineError, MincliError, ModelError, printable
from mincli.models.operators.broadcastable import broadcast_fault
from mincli.models.values import Value, type_of

MAX_INPUTS = 10
"""More inputs of a node are not listed."""
_WRAPPED = "Issues with types"
"""How onnx begins what it says around the error of an operator (`onnx.reference.op_run`)."""
_OPERATOR = re.compile(r" \(operator '.*")
"""What onnx adds of the operator, which has been named."""


def failure(
    error: Exception, where: str, node: onnx.NodeProto, opset: int | None, values: Mapping[str, Value]
) -> MincliError:
    """Return the error that an exception of a node which was run becomes.

    Args:
        error: whatever onnx's operators raise, or an error of mincli's own.
        where: the node in words, with the graph that it is in.
        node: the node.
        opset: of ONNX's own domain where the node is, or None.
        values: that there were, by name.
    """
    missing = [name for name in node.input if name not in values]
    if missing:
        return ModelError(f"{where}: no node before it makes its input {printable(missing[0])}")
    if not isinstance(error, MincliError) and isinstance(error.__cause__, MincliError):
        error = error.__cause__  # onnx wraps each TypeError
    if isinstance(error, EngineError | ModelError):
        return error  # of a subgraph or function, and located there
    if isinstance(error, MincliError):
        return located(error, where)
    fault = broadcast_fault(node, opset, [values[name] for name in node.input])
    if fault is not None:
        return located(fault, where)
    inputs = [f"{_kind(values[name])} {printable(name)}" for name in node.input[:MAX_INPUTS] if name]
    more = f" and {len(node.input) - MAX_INPUTS} more" if len(node.input) > MAX_INPUTS else ""
    return engine_error(f"{where} failed" + (f" on {', '.join(inputs)}{more}" if inputs else ""), error)


def located(error: MincliError, where: str) -> MincliError:
    """Return an error that says where it happened: a refused node is a fault of the model."""
    if isinstance(error, ModelError | EngineError):
        place = "" if error.message.startswith(where) or " > " in error.message else f"{where}: "
        return type(error)(f"{place}{error.message}", details=error.details, hint=error.hint)
    return ModelError(f"{where}: {error.message}", details=error.details)


def engine_error(verdict: str, error: Exception) -> EngineError:
    """Return the error that says of a node what happened, and why.

    Args:
        verdict: what happened to which node.
        error: why.
    """
    if isinstance(error, RecursionError):
        return EngineError(
            f"{verdict}: functions and subgraphs are nested too deeply",
            details=["the reference engine takes some 90 functions that call each other"],
            hint="inline them (onnx.inliner.inline_local_functions)",
        )
    return EngineError(f"{verdict}: {_reason(error)}")


def _kind(value: Value) -> str:
    """Return a value's type and shape; of what is no value of ONNX its type in Python."""
    try:
        return type_of(value)
    except (AttributeError, KeyError, TypeError, ValueError):  # an operator may have made anything
        return type(value).__name__


def _reason(error: Exception) -> str:
    """Return what an error says, in a line, with the one beneath it: onnx wraps errors in longer ones."""
    beneath = _reason(error.__cause__) if isinstance(error.__cause__, Exception) else ""
    lines = str(error).strip().splitlines() or [""]
    if beneath and lines[0].startswith(_WRAPPED):
        return beneath
    said = f"{type(error).__name__}: {_OPERATOR.sub('', lines[0][:200])}"
    return printable(f"{said} ({beneath})" if beneath else said)
