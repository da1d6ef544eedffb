"""Counting where the elements of a result came from."""

import threading
from collections.abc import Iterable

from mincli import kernels
from mincli.spec.dtypes import ElementType
from mincli.tensors.tensor import Array


class Origins:
    """Where the elements of a result came from, counted block by block.

    Args:
        inputs: how many inputs to count for; 0 counts only NaNs.

    Attributes:
        from_input: for each input, how many elements of the result are bit for bit its own and no earlier input's.
        nan: how many elements of the result are NaN; no input is counted for them.
    """

    def __init__(self, inputs: int) -> None:
        self.from_input = [0] * inputs
        self.nan = 0
        self._lock = threading.Lock()

    def count(self, operands: Iterable[Array], result: Array, element: ElementType) -> None:
        """Count a block: `result` is the minimum of `operands`, which are looked at one after the other."""
        counts, nan = kernels.origins(operands, result, element)
        with self._lock:
            self.nan += nan
            self.from_input = [a + b for a, b in zip(self.from_input, counts, strict=True)]
