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
    facts = [labels.pair(label.of(page.language), value, page.language) for label, value in _facts(page)]
    rules = [labels.pair(rule.question, rule.rule, page.language) for rule in page.rules]
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
    parts = [
        Section(labels.SUMMARY.of(language), _paragraph(page.summary)),
        Section(labels.FUNCTION_BODY.of(language), _paragraph(page.function_body)),
        Section(
            labels.ATTRIBUTES.of(language), [line for each in page.attributes for line in _attribute(each, language)]
        ),
        Section(
            labels.remark(labels.INPUTS.of(language), inputs, language),
            [line for each in page.inputs for line in _parameter(each, language)],
        ),
        Section(
            labels.remark(labels.OUTPUTS.of(language), outputs, language),
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
        yield from _indented(part.lines)


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
        yield labels.SINCE_VERSION, labels.remark(page.since_version, labels.opsets(page), language)
        yield labels.VERSIONS, Words(", ", "、").of(language).join(map(str, page.versions))
        yield labels.DEPRECATED, labels.deprecated(page)
    facts = {name: getattr(page, name) for name in ("function", "support_level", "shape_inference")}
    facts |= vars(page.behaviour) if page.behaviour else {}
    for name, value in facts.items():
        if value is not None:
            yield labels.FIELDS[name], labels.yes_or_no(value, language) if isinstance(value, bool) else value


def _attribute(attribute: Attribute, language: Language) -> list[str]:
    if attribute.required:
        presence = labels.REQUIRED.of(language)
    elif attribute.default is None:
        presence = labels.OPTIONAL.of(language)
    else:
        presence = labels.DEFAULT.of(language).format(literal(attribute.default))
    return [_head(attribute.name, attribute.type, presence, language), *_indented(_paragraph(attribute.description))]


def _parameter(parameter: Parameter, language: Language) -> list[str]:
    head = _head(parameter.name, parameter.type, labels.traits(parameter, language), language)
    return [head, *_indented(_paragraph(parameter.description))]


def _head(name: str, kind: str, remark: str, language: Language) -> str:
    return labels.pair(name, labels.remark(kind, remark, language), language)


def _types(constraint: TypeConstraint, language: Language) -> list[str]:
    head = labels.pair(constraint.name, ", ".join(constraint.types), language)
    return [head, *_indented(_paragraph(constraint.description))]


def _example(example: Example, language: Language) -> list[str]:
    lines = [f"{name}: {literal(value)}" for name, value in (example.inputs | example.attributes).items()]
    lines += [f"-> {name}: {literal(value)}" for name, value in example.outputs.items()]
    if example.refused:
        lines.append(f"-> {labels.REFUSED.of(language)}")
    return [labels.remark(example.title, example.type, language), *_indented(lines)]


def _paragraph(text: str) -> list[str]:
    """Split a text of several lines; onnx's have blank ones around."""
    return text.strip("\n").rstrip().splitlines()


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}".rstrip() for line in lines]
