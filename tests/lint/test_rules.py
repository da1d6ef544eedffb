"""The table of rules: codes, words, and an example of each that `check_model` finds, and finds mended."""

import re
from itertools import chain

import onnx
import pytest

from mincli.findings import Rule
from mincli.findings.table import FAMILIES, RULES
from mincli.lint import findings_in

WITH_EXAMPLES = [rule for rule in RULES.values() if rule.wrong]


@pytest.fixture(params=RULES.values(), ids=RULES)
def rule(request):
    return request.param


def codes_in(text):
    return {finding.rule.code for finding in findings_in(onnx.parser.parse_model(text))}


def test_codes_are_in_order_each_once_and_of_its_family():
    codes = [[own.code for own in vars(family).values() if isinstance(own, Rule)] for family in FAMILIES]
    assert list(RULES) == sorted(RULES) == list(chain(*codes))
    assert [{int(code[2]) for code in family} for family in codes] == [{n} for n in range(1, len(FAMILIES) + 1)]


def test_a_rule_has_words(rule):
    assert re.fullmatch(r"MC\d{3}", rule.code)
    assert re.fullmatch(r"[^A-Z\n].{4,68}[^.]", rule.title)
    assert rule.meaning.endswith(".")
    assert bool(rule.wrong) == bool(rule.right)


@pytest.mark.parametrize("rule", WITH_EXAMPLES, ids=lambda rule: rule.code)
def test_the_example_breaks_the_rule_alone(rule):
    assert codes_in(rule.wrong) == {rule.code}


@pytest.mark.parametrize("rule", WITH_EXAMPLES, ids=lambda rule: rule.code)
def test_the_mended_example_breaks_none(rule):
    assert codes_in(rule.right) == set()
