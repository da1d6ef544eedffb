"""The schema of an operator version as plain data: onnx's own objects are slow to ask."""

from functools import cache
from typing import NamedTuple

import onnx


class Parameter(NamedTuple):
    """An input or output of an operator version.

    Attributes:
        name: in the schema.
        variable: the name of its type constraint (`T`); or of its only type.
        types: what it may be: `tensor(float)`, `seq(tensor(int64))`, ...
        optional: whether it may be left out.
        variadic: whether it stands for any number, all of one type if `homogeneous`.
        homogeneous: see there.
    """

    name: str
    variable: str
    types: frozenset[str]
    optional: bool
    variadic: bool
    homogeneous: bool


class Attribute(NamedTuple):
    """An attribute of an operator version: its ONNX type (INT, FLOATS, GRAPH, ...) and whether it has to be there."""

    type: str
    required: bool


class Signature(NamedTuple):
    """What a node of an operator version may have.

    Attributes:
        domain, name, since_version: the version; ONNX's own domain is "".
        deprecated: whether nodes may no longer use it.
        inputs, outputs: its parameters.
        min_inputs, max_inputs, min_outputs, max_outputs: how many a node has.
        attributes: by name.
    """

    domain: str
    name: str
    since_version: int
    deprecated: bool
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    min_inputs: int
    max_inputs: int
    min_outputs: int
    max_outputs: int
    attributes: dict[str, Attribute]

    @property
    def label(self) -> str:
        """The version in messages: `Min-8`."""
        return f"{self.name}-{self.since_version}"


@cache
def newest_opsets() -> dict[str, int]:
    """Return the newest opset of each domain that the installed onnx knows."""
    return {domain: newest for domain, (_, newest) in onnx.defs.C.schema_version_map().items()}


def is_judged(domain: str, version: int) -> bool:
    """Whether an opset exists and is known here; of a domain that onnx does not know, any may be.

    Args:
        domain: "" is ONNX's own.
        version: the opset.
    """
    newest = newest_opsets().get(domain)
    return newest is None or 1 <= version <= newest


@cache
def signature(domain: str, name: str, opset: int) -> Signature | None:
    """Return the version of an operator that an opset means; None if the opset has none.

    Args:
        domain: "" is ONNX's own.
        name: of the operator.
        opset: of the domain.
    """
    if not onnx.defs.has(name, opset, domain):
        return None
    schema = onnx.defs.get_schema(name, opset, domain)
    return Signature(
        domain,
        name,
        schema.since_version,
        schema.deprecated,
        tuple(map(_parameter, schema.inputs)),
        tuple(map(_parameter, schema.outputs)),
        schema.min_input,
        schema.max_input,
        schema.min_output,
        schema.max_output,
        {own.name: Attribute(own.type.name, own.required) for own in schema.attributes.values()},
    )


def _parameter(formal: onnx.defs.OpSchema.FormalParameter) -> Parameter:
    options = onnx.defs.OpSchema.FormalParameterOption
    return Parameter(
        formal.name,
        formal.type_str,
        frozenset(formal.types),
        formal.option is options.Optional,
        formal.option is options.Variadic,
        formal.is_homogeneous,
    )
