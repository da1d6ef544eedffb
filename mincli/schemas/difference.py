"""Two versions of an operator compared: what is added, removed and changed, and how their texts differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff

from mincli.schemas import meaning, text, validity
from mincli.schemas.page import Attribute, Page, Parameter, Value


@dataclass(frozen=True)
class Change:
    """A field of something that both versions have, and its two values."""

    name: str
    field: str
    old: Value
    new: Value


@dataclass(frozen=True)
class Changes:
    """Names that only the new or only the old version has, and what changed about those that both have."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[Change, ...]


@dataclass(frozen=True)
class TypeChange:
    """The types that a type variable gained and lost; one that another replaced has the new name."""

    name: str
    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """What changes from one version to another.

    Attributes:
        old: the version that is compared with.
        new: the version that is asked for.
        reasons: why something valid before is not valid after; () if all stays valid.
        meanings: how something valid in both may mean something else, as far as that is known; () if nothing does.
        properties: changed facts of the operator itself, such as its number of inputs.
        types: changed type variables.
        attributes, inputs, outputs: what changed about each kind.
        similarity: of the words of the two texts, from 0 to 1.
        lines_added: of the text, as many as the unified diff has.
        lines_removed: likewise.
        diff: the unified diff of the texts.
    """

    old: Page
    new: Page
    reasons: tuple[str, ...]
    meanings: tuple[str, ...]
    properties: tuple[Change, ...]
    types: tuple[TypeChange, ...]
    attributes: Changes
    inputs: Changes
    outputs: Changes
    similarity: float
    lines_added: int
    lines_removed: int
    diff: tuple[str, ...]

    @property
    def breaking(self) -> bool:
        """Whether something valid before is not valid after."""
        return bool(self.reasons)

    @property
    def changes_meaning(self) -> bool:
        """Whether something valid in both may mean something else, as far as that is known."""
        return bool(self.meanings)


_PROPERTIES = (
    "deprecated", "function", "support_level", "shape_inference",
    "min_inputs", "max_inputs", "min_outputs", "max_outputs",
)  # fmt: skip


def between(old: Page, new: Page) -> Difference:
    """Compare two versions of an operator.

    Args:
        old: one of them, older or newer.
        new: the other one, in the same language.
    """
    before = list(text.lines_of(text.definition(old)))
    after = list(text.lines_of(text.definition(new)))
    diff = tuple(unified_diff(before, after, old.label, new.label, lineterm=""))
    words, others = " ".join(before).split(), " ".join(after).split()
    return Difference(
        old=old,
        new=new,
        reasons=validity.reasons(old, new),
        meanings=meaning.changes(old, new),
        properties=_properties(old, new),
        types=_types(old, new),
        attributes=_changes(old.attributes, new.attributes, ("type", "required", "default")),
        inputs=_changes(old.inputs, new.inputs, ("type", "option", "homogeneous", "differentiable")),
        outputs=_changes(old.outputs, new.outputs, ("type", "option", "homogeneous", "differentiable")),
        similarity=round(SequenceMatcher(None, words, others, autojunk=False).ratio(), 4),
        lines_added=sum(line.startswith("+") for line in diff[2:]),
        lines_removed=sum(line.startswith("-") for line in diff[2:]),
        diff=diff,
    )


def _properties(old: Page, new: Page) -> tuple[Change, ...]:
    changes = [Change(old.name, field, getattr(old, field), getattr(new, field)) for field in _PROPERTIES]
    if old.behaviour and new.behaviour:
        changes += [
            Change(old.name, field, value, getattr(new.behaviour, field))
            for field, value in vars(old.behaviour).items()
        ]
    return tuple(change for change in changes if change.old != change.new)


def _types(old: Page, new: Page) -> tuple[TypeChange, ...]:
    before = {constraint.name: constraint.types for constraint in old.type_constraints}
    after = {constraint.name: constraint.types for constraint in new.type_constraints}
    same = _counterparts(old, new)
    pairs = [(name, before[same[name]] if name in same else (), types) for name, types in after.items()]
    pairs += [(name, types, ()) for name, types in before.items() if name not in same.values()]
    changes = [
        TypeChange(
            name,
            tuple(kind for kind in types if kind not in earlier),
            tuple(kind for kind in earlier if kind not in types),
        )
        for name, earlier, types in pairs
    ]
    return tuple(change for change in changes if change.added or change.removed)


def _counterparts(old: Page, new: Page) -> dict[str, str]:
    """Return the old type variable of each new one: that of the same parameters, if there are any, or of the name.

    Names alone do not tell: T1 is of the mask in Dropout-10, and of the ratio in Dropout-12, where T2 is of the mask.
    """
    before, after = _users(old), _users(new)
    shared = [
        (-len(after[name] & before[other]), name != other, name, other)
        for name in after
        for other in before
        if name == other or after[name] & before[other]
    ]
    found: dict[str, str] = {}
    for _, _, name, other in sorted(shared):
        if name not in found and other not in found.values():
            found[name] = other
    return found


def _users(page: Page) -> dict[str, set[tuple[str, str]]]:
    """Return the inputs and outputs that are of each type variable."""
    parameters = [("input", own) for own in page.inputs] + [("output", own) for own in page.outputs]
    return {
        constraint.name: {(side, own.name) for side, own in parameters if own.type == constraint.name}
        for constraint in page.type_constraints
    }


def _changes(
    old: Sequence[Attribute] | Sequence[Parameter],
    new: Sequence[Attribute] | Sequence[Parameter],
    fields: Sequence[str],
) -> Changes:
    before = {each.name: each for each in old}
    after = {each.name: each for each in new}
    changed = [
        Change(name, field, getattr(before[name], field), getattr(after[name], field))
        for name in before
        if name in after
        for field in fields
        if getattr(before[name], field) != getattr(after[name], field)
    ]
    return Changes(
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
        changed=tuple(changed),
    )
