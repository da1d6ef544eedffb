"""What is an attribute in one version of an operator and an input in another, found in the schemas themselves."""

from collections.abc import Iterable

from mincli.graphs.signatures import Signature, history
from mincli.spec.moves import is_same


def as_inputs(version: Signature, names: Iterable[str]) -> dict[str, int]:
    """Return which attributes of other versions are inputs of this one.

    Args:
        version: of the operator.
        names: of attributes.

    Returns:
        The number of the input by the name of the attribute.
    """
    wanted = [name for name in names if name not in version.attributes]
    if not wanted:
        return {}
    had = {name for other in history(version.domain, version.name) for name in other.attributes}
    return {
        name: number
        for name in wanted
        if name in had
        for number, parameter in enumerate(version.inputs)
        if is_same(name, parameter.name)
    }


def as_attributes(version: Signature, numbers: Iterable[int]) -> dict[int, str]:
    """Return which inputs of newer versions are attributes of this one.

    Args:
        version: of the operator.
        numbers: of inputs, which this version does not have.

    Returns:
        The name of the attribute by the number of the input.
    """
    return {
        number: name
        for number in numbers
        for other in history(version.domain, version.name)
        for parameter in other.inputs[number : number + 1]
        for name in version.attributes
        if name not in other.attributes and is_same(name, parameter.name)
    }
