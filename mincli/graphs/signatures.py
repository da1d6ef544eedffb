"""The schema of an operator version as plain data, and its history: onnx's own objects are slow to ask."""

from functools import cache
from typing import Any, NamedTuple

import onnx

from mincli.graphs.nodes import own_domain
from mincli.spec.operators import opsets_in_words


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
    """An attribute of an operator version.

    Attributes:
        type: its ONNX type: INT, FLOATS, GRAPH, ...
        required: whether it has to be there.
        default: its value where it is not given, or None.
    """

    type: str
    required: bool
    default: Any = None


class Signature(NamedTuple):
    """What a node of an operator version may have.

    Attributes:
        domain, name, since_version: the version; ONNX's own domain is "".
        deprecated: whether nodes may no longer use it.
        inputs, outputs: its parameters.
        min_inputs, max_inputs, min_outputs, max_outputs: how many a node has.
        attributes: by name, in its order.
        experimental: whether onnx calls it so: it may change without a new version.
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
    experimental: bool = False

    @property
    def label(self) -> str:
        """The version in messages: `Min-8`."""
        return f"{self.name}-{self.since_version}"

    @property
    def earlier(self) -> tuple["Signature", ...]:
        """The versions of the operator before this one, the oldest first."""
        versions = history(self.domain, self.name)
        return versions[: versions.index(self)]

    @property
    def later(self) -> tuple["Signature", ...]:
        """The versions of the operator after this one, the oldest first."""
        versions = history(self.domain, self.name)
        return versions[versions.index(self) + 1 :]

    @property
    def last_opset(self) -> int | None:
        """The last opset that means this version; None if it is the newest."""
        return self.later[0].since_version - 1 if self.later else None

    @property
    def opsets(self) -> str:
        """The opsets that mean this version, in words."""
        return opsets_in_words(self.since_version, self.last_opset)


def parameter_at(parameters: tuple[Parameter, ...], number: int) -> Parameter:
    """Return what the input or output with a number is of; those behind the last are of the last, a variadic one."""
    return parameters[min(number, len(parameters) - 1)]


def is_judged(domain: str, version: int) -> bool:
    """Whether an opset exists and is known here; of a domain that onnx does not know, any may be.

    Args:
        domain: "" is ONNX's own.
        version: the opset.
    """
    newest = newest_opset(domain)
    return newest is None or 1 <= version <= newest


@cache
def signature(domain: str, name: str, opset: int) -> Signature | None:
    """Return the version of an operator that an opset means; None if the opset has none.

    It is the same object for every opset that means the same version.

    Args:
        domain: "" is ONNX's own.
        name: of the operator.
        opset: of the domain.
    """
    if newest_opset(domain) is None or not onnx.defs.has(name, opset, domain):
        return None
    return _version(domain, name, onnx.defs.get_schema(name, opset, domain).since_version)


@cache
def history(domain: str, name: str) -> tuple[Signature, ...]:
    """Return all versions of an operator, the oldest first; none if there is no such operator."""
    return tuple(_version(domain, name, since) for since in sorted(_all_versions().get(domain, {}).get(name, ())))


def operators(domain: str) -> list[str]:
    """Return the names of all operators that a domain has, or had, in any opset."""
    return sorted(_all_versions().get(domain, {}))


@cache
def newest_opset(domain: str) -> int | None:
    """Return the newest opset of a domain that the installed onnx knows; None if it knows no such domain."""
    known = onnx.defs.C.schema_version_map().get(domain)
    return None if known is None else int(known[1])


@cache
def _all_versions() -> dict[str, dict[str, list[int]]]:
    """Return when each operator changed: by domain, then by name."""
    versions: dict[str, dict[str, list[int]]] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        names = versions.setdefault(own_domain(schema.domain), {})
        names.setdefault(schema.name, []).append(schema.since_version)
    return versions


@cache
def _version(domain: str, name: str, since: int) -> Signature:
    schema = onnx.defs.get_schema(name, since, domain)
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
        {name: _attribute(own) for name, own in sorted(schema.attributes.items())},
        schema.support_level is onnx.defs.OpSchema.SupportType.EXPERIMENTAL,
    )


def _attribute(own: onnx.defs.OpSchema.Attribute) -> Attribute:
    default = onnx.helper.get_attribute_value(own.default_value) if own.default_value.type else None
    return Attribute(own.type.name, own.required, default)


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
