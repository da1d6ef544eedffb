"""NumPy: what one writes who has no mincli. It has one thread."""

from collections.abc import Callable, Sequence

from bench.case import Case
from bench.peers.peer import Array, Peer

MINIMUM = """\
import sys
from functools import reduce
import numpy as np{more}
*inputs, output = sys.argv[1:]
np.save(output, reduce(np.minimum, ({load} for path in inputs)))
"""

REDUCE_MIN = """\
import sys
import numpy as np{more}
path, output = sys.argv[1:]
np.save(output, {load}.min(axis={axes}, keepdims=True))
"""


class NumPy(Peer):
    """`np.save(output, np.minimum(np.load(a), np.load(b)))`; bfloat16 by ml_dtypes."""

    requires = ("numpy",)

    def script(self, case: Case) -> str:
        more, load = "", "np.load(path)"
        if case.element == "bfloat16":
            more, load = ", ml_dtypes", "np.load(path).view(ml_dtypes.bfloat16)"
        return (REDUCE_MIN if case.axes else MINIMUM).format(more=more, load=load, axes=case.axes)

    def call(self, case: Case, operands: Sequence[Array], out: Array, threads: int) -> Callable[[], object]:
        import numpy as np

        first, *others = operands
        if case.axes:
            return lambda: np.minimum.reduce(first, axis=case.axes, keepdims=True, out=out)

        def minimum() -> None:
            np.minimum(first, others[0], out=out)
            for other in others[1:]:
                np.minimum(out, other, out=out)

        return minimum
