"""The families of measurements: one file each, with a list of cases, and the table of them."""

from collections.abc import Callable, Iterator

from bench.families import files, growth, kernels, lint, start
from bench.record import Record

FAMILIES: dict[str, Callable[[bool], Iterator[Record]]] = {
    "files": files.measure,
    "kernels": kernels.measure,
    "start": start.measure,
    "growth": growth.measure,
    "lint": lint.measure,
}
"""Each measures its cases in this folder and yields them one after the other; told True, a few small ones quickly."""
