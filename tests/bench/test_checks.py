"""Models to check: they are valid, have as many nodes as they say, and the shapes that they are called by."""

import subprocess

import onnx
import pytest

from bench.checks import BLOCKS, CHECKER, DISTINCT, blocks, distinct, race, race_all
from bench.rounds import Effort

ONCE = Effort(1, 1, 0)


@pytest.mark.parametrize("make", [blocks, distinct])
def test_models_are_valid(make):
    model = make(20)
    assert len(model.graph.node) == 20
    onnx.checker.check_model(model, full_check=True)


@pytest.mark.parametrize(("make", "count"), [(blocks, 1), (distinct, 20)])
def test_shapes(make, count):
    inferred = onnx.shape_inference.infer_shapes(make(20)).graph
    shapes = {tuple(dim.dim_value for dim in value.type.tensor_type.shape.dim) for value in inferred.value_info}
    output = tuple(dim.dim_value for dim in inferred.output[0].type.tensor_type.shape.dim)
    assert len(shapes | {output}) == count


@pytest.mark.parametrize("kind", [BLOCKS, DISTINCT])
def test_a_race(kind):
    entry = race("lint", kind, 10, ONCE)
    assert (entry.family, entry.group, entry.name, entry.written) == ("lint", kind, "10 nodes", 0)
    assert {name: len(samples) for name, samples in entry.outcome.samples.items()} == {"mincli": 1, CHECKER: 1}
    assert entry.outcome[1:] == ({}, {})


def test_races_in_a_child_process():
    entries = list(race_all("lint", [(BLOCKS, 10), (DISTINCT, 20)], ONCE))
    assert [(entry.group, entry.name) for entry in entries] == [(BLOCKS, "10 nodes"), (DISTINCT, "20 nodes")]


def test_a_child_process_that_fails(capfd):
    with pytest.raises(subprocess.CalledProcessError):
        list(race_all("lint", [("unknown", 10)], ONCE))
    assert "KeyError" in capfd.readouterr().err
