"""A folder of its own and a plain environment for every test of the command line."""

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING", "PYTHONUNBUFFERED"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTHONWARNINGS", "error")


@pytest.fixture
def arrays():
    """Three arrays that go together: a.npy and b.npy of 2 x 3, row.npy of 3."""
    np.save("a.npy", np.array([[1, 5, 3], [4, 2, 6]], "f4"))
    np.save("b.npy", np.array([[2, 2, 2], [5, 1, 7]], "f4"))
    np.save("row.npy", np.array([3, 0, 3], "f4"))
