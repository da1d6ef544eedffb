"""What is valid by one version of an operator and not by another: the reasons why a change is breaking.

A node is checked as `onnx.checker` does with `full_check`: attributes by name and type, inputs and outputs by number
and type, one type for all parameters that share a type variable, and nothing at all of a deprecated version; and for
the minimum operators, broadcasting and the sign of axes. What only the text of a schema says is not judged.
"""

from collections.abc import Iterator
from itertools import combinations

from mincli.schemas.language import Words
from mincli.schemas.page import Page, Parameter
from mincli.spec.moves import is_same

_WORDS = {
    "deprecated": Words("the operator is deprecated", "運算子已棄用"),
    "attribute_gone": Words("the attribute {} is gone", "屬性 {} 已移除"),
    "attribute_moved": Words("the attribute {} is an input now", "屬性 {} 改為輸入"),
    "attribute_type": Words("the attribute {} is {} instead of {}", "屬性 {} 的型別改為 {}，原為 {}"),
    "attribute_required": Words("the attribute {} is required", "屬性 {} 變為必要"),
    "at_least": Words("the least number of {} is {} instead of {}", "{}最少 {} 個，原為 {} 個"),
    "at_most": Words("the greatest number of {} is {} instead of {}", "{}最多 {} 個，原為 {} 個"),
    "input_moved": Words("the input {} is an attribute now", "輸入 {} 改為屬性"),
    "not_left_out": Words("{} may not be left out", "{} 不得省略"),
    "types": Words("{} may no longer be {}", "{} 不再接受 {}"),
    "one_type": Words("{} and {} need one type", "{} 與 {} 的型別必須相同"),
    "broadcasting": Words("shapes are no longer broadcast", "不再支援廣播"),
    "negative_axes": Words("negative axes are refused", "不接受負的軸"),
    "inputs": Words("inputs", "輸入"),
    "outputs": Words("outputs", "輸出"),
}


def reasons(old: Page, new: Page) -> tuple[str, ...]:
    """Return why something that is valid by `old` is not by `new`, each reason once; nothing if all stays valid.

    Args:
        old: a version of an operator.
        new: another one of the same operator, older or newer.
    """
    if old.deprecated:
        return ()  # nothing was valid
    if new.deprecated:
        return (_WORDS["deprecated"].of(new.language),)  # nothing is valid, whatever else changed
    found = [*_attributes(old, new), *_counts(old, new), *_types(old, new), *_behaviour(old, new)]
    return tuple(dict.fromkeys(_WORDS[key].of(new.language).format(*values) for key, *values in found))


_Found = Iterator[tuple[str, ...]]
"""Keys of `_WORDS` with the values for them."""


def _attributes(old: Page, new: Page) -> _Found:
    before = {attribute.name: attribute for attribute in old.attributes}
    after = {attribute.name: attribute for attribute in new.attributes}
    for name, attribute in before.items():
        if name not in after:
            moved = any(is_same(name, parameter.name) for parameter in new.inputs)
            yield ("attribute_moved" if moved else "attribute_gone"), name
        elif after[name].type != attribute.type:
            yield "attribute_type", name, after[name].type, attribute.type
    for name, attribute in after.items():
        if attribute.required and not (name in before and before[name].required):
            yield "attribute_required", name


def _counts(old: Page, new: Page) -> _Found:
    kept = {parameter.name for parameter in new.inputs}
    for parameter in old.inputs:
        if parameter.name not in kept and any(is_same(own.name, parameter.name) for own in new.attributes):
            yield "input_moved", parameter.name
    for kind in ("inputs", "outputs"):
        low, high = f"min_{kind}", f"max_{kind}"
        word = _WORDS[kind].of(new.language)
        if getattr(new, low) > getattr(old, low):
            yield "at_least", word, str(getattr(new, low)), str(getattr(old, low))
        if getattr(new, high) < getattr(old, high):
            yield "at_most", word, str(getattr(new, high)), str(getattr(old, high))


def _types(old: Page, new: Page) -> _Found:
    """Compare the parameters place by place, since models have no names for them."""
    pairs = [
        (place, before, after)
        for side in ("inputs", "outputs")
        for place, before, after in _places(getattr(old, side), getattr(new, side))
    ]
    for _, before, after in pairs:
        if before.option == "optional" and after.option == "single":
            yield "not_left_out", after.name
        lost = [name for name in before.types if name not in after.types]
        if lost:
            yield "types", before.type if before.type == after.type else after.name, ", ".join(lost)
    for (place, before, after), (other, before_too, after_too) in combinations(pairs, 2):
        was_one_type = len(before.types) == 1 and before.types == before_too.types
        was_tied = was_one_type or _variable(before, place) == _variable(before_too, other)
        if not was_tied and _variable(after, place) == _variable(after_too, other) and len(after.types) > 1:
            yield "one_type", after.name, after_too.name


def _places(old: tuple[Parameter, ...], new: tuple[Parameter, ...]) -> Iterator[tuple[int, Parameter, Parameter]]:
    """Yield the places that both have; one more than they name, for what is variadic."""
    for place in range(max(len(old), len(new)) + 1):
        before, after = _at(old, place), _at(new, place)
        if before and after:
            yield place, before, after


def _at(parameters: tuple[Parameter, ...], place: int) -> Parameter | None:
    if place < len(parameters):
        return parameters[place]
    return parameters[-1] if parameters and parameters[-1].option == "variadic" else None


def _variable(parameter: Parameter, place: int) -> str:
    """Return the type variable of a parameter; a heterogeneous one has another at each place."""
    return parameter.type if parameter.homogeneous else f"{parameter.name} {place}"


def _behaviour(old: Page, new: Page) -> _Found:
    if old.behaviour and new.behaviour:
        if old.behaviour.broadcasting and not new.behaviour.broadcasting:
            yield ("broadcasting",)
        if old.behaviour.negative_axes and not new.behaviour.negative_axes:
            yield ("negative_axes",)
