"""A page as plain lines of text, section by section; nothing in it is markup."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mincli.schemas import labels
from mincli.schemas.language import Language, Words
from mincli.schemas.page import Attribute, Example, Page, Parameter, TypeConstraint, Value


class Section(NamedTuple):
    """A heading, and the lines below it."""

    heading: str
    lines: list[str]


def sections(page: Page) -> list[Section]:
    """Return the whole page; empty sections are left out.

    Args:
        page: of any operator.
    """
    pair = labels.pair(page.language)
    facts = [pair.format(label.of(page.language), value) for label, value in _facts(page)]
    rules = [pair.format(rule.question, rule.rule) for rule in page.rules]
    examples = [line for example in page.examples for line in _example(example, page.language)]
    parts = [
        Section(page.label, facts),
        *definition(page),
        Section(labels.RULES.of(page.language), rules),
        Section(labels.EXAMPLES.of(page.language), examples),
    ]
    return [part for part in parts if part.lines]


def definition(page: Page) -> list[Section]:
    """Return the sections that define the operator, which two versions are compared by; empty ones are left out.

    Args:
        page: of any operator.
    """
    language = page.language
    inputs = labels.count(page.min_inputs, page.max_inputs, language)
    outputs = labels.count(page.min_outputs, page.max_outputs, language)
    remark = labels.remark(language)
    parts = [
        Section(labels.SUMMARY.of(language), _paragraph(page.summary)),
        Section(labels.FUNCTION_BODY.of(language), _paragraph(page.function_body)),
        Section(
            labels.ATTRIBUTES.of(language), [line for each in page.attributes for line in _attribute(each, language)]
        ),
        Section(
            remark.format(labels.INPUTS.of(language), inputs),
            [line for each in page.inputs for line in _parameter(each, language)],
        ),
        Section(
            remark.format(labels.OUTPUTS.of(language), outputs),
            [line for each in page.outputs for line in _parameter(each, language)],
        ),
        Section(
            labels.TYPE_CONSTRAINTS.of(language),
            [line for each in page.type_constraints for line in _types(each, language)],
        ),
    ]
    return [part for part in parts if part.lines]


def lines_of(parts: Sequence[Section]) -> Iterator[str]:
    """Yield the lines of sections, each below its heading and indented, with an empty line between sections.

    Args:
        parts: of a page.
    """
    for place, part in enumerate(parts):
        if place:
            yield ""
        yield part.heading
        yield from _indented(part.lines, 2)


def literal(value: Value) -> str:
    """Return a value as text: strings in quotes, NaN and infinities by name.

    Args:
        value: a number, a string, or nested lists.

    >>> literal([[1.0, float("-inf")]]), literal("numpy")
    ('[[1.0, -inf]]', '"numpy"')
    """
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _facts(page: Page) -> Iterator[tuple[Words, str]]:
    language = page.language
    yield labels.NAME, page.name
    yield labels.DOMAIN, page.domain
    if page.since_version is not None:
        yield labels.SINCE_VERSION, labels.remark(language).format(page.since_version, labels.opsets(page))
        yield labels.VERSIONS, Words(", ", "、").of(language).join(map(str, page.versions))
        yield labels.DEPRECATED, labels.deprecated(page)
    if page.function is not None:
        yield labels.FUNCTION, labels.yes_or_no(page.function, language)
    if page.support_level is not None:
        yield labels.SUPPORT_LEVEL, page.support_level
    if page.shape_inference is not None:
        yield labels.SHAPE_INFERENCE, labels.yes_or_no(page.shape_inference, language)
    if page.behaviour:
        if page.behaviour.broadcasting is not None:
            yield labels.BROADCASTING, labels.yes_or_no(page.behaviour.broadcasting, language)
        if page.behaviour.negative_axes is not None:
            yield labels.NEGATIVE_AXES, labels.yes_or_no(page.behaviour.negative_axes, language)
        if page.behaviour.empty_axes is not None:
            yield labels.EMPTY_AXES, page.behaviour.empty_axes


def _attribute(attribute: Attribute, language: Language) -> list[str]:
    if attribute.required:
        presence = labels.REQUIRED.of(language)
    elif attribute.default is None:
        presence = labels.OPTIONAL.of(language)
    else:
        presence = labels.DEFAULT.of(language).format(literal(attribute.default))
    return [_head(attribute.name, attribute.type, presence, language), *_indented(_paragraph(attribute.description), 2)]


def _parameter(parameter: Parameter, language: Language) -> list[str]:
    head = _head(parameter.name, parameter.type, labels.traits(parameter, language), language)
    return [head, *_indented(_paragraph(parameter.description), 2)]


def _head(name: str, kind: str, remark: str, language: Language) -> str:
    return labels.pair(language).format(name, labels.remark(language).format(kind, remark))


def _types(constraint: TypeConstraint, language: Language) -> list[str]:
    head = labels.pair(language).format(constraint.name, ", ".join(constraint.types))
    return [head, *_indented(_paragraph(constraint.description), 2)]


def _example(example: Example, language: Language) -> list[str]:
    lines = [f"{name}: {literal(value)}" for name, value in (example.inputs | example.attributes).items()]
    lines += [f"-> {name}: {literal(value)}" for name, value in example.outputs.items()]
    if example.refused:
        lines.append(f"-> {labels.REFUSED.of(language)}")
    return [labels.remark(language).format(example.title, example.type), *_indented(lines, 2)]


def _paragraph(text: str) -> list[str]:
    """Split a text of several lines; onnx's have blank ones around."""
    return text.strip("\n").rstrip().splitlines()


def _indented(lines: Sequence[str], width: int) -> list[str]:
    return [(" " * width + line).rstrip() for line in lines]
