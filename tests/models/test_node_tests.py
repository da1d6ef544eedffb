"""ONNX's own cases, of the installed and of every released onnx, on the reference engine."""

from fnmatch import fnmatchcase

import pytest

from tests.models import node_tests
from tests.models.node_test_exceptions import INSTALLED, RELEASED

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


def failures_of(cases):
    reasons = {case.name: node_tests.failure(case)[0] for case in cases}
    return len(reasons), {name: reason for name, reason in reasons.items() if reason}


def unexpected(failures, exceptions):
    return {
        name: reason
        for name, reason in failures.items()
        if not any(fnmatchcase(name, pattern) for pattern in exceptions)
    }


def stale(failures, exceptions):
    return [pattern for pattern in exceptions if not any(fnmatchcase(name, pattern) for name in failures)]


def test_the_suite_of_the_installed_onnx():
    _, failures = failures_of(node_tests.installed_cases())
    assert unexpected(failures, INSTALLED) == {}
    assert stale(failures, INSTALLED) == []
    assert len(failures) <= 8  # 6 of Bernoulli, 2 of Gradient


def test_the_node_tests_of_every_released_onnx():
    count, failures = failures_of(node_tests.released_cases())
    assert unexpected(failures, RELEASED) == {}
    assert stale(failures, RELEASED) == []
    assert len(failures) <= 0.02 * count
