"""A folder for files, and blocks so small that even small arrays are cut."""

import pytest

from mincli.streaming import plan


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("arrays")


@pytest.fixture(scope="module")
def small_blocks():
    """Cut even small arrays into blocks, for several threads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "MIN_BLOCK", 1)
        yield lambda nbytes: patch.setattr(plan, "BLOCK", nbytes)
