"""The examples in the docstrings are right."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("module", ["bench.case", "bench.stats", "bench.report.tables"])
def test_examples(module):
    failed, attempted = doctest.testmod(importlib.import_module(module))
    assert (failed, attempted > 0) == (0, True)
