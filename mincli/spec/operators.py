"""One row per version of each minimum operator, and `resolve`, which finds the row of an opset.

A row holds all that a version of Min or ReduceMin allows; what one of another operator allows is in onnx's schemas
(`graphs/signatures.py`) and in tables. The ONNX rows are checked against `onnx.defs` by `tests/spec/test_operators.py`,
which also fails when onnx knows a newer version.
Sources: ONNX `Min` 1 to 13 and `ReduceMin` 1 to 20 (onnx operator schemas), oneDNN Graph operations `Minimum`
and `ReduceMin` (oneDNN developer guide).
"""

from enum import StrEnum
from typing import NamedTuple

from mincli.errors import UsageError

NEWEST_OPSET = 28
MAX_INPUTS = 2**31 - 1
DEFAULT_DOMAIN = "ai.onnx"
"""The name of ONNX's own domain, which models import as ""."""


class Standard(StrEnum):
    """Who defines the operator."""

    ONNX = "onnx"
    ONEDNN = "onednn"


class EmptyAxes(StrEnum):
    """What axes that are absent, or given but empty, mean to a reduction."""

    ALL = "reduce all axes"
    ALL_OR_NOOP = "reduce all axes, or none with noop_with_empty_axes"
    IDENTITY = "reduce no axis"


class Attribute(NamedTuple):
    """An attribute of an operator version: its name, ONNX type (INT, INTS, ...) and default (None: no default)."""

    name: str
    type: str
    default: int | str | None = None


class OperatorVersion(NamedTuple):
    """A version of an operator and all of its rules.

    Attributes:
        standard: who defines it.
        name: the operator's name there.
        since_version: the first opset that has this version; 1 for oneDNN, which has no opsets.
        types: names of the element types it takes, as in `spec.dtypes`.
        attributes: its attributes.
        inputs: names of its inputs; for Min the one variadic input.
        min_inputs, max_inputs: how many inputs a node may have.
        broadcasts: whether NumPy broadcasting is allowed.
        negative_axes: whether an axis may count from the end.
        empty_axes: what absent or empty axes mean; None if it has no axes.
    """

    standard: Standard
    name: str
    since_version: int
    types: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    inputs: tuple[str, ...]
    min_inputs: int
    max_inputs: int
    broadcasts: bool = False
    negative_axes: bool = False
    empty_axes: EmptyAxes | None = None

    @property
    def label(self) -> str:
        """The version's name in messages: `Min-8`, `oneDNN Minimum`."""
        return f"{self.name}-{self.since_version}" if self.standard is Standard.ONNX else f"oneDNN {self.name}"

    @property
    def opsets(self) -> str:
        """The opsets that resolve to this version, in words; "" for oneDNN, which has none."""
        if self.standard is Standard.ONEDNN:
            return ""
        newer = [row.since_version for row in versions(self.name) if row.since_version > self.since_version]
        return opsets_in_words(self.since_version, min(newer) - 1 if newer else None)

    @property
    def reduces(self) -> bool:
        """Whether it reduces one operand along axes, and does not compare several."""
        return self.empty_axes is not None

    def has_attribute(self, name: str) -> bool:
        """Whether this version has the attribute `name`."""
        return any(attribute.name == name for attribute in self.attributes)


_FLOATS = ("float16", "float", "double")
_WIDE = ("uint32", "uint64", "int32", "int64", *_FLOATS)
_WIDE_AND_8 = ("uint8", "int8", *_WIDE)
_NUMBERS = ("uint16", "int16", *_WIDE_AND_8)
_ONEDNN = ("float", "bfloat16", "float16")

_AXES = Attribute("axes", "INTS")
_KEEPDIMS = Attribute("keepdims", "INT", 1)
_NOOP = Attribute("noop_with_empty_axes", "INT", 0)


def _min(since: int, types: tuple[str, ...], *attributes: Attribute, broadcasts: bool = True) -> OperatorVersion:
    return OperatorVersion(
        Standard.ONNX, "Min", since, types, attributes, ("data_0",), 1, MAX_INPUTS, broadcasts=broadcasts
    )


def _reduce_attribute(since: int, types: tuple[str, ...], *, negative_axes: bool = True) -> OperatorVersion:
    return OperatorVersion(
        Standard.ONNX, "ReduceMin", since, types, (_AXES, _KEEPDIMS), ("data",), 1, 1,
        negative_axes=negative_axes, empty_axes=EmptyAxes.ALL,
    )  # fmt: skip


def _reduce_input(since: int, types: tuple[str, ...]) -> OperatorVersion:
    return OperatorVersion(
        Standard.ONNX, "ReduceMin", since, types, (_KEEPDIMS, _NOOP), ("data", "axes"), 1, 2,
        negative_axes=True, empty_axes=EmptyAxes.ALL_OR_NOOP,
    )  # fmt: skip


OPERATOR_VERSIONS = (
    _min(1, _FLOATS, Attribute("consumed_inputs", "INTS"), broadcasts=False),
    _min(6, _FLOATS, broadcasts=False),
    _min(8, _FLOATS),
    _min(12, _NUMBERS),
    _min(13, ("bfloat16", *_NUMBERS)),
    _reduce_attribute(1, _WIDE, negative_axes=False),
    _reduce_attribute(11, _WIDE),
    _reduce_attribute(12, _WIDE_AND_8),
    _reduce_attribute(13, ("bfloat16", *_WIDE_AND_8)),
    _reduce_input(18, ("bfloat16", *_WIDE_AND_8)),
    _reduce_input(20, ("bool", "bfloat16", *_WIDE_AND_8)),
    OperatorVersion(
        Standard.ONEDNN, "Minimum", 1, _ONEDNN, (Attribute("auto_broadcast", "STRING", "numpy"),),
        ("src_0", "src_1"), 2, 2, broadcasts=True,
    ),
    OperatorVersion(
        Standard.ONEDNN, "ReduceMin", 1, _ONEDNN, (_AXES, Attribute("keep_dims", "BOOL", 0)),
        ("src", "axes"), 1, 2, negative_axes=True, empty_axes=EmptyAxes.IDENTITY,
    ),
)  # fmt: skip


def opsets_in_words(first: int, last: int | None) -> str:
    """Return a range of opsets in words; one without a last goes on to the newest.

    >>> opsets_in_words(1, 10), opsets_in_words(12, 12), opsets_in_words(13, None)
    ('opset 1 to 10', 'opset 12', 'opset 13 and newer')
    """
    if last is None:
        return f"opset {first} and newer"
    return f"opset {first} to {last}" if last > first else f"opset {first}"


def versions(name: str, standard: Standard = Standard.ONNX) -> tuple[OperatorVersion, ...]:
    """Return the versions of an operator, oldest first.

    >>> [row.since_version for row in versions("Min")]
    [1, 6, 8, 12, 13]
    """
    return tuple(row for row in OPERATOR_VERSIONS if row.name == name and row.standard is standard)


def resolve(name: str, opset: int | None = None, standard: Standard = Standard.ONNX) -> OperatorVersion:
    """Return the version of an operator that an opset means: the newest that is not newer than the opset.

    Args:
        name: "Min" or "ReduceMin" of ONNX; "Minimum" or "ReduceMin" of oneDNN.
        opset: 1 to `NEWEST_OPSET`; None is the newest.
        standard: who defines the operator; oneDNN has no opsets.

    Raises:
        UsageError: there is no such opset.

    >>> resolve("Min", 11).label
    'Min-8'
    """
    if opset is not None and not 1 <= opset <= NEWEST_OPSET:
        raise UsageError(f"there is no opset {opset}", hint=f"opsets 1 to {NEWEST_OPSET} are known")
    rows = versions(name, standard)
    return max(
        (row for row in rows if opset is None or row.since_version <= opset),
        key=lambda row: row.since_version,
    )
