"""Faults put in valid models by rule: all are found, where they are, with the right code; and nothing else is."""

import random
from functools import cache
from pathlib import Path

import onnx
import pytest

from mincli.findings import Severity
from mincli.lint import findings_in
from tests.lint.bases import BASES
from tests.lint.mutations import HIDING, KINDS, WHOLE, Fault, Site, number_of

SUITE = Path(onnx.__file__).parent / "backend" / "test" / "data"

REAL = {
    name: SUITE / name
    for name in (
        "light/light_bvlc_alexnet.onnx",
        "light/light_inception_v1.onnx",
        "light/light_shufflenet.onnx",
        "light/light_squeezenet.onnx",
        "pytorch-converted/test_GLU_dim/model.onnx",
        "pytorch-converted/test_PixelShuffle/model.onnx",
        "pytorch-converted/test_Softsign/model.onnx",
        "pytorch-operator/test_operator_params/model.onnx",
    )
}
"""Models of onnx's package: faults are put in their main graph."""

QUICK = [*BASES, "pytorch-operator/test_operator_params/model.onnx"]


@cache
def _original(name):
    if name in BASES:
        return onnx.parser.parse_model(BASES[name].text)
    return onnx.load(REAL[name])


def site_in(name):
    """Return a site in a copy of a model."""
    model = onnx.ModelProto()
    model.CopyFrom(_original(name))
    if name in BASES:
        _, path, body, outer, container, caller = BASES[name]
        return Site(model, body(model), path, outer, container, caller)
    return Site(model, model.graph, x=_matrix(model.graph))


def _matrix(graph):
    kinds = {value.name: value.type.tensor_type for value in graph.input}
    fitting = [name for name, kind in kinds.items() if kind.elem_type == onnx.TensorProto.FLOAT]
    return max(fitting, key=lambda name: len(kinds[name].shape.dim))


def seen(model):
    """Return code, path, number and value of all findings that are more than notes."""
    found = [finding for finding in findings_in(model) if finding.rule.severity is not Severity.NOTE]
    return [(finding.rule.code, finding.place.path, finding.place.node, finding.place.value) for finding in found]


@cache
def _seen_before(name):
    return seen(_original(name))


def differences(site, faults, before=()):
    """Return the faults that are not found, and what is found but is none of them."""
    missing, left = [], [entry for entry in seen(site.model) if entry not in before]
    for fault in faults:
        match = next((entry for entry in left if _is(site, fault, entry)), None)
        if match is None:
            missing.append(fault)
        else:
            left.remove(match)
    return {"missing": missing, "invented": left}


def _is(site, fault, entry):
    code, path, number, value = entry
    if (code, path) != (fault.code, fault.path) or fault.value not in (None, value):
        return False
    if isinstance(fault.mark, str):
        return number == (number_of(site.body, fault.mark) if fault.mark else None)
    return fault.mark in (None, number)


NOTHING = {"missing": [], "invented": []}


def check(kinds, name):
    """Put faults of some kinds in a model; return whether there was a place for all, and what is wrong."""
    site = site_in(name)
    faults: list[Fault] = []
    for kind in kinds:
        made = KINDS[kind](site)
        if not made:
            return False, NOTHING
        faults += made
    result = differences(site, faults, _seen_before(name))
    if not HIDING.keys().isdisjoint(kinds):
        result["missing"] = [fault for fault in result["missing"] if fault.code[:3] not in ("MC4", "MC5")]
    return True, result


@pytest.mark.parametrize("name", BASES)
def test_the_models_are_valid(name):
    onnx.checker.check_model(_original(name), full_check=True)
    assert findings_in(_original(name)) == []


def test_there_are_kinds_enough():
    assert len(KINDS) >= 35


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault(kind):
    results = {name: check([kind], name) for name in QUICK}
    assert {name: result for name, (_, result) in results.items() if result != NOTHING} == {}
    assert any(fits for fits, _ in results.values())


@pytest.mark.long
@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_in_a_real_model(kind, name):
    assert check([kind], name)[1] == NOTHING


def _combinations(size, count):
    generator = random.Random(size)
    single = [kind for kind in KINDS if kind not in WHOLE]
    return [(*generator.sample(single, size), generator.choice(list(BASES))) for _ in range(count)]


@pytest.mark.parametrize("size", [2, 3, 5])
def test_several_faults_in_one_model(size):
    _check_all(_combinations(size, 150))


@pytest.mark.long
@pytest.mark.parametrize("size", [2, 3, 5])
def test_many_more_of_several_faults(size):
    _check_all(_combinations(size, 5000))


def _check_all(combinations):
    results = {entry: check(entry[:-1], entry[-1]) for entry in combinations}
    assert {entry: result for entry, (_, result) in results.items() if result != NOTHING} == {}
    assert any(fits for fits, _ in results.values())
