"""A folder of its own for every test of models."""

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return the folder, which the test runs in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
