"""The pages of oneDNN Graph's Minimum and ReduceMin, from their rows, in our own words.

Source: oneDNN developer guide, operations Minimum and ReduceMin.
"""

from mincli.errors import UsageError, printable
from mincli.schemas.language import Language
from mincli.schemas.page import Attribute, Page, Parameter, TypeConstraint
from mincli.spec import operators
from mincli.spec.operators import OPERATOR_VERSIONS, OperatorVersion, Standard

_TYPES = {"float": "f32", "bfloat16": "bf16", "float16": "f16"}
_ATTRIBUTE_TYPES = {"INTS": "s64[]", "STRING": "string", "BOOL": "bool"}
_DEFAULTS = {"axes": [], "keep_dims": False}
"""Where oneDNN writes them otherwise than the rows do."""

_SUMMARIES = {
    "Minimum": "Element-wise minimum of two tensors of one type. With auto_broadcast numpy their shapes are broadcast"
    " to each other, aligned from the right; with none they have to be equal.",
    "ReduceMin": "Minimum of a tensor along axes. Exactly one of the attribute axes and the input axes gives them;"
    " empty ones make it the identity. A reduced axis stays with size 1 if keep_dims is true, else it is removed.",
}
_DESCRIPTIONS = {
    "auto_broadcast": '"numpy" broadcasts; "none" needs equal shapes.',
    "axes": "The axes to reduce, each once, in [-r, r-1] where r is the rank of src; none of them: the identity.",
    "keep_dims": "Whether a reduced axis stays with size 1.",
    "src_0": "The first operand.",
    "src_1": "The second operand.",
    "src": "What is reduced.",
    "dst": "The minimum.",
}


def resolve(name: str) -> OperatorVersion:
    """Return the row of an operator of oneDNN Graph.

    Raises:
        UsageError: mincli knows no such operator.
    """
    if not operators.versions(name, Standard.ONEDNN):
        known = [row.name for row in OPERATOR_VERSIONS if row.standard is Standard.ONEDNN]
        raise UsageError(
            f"mincli knows no operator {printable(name)} of oneDNN Graph", hint=f"it knows {' and '.join(known)}"
        )
    return operators.resolve(name, standard=Standard.ONEDNN)


def page_of(row: OperatorVersion) -> Page:
    """Return the page of an operator, in English.

    Args:
        row: of oneDNN.
    """
    types = tuple(sorted(_TYPES[name] for name in row.types))
    return Page(
        language=Language.EN,
        standard=Standard.ONEDNN,
        domain="oneDNN Graph",
        name=row.name,
        since_version=None,
        last_opset=None,
        versions=(),
        deprecated=False,
        function=None,
        support_level=None,
        shape_inference=None,
        summary=_SUMMARIES[row.name],
        function_body="",
        attributes=tuple(
            Attribute(
                each.name,
                _ATTRIBUTE_TYPES[each.type],
                required=False,
                default=_DEFAULTS.get(each.name, each.default),
                description=_DESCRIPTIONS[each.name],
            )
            for each in row.attributes
        ),
        min_inputs=row.min_inputs,
        max_inputs=row.max_inputs,
        inputs=tuple(
            _parameter(name, types, optional=place >= row.min_inputs) for place, name in enumerate(row.inputs)
        ),
        min_outputs=1,
        max_outputs=1,
        outputs=(_parameter("dst", types),),
        type_constraints=(TypeConstraint("T", types, "One type for the operands and the result."),),
    )


def _parameter(name: str, types: tuple[str, ...], *, optional: bool = False) -> Parameter:
    is_axes = name == "axes"
    return Parameter(
        name,
        "s32" if is_axes else "T",
        "optional" if optional else "single",
        homogeneous=True,
        differentiable=None,
        types=("s32",) if is_axes else types,
        description=_DESCRIPTIONS[name],
    )
