"""Optional, OptionalGetElement, OptionalHasElement (15 and 18); Identity and If, which may pass optionals from 16 on.

An optional that holds a value is that value; one that holds none is None.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact
from mincli.models.values import Value


class Optional(Exact):
    """ONNX Optional 15 and later: its input, or an optional that holds nothing."""

    def run(self, value: Value = None) -> list[Value]:
        """Return the value."""
        return [value]


class OptionalHasElement(Exact):
    """ONNX OptionalHasElement 15 and 18; from 18 on the input may be left out."""

    def run(self, value: Value = None) -> list[NDArray[np.bool_]]:
        """Return whether there is a value."""
        return [np.array(value is not None)]


class OptionalGetElement(Exact):
    """ONNX OptionalGetElement 15 and 18."""

    def run(self, value: Value) -> list[Value]:
        """Return the value.

        Raises:
            ValueError: there is none.
        """
        if value is None:
            raise ValueError("the optional holds no element")
        return [value]


class Identity(Exact):
    """ONNX Identity 16 and later, which takes optionals."""

    def run(self, value: Value) -> list[Value]:
        """Return the value."""
        return [value.copy() if isinstance(value, np.ndarray) else value]


class If(Exact):
    """ONNX If, every version."""

    def need_context(self) -> bool:
        """Return that the branches see the values of the graph around it."""
        return True

    def run(self, condition: NDArray[np.bool_], *, context: Mapping[str, Value]) -> list[Value]:
        """Return the outputs of the branch.

        Raises:
            ValueError: the condition is not one element.
        """
        if condition.size != 1:
            raise ValueError(f"the condition has {condition.size} elements, not one")
        branch = self.then_branch if condition.item() else self.else_branch
        outputs: list[Value] = branch.run(None, context)
        return outputs
