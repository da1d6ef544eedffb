"""Folders that are filled only when all that is to be in them is complete."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from mincli.errors import printable
from mincli.tensors.atomic import blaming, remove_folder, unfinished


@contextmanager
def filling(path: str) -> Iterator[str]:
    """Make a folder to write files into; when the block ends without an error, they are in `path`, else nowhere.

    A folder that is missing is made beside its place and renamed. One that is there, and empty, stays the same (it may
    be a mount point, or the current folder): the files are made in a folder within, and moved up, folders first.

    Args:
        path: of the folder, whose parent exists; a symbolic link is followed.

    Yields:
        The path of the folder to write into.

    Raises:
        OutputError: it cannot be made or filled.
    """
    target = os.path.realpath(path)
    there = os.path.isdir(target)
    made = os.path.join(target if there else os.path.dirname(target), f".mincli-{os.urandom(6).hex()}.tmp")
    with blaming(f"the folder {printable(path)}"):
        unfinished.add(made)
        try:
            os.mkdir(made)
            yield made
            if there:
                _move_up(made, target)
            else:
                os.rename(made, target)
        finally:
            remove_folder(made)
            unfinished.discard(made)


def _move_up(made: str, target: str) -> None:
    names = sorted(os.listdir(made), key=lambda name: (os.path.isfile(os.path.join(made, name)), name))
    for name in names:
        os.rename(os.path.join(made, name), os.path.join(target, name))
