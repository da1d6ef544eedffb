"""What is an attribute in one version of an operator and an input in another."""


def is_same(attribute: str, input_: str) -> bool:
    """Whether an attribute and an input are one thing, by their names.

    It says something only of two versions of one operator, of which one has no such attribute. No schema says what
    moved, but the names do (ONNX operator schemas: ReduceMin 13 and 18, TopK 1 and 10, Pad 2 and 11).

    Args:
        attribute: its name in one version.
        input_: the name of the input in the other.

    >>> is_same("axes", "axes"), is_same("k", "K"), is_same("value", "constant_value"), is_same("mode", "pads")
    (True, True, True, False)
    """
    name = input_.lower()
    return name == attribute.lower() or name.endswith(f"_{attribute.lower()}")
