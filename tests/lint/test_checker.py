"""onnx's checker beside ours: in whatever it refuses, we find an error."""

import random
import re
from itertools import chain

import onnx
import pytest

from mincli.findings import Severity
from mincli.findings.graph import NEGATIVE_SIZE
from mincli.lint import findings_in
from tests.lint.bases import BASES
from tests.lint.broken import broken
from tests.lint.corpora_exceptions import REFUSED, REFUSED_WORDS
from tests.lint.mutations import KINDS
from tests.lint.test_corpora import errors_of, patterns_of
from tests.lint.test_mutations import REAL, site_in
from tests.models import node_tests

DELIBERATE = {
    "domain_twice": "of two imports the checker takes the last, and onnx.proto the highest: MC107 is a warning",
}
"""Faults that the checker is not believed on, each with the reason."""


def refusal(model):
    """Return why onnx's checker refuses a model, in a line; "" if it does not."""
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:  # the checker's, and those of its C++ code: ValueError, IndexError, RuntimeError
        return " ".join(str(error).split()) or type(error).__name__
    return ""


def unseen(model):
    """Return why onnx's checker refuses a model in which we find no error, if that is not deliberate.

    A declared size below 0 (MC219) is a warning: exporters write -1, and engines take it for a size that is not known.
    """
    found = findings_in(model)
    if any(own.rule.severity is Severity.ERROR or own.rule is NEGATIVE_SIZE for own in found):
        return ""  # the checker is not asked: it never ends on some
    reason = refusal(model)
    return "" if any(re.search(words, reason) for words in REFUSED_WORDS) else reason


@pytest.mark.long
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in DELIBERATE])
def test_faults_made_by_rule(kind):
    found = {}
    for name in [*BASES, *REAL]:
        site = site_in(name)
        if KINDS[kind](site) and (reason := unseen(site.model)):
            found[name] = reason
    assert found == {}


def _check_broken(models, seed, count):
    generator = random.Random(seed)
    found = {}
    for number in range(count):
        model = broken(generator.choice(models), generator)
        if reason := unseen(model):
            found[number] = reason
    assert found == {}


def _built():
    return [onnx.parser.parse_model(base.text) for base in BASES.values()]


def test_models_broken_by_chance():
    _check_broken(_built(), 1, 500)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_more_broken_by_chance(seed):
    _check_broken(_built(), seed, 5000)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(10))
def test_models_of_the_suite_broken_by_chance(seed):
    cases = [case for number, case in enumerate(node_tests.installed_cases()) if number % 10 == seed]
    models = [model for case in cases if (model := case.model()).ByteSize() < 100_000]
    _check_broken(models, seed, 700)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_the_suites():
    unexpected, fitting = {}, set()
    for case in chain(node_tests.installed_cases(), node_tests.released_cases()):
        patterns = patterns_of(case.name, REFUSED)
        reason = refusal(model := case.model())
        if reason and not errors_of(model):
            fitting.update(patterns)
            if not patterns:
                unexpected[case.name] = reason
    assert unexpected == {}
    assert REFUSED.keys() - fitting == set()
