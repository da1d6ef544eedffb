"""Who can compute a minimum: one file each, and the table of them."""

from collections.abc import Iterable
from importlib.util import find_spec

from bench.peers.cat import Cat
from bench.peers.dask import Dask
from bench.peers.mincli import Mincli
from bench.peers.numpy import NumPy
from bench.peers.onnxruntime import OnnxRuntime
from bench.peers.peer import Peer
from bench.peers.torch import Torch

PEERS: dict[str, Peer] = {
    "mincli": Mincli(),
    "cat": Cat(),
    "numpy": NumPy(),
    "torch": Torch(),
    "onnxruntime": OnnxRuntime(),
    "dask": Dask(),
}
"""In the order of the report's columns. They import what they need when it is used, in a child process."""


def missing(names: Iterable[str]) -> dict[str, str]:
    """Return the peers that are not installed, with that as the reason."""
    return {name: "not installed" for name in names if not all(map(find_spec, PEERS[name].requires))}
