"""A page from the schema of an operator in `onnx.defs`; its texts are onnx's own."""

from textwrap import dedent
from typing import Any

import numpy as np
import onnx

from mincli.schemas.language import Language
from mincli.schemas.page import DEFAULT_DOMAIN, Attribute, Page, Parameter, TypeConstraint, Value
from mincli.schemas.registry import Found
from mincli.spec.operators import Standard

_DIFFERENTIABLE = {"Differentiable": True, "NonDifferentiable": False}


def page_of(found: Found) -> Page:
    """Return the page of a schema, in English.

    Args:
        found: the schema and its place among the versions.
    """
    schema = found.schema
    return Page(
        language=Language.EN,
        standard=Standard.ONNX,
        domain=schema.domain or DEFAULT_DOMAIN,
        name=schema.name,
        since_version=schema.since_version,
        last_opset=found.last_opset,
        versions=found.versions,
        deprecated=schema.deprecated,
        function=schema.has_function or schema.has_context_dependent_function,
        support_level=schema.support_level.name,
        shape_inference=schema.has_type_and_shape_inference_function,
        summary=dedent(schema.doc or "").strip("\n"),
        function_body=onnx.printer.to_text(schema.function_body) if schema.has_function else "",
        attributes=tuple(_attribute(attribute) for _, attribute in sorted(schema.attributes.items())),
        min_inputs=schema.min_input,
        max_inputs=schema.max_input,
        inputs=tuple(_parameter(parameter) for parameter in schema.inputs),
        min_outputs=schema.min_output,
        max_outputs=schema.max_output,
        outputs=tuple(_parameter(parameter) for parameter in schema.outputs),
        type_constraints=tuple(
            TypeConstraint(each.type_param_str, tuple(sorted(each.allowed_type_strs)), each.description)
            for each in schema.type_constraints
        ),
    )


def _attribute(attribute: Any) -> Attribute:
    default = attribute.default_value
    return Attribute(
        attribute.name,
        attribute.type.name,
        attribute.required,
        _plain(onnx.helper.get_attribute_value(default)) if default.type else None,
        attribute.description,
    )


def _plain(value: Any) -> Value:
    """Return the value of an attribute as JSON has it; floats, which are of 32 bits, in their shortest form."""
    if isinstance(value, list):
        return [_plain(element) for element in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, float):
        return float(str(np.float32(value)))
    return value if isinstance(value, int) else str(value)


def _parameter(parameter: Any) -> Parameter:
    return Parameter(
        parameter.name,
        parameter.type_str,
        parameter.option.name.lower(),
        parameter.is_homogeneous,
        _DIFFERENTIABLE.get(parameter.differentiation_category.name),
        tuple(sorted(parameter.types)),
        parameter.description,
    )
