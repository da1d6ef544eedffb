"""PyTorch on the CPU."""

from collections.abc import Callable, Sequence

from bench.case import Case
from bench.peers.peer import Array, Peer

MINIMUM = """\
import sys
from functools import reduce
import numpy as np, torch
*inputs, output = sys.argv[1:]
result = reduce(torch.minimum, ({load} for path in inputs))
np.save(output, {array})
"""

REDUCE_MIN = """\
import sys
import numpy as np, torch
path, output = sys.argv[1:]
result = torch.amin({load}, dim={axes}, keepdim=True)
np.save(output, {array})
"""


class Torch(Peer):
    """`torch.minimum`, in pairs because there is none of several tensors, and `torch.amin`."""

    requires = ("torch", "numpy")

    def script(self, case: Case) -> str:
        load, array = "torch.from_numpy(np.load(path))", "result.numpy()"
        if case.element == "bfloat16":
            load = "torch.from_numpy(np.load(path).view(np.int16)).view(torch.bfloat16)"
            array = "result.view(torch.int16).numpy().view('V2')"
        elif "S" in case.layouts:
            load = f"torch.from_numpy(np.load(path).astype(np.{case.element}))"
        return (REDUCE_MIN if case.axes else MINIMUM).format(load=load, array=array, axes=case.axes)

    def call(self, case: Case, operands: Sequence[Array], out: Array, threads: int) -> Callable[[], object]:
        import torch

        torch.set_num_threads(threads)
        (first, *others), result = map(_tensor, operands), _tensor(out)
        if case.axes:
            return lambda: torch.amin(first, dim=case.axes, keepdim=True, out=result)

        def minimum() -> None:
            torch.minimum(first, others[0], out=result)
            for other in others[1:]:
                torch.minimum(result, other, out=result)

        return minimum


def _tensor(array: Array) -> Array:
    """Return a tensor on the same memory."""
    import torch

    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view("i2")).view(torch.bfloat16)
    return torch.from_numpy(array)
