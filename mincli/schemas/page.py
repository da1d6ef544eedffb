"""A reference page as data: what ONNX's own operator pages have, and what mincli adds for the minimum operators."""

from dataclasses import dataclass
from typing import Any

from mincli.schemas.language import Language
from mincli.spec.operators import Standard

Value = Any
"""A number, or nested lists of numbers."""


DEFAULT_DOMAIN = "ai.onnx"
"""The name of the domain that models import as ""."""


@dataclass(frozen=True)
class Attribute:
    """An attribute: `default` is None if it has none."""

    name: str
    type: str
    required: bool
    default: Value
    description: str


@dataclass(frozen=True)
class Parameter:
    """A formal input or output.

    Attributes:
        name: its name in the schema; models need not use it.
        type: a type constraint (`T`), or one type.
        option: "single", "optional" or "variadic".
        homogeneous: whether all that a variadic parameter stands for have one type.
        differentiable: whether a gradient is defined; None if the schema does not say.
        types: the types that it may have, sorted.
        description: the schema's own.
    """

    name: str
    type: str
    option: str
    homogeneous: bool
    differentiable: bool | None
    types: tuple[str, ...]
    description: str


@dataclass(frozen=True)
class TypeConstraint:
    """A type variable of the parameters, and the types that it may be, sorted."""

    name: str
    types: tuple[str, ...]
    description: str


@dataclass(frozen=True)
class Rule:
    """A question that the standard leaves open, and what mincli does."""

    question: str
    rule: str


@dataclass(frozen=True)
class Example:
    """A call with small values.

    Attributes:
        title: what it shows, or why it is refused.
        type: the element type of the operands and the result.
        inputs: values by name; `axes`, where that is an input, is int64.
        attributes: those that are given.
        outputs: the result by name; empty if the call is refused.
        refused: whether this version does not allow it.
    """

    title: str
    type: str
    inputs: dict[str, Value]
    attributes: dict[str, Value]
    outputs: dict[str, Value]
    refused: bool


@dataclass(frozen=True)
class Behaviour:
    """What mincli knows of a minimum operator beside its schema; None where that is no question.

    Attributes:
        broadcasting: whether NumPy broadcasting is allowed.
        negative_axes: whether an axis may count from the end.
        empty_axes: what absent or empty axes mean.
    """

    broadcasting: bool | None
    negative_axes: bool | None
    empty_axes: str | None


@dataclass(frozen=True)
class Page:
    """The reference page of one version of an operator.

    Attributes:
        language: of the texts.
        standard: who defines it.
        domain: "ai.onnx" is the default one.
        name: of the operator.
        since_version: the first opset that has this version; None for oneDNN, which has no opsets.
        last_opset: the last that has it; None if the newest has.
        versions: all of its versions, oldest first.
        deprecated: whether models may no longer use it.
        function: whether it is defined by other operators; None for oneDNN, as are the next two.
        support_level: COMMON or EXPERIMENTAL.
        shape_inference: whether onnx infers its types and shapes.
        summary: what it does.
        function_body: the function that defines it, as onnx prints it, or "".
        attributes: sorted by name.
        min_inputs, max_inputs: how many inputs a node may have.
        inputs: the formal inputs.
        min_outputs, max_outputs: how many outputs a node may have.
        outputs: the formal outputs.
        type_constraints: the type variables.
        behaviour: of a minimum operator; else None.
        rules: what the standard leaves open; () for other operators, as is the next.
        examples: each is true for this version.
    """

    language: Language
    standard: Standard
    domain: str
    name: str
    since_version: int | None
    last_opset: int | None
    versions: tuple[int, ...]
    deprecated: bool
    function: bool | None
    support_level: str | None
    shape_inference: bool | None
    summary: str
    function_body: str
    attributes: tuple[Attribute, ...]
    min_inputs: int
    max_inputs: int
    inputs: tuple[Parameter, ...]
    min_outputs: int
    max_outputs: int
    outputs: tuple[Parameter, ...]
    type_constraints: tuple[TypeConstraint, ...]
    behaviour: Behaviour | None = None
    rules: tuple[Rule, ...] = ()
    examples: tuple[Example, ...] = ()

    @property
    def label(self) -> str:
        """The version's name: `Min-13`, `ai.onnx.ml:Scaler-1`, `oneDNN Minimum`."""
        if self.standard is Standard.ONEDNN:
            return f"oneDNN {self.name}"
        return f"{'' if self.domain == 'ai.onnx' else self.domain + ':'}{self.name}-{self.since_version}"
