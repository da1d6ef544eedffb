"""What a node that is valid by two versions of an operator means by each: the known changes (spec/changes.py)."""

from collections.abc import Iterator

from mincli.schemas.page import Attribute, Page, Value
from mincli.schemas.text import literal
from mincli.spec.changes import ANYTHING, between, same_value, without
from mincli.spec.operators import DEFAULT_DOMAIN


def changes(old: Page, new: Page) -> tuple[str, ...]:
    """Return how a node may mean something else by `new` than by `old`; nothing if none is known.

    Args:
        old: a version of an operator of ONNX.
        new: another one, older or newer.
    """
    if old.domain != DEFAULT_DOMAIN or old.since_version is None or new.since_version is None:
        return ()
    pair = (old.since_version, new.since_version)
    up = list(pair) == sorted(pair)
    known = [change for change in between(old.name, *pair) if not change.wider]
    words = [(change.before, change.after) if up else (change.after, change.before) for change in known]
    found = [f"{old.label}: {before}; {new.label}: {after}" for before, after in words]
    return (*found, *_defaults(old, new, up=up, told={"axis"} if known else set()))


def _defaults(old: Page, new: Page, *, up: bool, told: set[str]) -> Iterator[str]:
    """Yield the attributes as whose other value a version computes where they are not given."""
    before = {attribute.name: attribute for attribute in old.attributes}
    after = {attribute.name: attribute for attribute in new.attributes}
    for name in sorted({*before, *after} - told):
        one, other = _value(old, name, before, after), _value(new, name, after, before)
        if one is None or other is None or ANYTHING in (one, other):
            continue
        if not same_value(old.name, name, *((one, other) if up else (other, one))):
            yield f"{name}: {old.label} computes as with {literal(one)}, {new.label} as with {literal(other)}"


def _value(page: Page, name: str, own: dict[str, Attribute], others: dict[str, Attribute]) -> Value:
    """Return as which value of an attribute a version computes where it is not given; None if it has to be."""
    if name in own:
        return own[name].default
    value: Value = without(page.name, name, others[name].default)
    return value
