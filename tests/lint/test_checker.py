"""onnx's checker beside ours: in whatever it refuses, we find an error."""

import random
from itertools import chain

import onnx
import pytest

from tests.lint.bases import BASES
from tests.lint.broken import broken
from tests.lint.corpora_exceptions import REFUSED
from tests.lint.mutations import KINDS
from tests.lint.test_corpora import errors_of, patterns_of
from tests.lint.test_mutations import REAL, site_in
from tests.models import node_tests


def refusal(model):
    """Return why onnx's checker refuses a model, in a line; "" if it does not."""
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:  # the checker's, and those of its C++ code: ValueError, IndexError, RuntimeError
        return " ".join(str(error).split()) or type(error).__name__
    return ""


def unseen(model):
    """Return why onnx's checker refuses a model in which we find no error; "" if it does not."""
    reason = refusal(model)
    return "" if errors_of(model) else reason


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
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
    _check_broken(models, seed, 5000)


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
