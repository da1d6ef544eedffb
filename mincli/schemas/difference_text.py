"""A difference as plain lines of text, section by section."""

from collections.abc import Iterator

from mincli.schemas import labels
from mincli.schemas.difference import Change, Changes, Difference
from mincli.schemas.language import Language, Words
from mincli.schemas.page import Page, Value
from mincli.schemas.text import Section, literal


def sections(difference: Difference) -> list[Section]:
    """Return what changed; empty sections are left out.

    Args:
        difference: of two versions of an operator.
    """
    old, new, language = difference.old, difference.new, difference.new.language
    parts = [
        Section(f"{old.label} -> {new.label}", list(_facts(difference))),
        Section(
            labels.TYPE_CONSTRAINTS.of(language),
            [
                labels.pair(f"{change.name} {label.of(language)}", ", ".join(types), language)
                for change in difference.types
                for label, types in ((labels.ADDED, change.added), (labels.REMOVED, change.removed))
                if types
            ],
        ),
        Section(labels.ATTRIBUTES.of(language), list(_changes(difference.attributes, language))),
        Section(labels.INPUTS.of(language), list(_changes(difference.inputs, language))),
        Section(labels.OUTPUTS.of(language), list(_changes(difference.outputs, language))),
        Section(labels.DIFF.of(language), list(difference.diff)),
    ]
    return [part for part in parts if part.lines]


def _facts(difference: Difference) -> Iterator[str]:
    old, new, language = difference.old, difference.new, difference.new.language
    yield labels.pair(labels.OLD_VERSION.of(language), _version(old), language)
    yield labels.pair(labels.NEW_VERSION.of(language), _version(new), language)
    breaking = labels.yes_or_no(difference.breaking, language)
    if not new.behaviour:
        breaking = labels.remark(breaking, labels.JUDGED_BY_SCHEMA.of(language), language)
    yield labels.pair(labels.BREAKING.of(language), breaking, language)
    yield from (f"  {reason}" for reason in difference.reasons)
    meaning = labels.yes_or_no(difference.changes_meaning, language)
    if not new.behaviour and not difference.changes_meaning:
        meaning = labels.remark(meaning, labels.NONE_KNOWN.of(language), language)
    yield labels.pair(labels.CHANGES_MEANING.of(language), meaning, language)
    yield from (f"  {meaning}" for meaning in difference.meanings)
    for change in difference.properties:
        yield labels.pair(labels.FIELDS[change.field].of(language), _arrow(change, language), language)
    if old == new:
        yield labels.NOTHING.of(language)
        return
    similarity = labels.remark(f"{difference.similarity:.2f}", labels.OF_WORDS.of(language), language)
    yield labels.pair(labels.SIMILARITY.of(language), similarity, language)
    added, removed = difference.lines_added, difference.lines_removed
    lines = Words(f"{added} added, {removed} removed", f"新增 {added}、移除 {removed}").of(language)
    yield labels.pair(labels.LINES.of(language), lines, language)


def _version(page: Page) -> str:
    return labels.remark(page.label, labels.opsets(page), page.language)


def _changes(changes: Changes, language: Language) -> Iterator[str]:
    for label, names in ((labels.ADDED, changes.added), (labels.REMOVED, changes.removed)):
        if names:
            yield labels.pair(label.of(language), ", ".join(names), language)
    for change in changes.changed:
        name = f"{change.name} {labels.FIELDS[change.field].of(language)}"
        yield labels.pair(name, _arrow(change, language), language)


def _arrow(change: Change, language: Language) -> str:
    """Return both values; those of presence and of truth in words."""
    return " -> ".join(_value(change.field, value, language) for value in (change.old, change.new))


def _value(field: str, value: Value, language: Language) -> str:
    if field == "option":
        return labels.OPTIONS[value].of(language)
    if value is None:
        return Words("not given", "未規定").of(language)
    if isinstance(value, bool):
        return labels.yes_or_no(value, language)
    return literal(value) if field == "default" else str(value)
