"""ONNX models that can be run: read, checked as far as running them needs, their external data loaded."""

import os
from typing import NamedTuple

import onnx

from mincli.errors import EngineError, FileError, MincliError, ModelError, printable
from mincli.findings import Finding
from mincli.graphs import external
from mincli.graphs.read import read_model
from mincli.graphs.storage import bytes_of
from mincli.lint import check_structure
from mincli.lint.scopes import opsets_of, scopes_of
from mincli.lint.tensors import dense_in

REFUSED: dict[str, type[MincliError]] = {
    "MC102": FileError,
    **dict.fromkeys(["MC104", "MC109"], EngineError),
    **dict.fromkeys(["MC103", "MC105", "MC106", "MC110"], ModelError),
    **dict.fromkeys(["MC201", "MC202", "MC203", "MC204", "MC206", "MC210", "MC213", "MC214"], ModelError),
    **dict.fromkeys(["MC306", "MC307", "MC308", "MC309", "MC310", "MC311", "MC312", "MC313"], ModelError),
    **dict.fromkeys(["MC601", "MC602", "MC604", "MC605", "MC606", "MC607", "MC610", "MC612", "MC613"], ModelError),
}
"""The findings that a model is not run with, each with the error that it becomes. What is not here has one meaning in
spite of it; operators that are unknown or no longer there stay with the evaluator, which has some of them."""


class Model(NamedTuple):
    """A model that can be run.

    Attributes:
        name: what to call it in messages.
        proto: the model, its external data included.
        opsets: the opset of each domain that it imports; ONNX's own domain is "".
        path: of its file, absolute; "" if it was made in memory.
    """

    name: str
    proto: onnx.ModelProto
    opsets: dict[str, int]
    path: str = ""


def load_model(path: str) -> Model:
    """Load a model: binary, or in one of onnx's text forms; the content decides.

    Args:
        path: of the file; its external data lie in the same folder.

    Raises:
        FileError: missing, unreadable, or with external data that cannot be read.
        FormatError: no model.
        ModelError: it breaks the rules of onnx.proto so that it has no one meaning.
        EngineError: an IR version or an opset that the installed onnx does not know.
    """
    absolute = os.path.abspath(path)
    return as_model(read_model(path), printable(path), os.path.dirname(absolute))._replace(path=absolute)


def as_model(proto: onnx.ModelProto, name: str, folder: str | None = None) -> Model:
    """Check a model in memory, and load its external data into it.

    Args:
        proto: the model.
        name: what to call it in messages.
        folder: of its external data; None if it has none.

    Raises:
        FileError: external data that cannot be read.
        ModelError: it breaks the rules of onnx.proto so that it has no one meaning.
        EngineError: an IR version or an opset that the installed onnx does not know.
    """
    roots = scopes_of(proto)
    for finding in check_structure(proto, roots, folder):
        if finding.rule.code in REFUSED:
            raise _refusal(finding, name)
    if folder is not None:
        for tensor in (tensor for root in roots for scope in root.all() for tensor in dense_in(scope)):
            if external.is_external(tensor):
                external.load(tensor, folder, bytes_of(tensor.data_type, tensor.dims))
    return Model(name, proto, opsets_of(proto.opset_import) or {"": 1})


def _refusal(finding: Finding, name: str) -> MincliError:
    """Return the error that a finding becomes: the first of a model is enough to know that it cannot be run."""
    return REFUSED[finding.rule.code](
        f"{finding.place.words or name}: {finding.found}",
        details=[finding.expected] if finding.expected else [],
        hint=finding.hint,
    )
