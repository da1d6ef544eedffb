"""The examples in the docstrings, which readers take for granted."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import mincli

FINDER = doctest.DocTestFinder()
EXAMPLES = {
    module.name: [test for test in FINDER.find(import_module(module.name)) if test.examples]
    for module in pkgutil.walk_packages(mincli.__path__, "mincli.")
}


@pytest.mark.parametrize("module", [name for name, tests in EXAMPLES.items() if tests])
def test_examples_are_true(module):
    runner = doctest.DocTestRunner()
    for test in EXAMPLES[module]:
        runner.run(test)
    assert runner.failures == 0


def test_there_are_examples():
    assert sum(len(tests) for tests in EXAMPLES.values()) >= 10
    assert {"mincli.api", "mincli.spec.operators", "mincli.spec.shapes", "mincli.kernels.minimum"} <= {
        name for name, tests in EXAMPLES.items() if tests
    }
