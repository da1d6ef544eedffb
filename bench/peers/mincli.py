"""mincli itself."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.case import Case
from bench.peers.peer import Array, Peer

_SCRIPT = Path(sys.executable).with_name("mincli")
MINCLI = [str(_SCRIPT)] if _SCRIPT.exists() else [sys.executable, "-m", "mincli"]
"""The command as it is installed."""


class Mincli(Peer):
    """The command `mincli`, and the code beneath it."""

    def command(self, case: Case, inputs: Sequence[str], output: str) -> list[str]:
        axes = ["--axes", ",".join(map(str, case.axes))] if case.axes else []
        return [*MINCLI, case.operator, *inputs, *axes, "-o", output]

    def call(self, case: Case, operands: Sequence[Array], out: Array, threads: int) -> Callable[[], object]:
        from mincli.spec.dtypes import of_numpy
        from mincli.streaming import minimum, reduction
        from mincli.streaming.plan import Limits
        from mincli.tensors.array import ArrayTensor
        from mincli.tensors.target import ArrayTarget

        element, limits = of_numpy(out.dtype.str, out.dtype.name), Limits(threads)
        assert element is not None
        tensors = [ArrayTensor(operand.view(element.storage), element, "") for operand in operands]
        target = ArrayTarget(out.view(element.storage), element)
        if case.axes:
            (tensor,) = tensors
            return lambda: reduction.reduce_min(tensor, target, reduction.make_plan(tensor, case.axes, limits))
        return lambda: minimum.minimum(tensors, target, minimum.make_plan(tensors, out.shape, limits))
