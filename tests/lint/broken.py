"""Models broken by chance: some field of some message is removed, repeated, moved or changed."""

import random
from collections.abc import Iterator
from typing import Any

import onnx
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

INTEGERS = (-1, 0, 1, 2, 3, 7, 9, 11, 16, 999, 1 << 40)
"""What an integer may become; those that its field cannot hold are not taken."""


def broken(model: onnx.ModelProto, generator: random.Random) -> onnx.ModelProto:
    """Return a copy of a model with one change."""
    copy = onnx.ModelProto.FromString(model.SerializeToString())
    spots = list(_spots(copy))
    names = sorted({value for message, field in spots for value in _texts(message, field)})
    before = copy.SerializeToString(deterministic=True)
    while copy.SerializeToString(deterministic=True) == before:
        message, field = generator.choice(spots)
        _change(message, field, names, generator)
    return copy


def _spots(message: Message) -> Iterator[tuple[Message, FieldDescriptor]]:
    for field, value in message.ListFields():
        yield message, field
        if field.message_type:
            for inner in value if field.is_repeated else [value]:
                yield from _spots(inner)


def _texts(message: Message, field: FieldDescriptor) -> list[str]:
    if field.type != field.TYPE_STRING:
        return []
    value = getattr(message, field.name)
    return list(value) if field.is_repeated else [value]


def _change(message: Message, field: FieldDescriptor, names: list[str], generator: random.Random) -> None:
    if field.is_repeated:
        _change_list(getattr(message, field.name), field, names, generator)
    elif field.message_type or generator.random() < 0.3:
        message.ClearField(field.name)
    else:
        value = _other(getattr(message, field.name), field, names, generator)
        try:
            setattr(message, field.name, value)
        except ValueError:  # the field cannot hold it
            return


def _change_list(values: Any, field: FieldDescriptor, names: list[str], generator: random.Random) -> None:
    number = generator.randrange(len(values))
    match generator.choice(("remove", "repeat", "move", "change")):
        case "remove":
            del values[number]
        case "repeat":
            values.append(values[number])
        case "move":
            moved = _copy(values[number])
            del values[number]
            values.insert(generator.randrange(len(values) + 1), moved)
        case "change" if not field.message_type:
            values[number] = _other(values[number], field, names, generator)


def _copy(value: object) -> object:
    return type(value).FromString(value.SerializeToString()) if isinstance(value, Message) else value


def _other(value: object, field: FieldDescriptor, names: list[str], generator: random.Random) -> object:
    match value:
        case bool() | int():
            return generator.choice(INTEGERS)
        case float():
            return generator.choice((0.0, -1.0, float("nan")))
        case str():
            return generator.choice([*names, "", "other"])
        case bytes():
            return value[: len(value) // 2]
    raise TypeError(field.full_name)
