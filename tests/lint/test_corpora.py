"""ONNX's own models, of the installed and of every released onnx: no errors, but for those that are invalid."""

from fnmatch import fnmatchcase
from itertools import chain

import pytest

from mincli.findings import Severity
from mincli.lint import findings_in
from tests.lint.corpora_exceptions import INVALID
from tests.models import node_tests

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


def errors_of(model):
    """Return the codes of the errors in a model."""
    return {finding.rule.code for finding in findings_in(model) if finding.rule.severity is Severity.ERROR}


def patterns_of(name, patterns):
    """Return the patterns that fit a name."""
    return [pattern for pattern in patterns if fnmatchcase(name, pattern)]


def test_no_false_errors():
    cases = chain(node_tests.installed_cases(), node_tests.released_cases())
    unexpected, fitting, names = {}, set(), []
    for case in cases:
        names.append(case.name)
        found = errors_of(case.model())
        patterns = patterns_of(case.name, INVALID)
        allowed = set().union(*(INVALID[pattern][0] for pattern in patterns))
        if found != allowed:
            unexpected[case.name] = found
        fitting.update(patterns)
    assert unexpected == {}
    assert INVALID.keys() - fitting == set()
    assert len(names) > 7000
