"""Minimum of arrays in memory: bits in, bits out. Knows rules, never opset numbers.

All functions take and return arrays of a *storage* type (see `mincli.spec.dtypes`) and follow one rule:

- Any NaN among the operands gives a NaN (which payload is unspecified).
- -0 < +0, as `minimum` of IEEE 754-2019 orders them.
- The result is one of the operands, bit for bit (NaN aside).

So the result does not depend on the order of the operands, on their layout, or on how they are cut into blocks.
"""

from mincli.kernels.minimum import minimum
from mincli.kernels.origins import is_nan, origins
from mincli.kernels.reduction import combine, identity, partial, reads_once

__all__ = ["combine", "identity", "is_nan", "minimum", "origins", "partial", "reads_once"]
