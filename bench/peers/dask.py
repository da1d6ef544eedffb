"""dask.array over memory maps."""

from bench.case import Case
from bench.peers.peer import Peer

SCRIPT = """\
import sys
from functools import reduce
import dask.array as da
import numpy as np{more}
from numpy.lib.format import open_memmap
*inputs, output = sys.argv[1:]
arrays = [da.from_array({load}, name=path) for path in inputs]
result = {result}
out = open_memmap(output, "w+", result.dtype, shape=result.shape)
da.store(result, out, lock=False)
out.flush()
"""


class Dask(Peer):
    """Blocks of dask's own choice, stored to a memory map."""

    requires = ("dask", "numpy")

    def script(self, case: Case) -> str:
        more, load = "", 'np.load(path, mmap_mode="r")'
        if case.element == "bfloat16":
            more, load = ", ml_dtypes", f"{load}.view(ml_dtypes.bfloat16)"
        result = "reduce(da.minimum, arrays)"
        if case.axes:
            result = f"arrays[0].min(axis={case.axes}, keepdims=True)"
        return SCRIPT.format(more=more, load=load, result=result)
