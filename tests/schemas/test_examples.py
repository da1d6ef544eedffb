"""The examples of the pages, each worked out by plain loops, or refused by the rules."""

from typing import NamedTuple

import numpy as np
import pytest

from mincli.errors import AxesError, ShapeError
from mincli.schemas.examples import examples_of
from mincli.schemas.language import Language
from mincli.spec import rules
from mincli.spec.dtypes import BY_NAME, ElementType
from mincli.spec.operators import OPERATOR_VERSIONS, EmptyAxes, Standard
from tests import oracle

EXAMPLES = [(row, example) for row in OPERATOR_VERSIONS for example in examples_of(row, Language.EN)]
every_example = pytest.mark.parametrize(("row", "example"), EXAMPLES, ids=[f"{r.label}-{e.title}" for r, e in EXAMPLES])


class Operand(NamedTuple):
    """What the rules ask of an operand."""

    name: str
    element: ElementType
    shape: tuple[int, ...]


def storage(value, element):
    return np.array(value, element.storage)


def axes_of(row, example, rank):
    """Return the axes that an example reduces, by the sentences of the standards."""
    given = (example.inputs | example.attributes).get("axes") or []
    if given:
        return [axis % rank for axis in given]
    identity = row.empty_axes is EmptyAxes.IDENTITY or example.attributes.get("noop_with_empty_axes") == 1
    return [] if identity else list(range(rank))


@every_example
def test_result(row, example):
    if example.refused:
        return
    element = BY_NAME[example.type]
    arrays = [storage(value, element) for name, value in example.inputs.items() if name != "axes"]
    ((_, output),) = example.outputs.items()
    got = storage(output, element)
    if row.empty_axes is None:
        want = oracle.minimum(arrays, got.shape, element)
    else:
        axes = axes_of(row, example, arrays[0].ndim)
        want = oracle.reduce_min(arrays[0], axes, element)
        default = 0 if row.standard is Standard.ONEDNN else 1
        if not example.attributes.get("keepdims", example.attributes.get("keep_dims", default)):
            want = {tuple(i for axis, i in enumerate(index) if axis not in axes): bits for index, bits in want.items()}
    assert oracle.bits_of(got, element) == want


@every_example
def test_the_version_takes_it(row, example):
    element = BY_NAME[example.type]
    operands = [
        Operand(name, element, storage(value, element).shape)
        for name, value in example.inputs.items()
        if name != "axes"
    ]  # fmt: skip
    assert set(example.attributes) <= {attribute.name for attribute in row.attributes}

    def check():
        if row.empty_axes is None:
            rules.minimum_shape(row, operands)
        else:
            noop = bool(example.attributes.get("noop_with_empty_axes"))
            axes = (example.inputs | example.attributes).get("axes")
            rules.reduction_axes(row, operands[0], axes, noop_with_empty_axes=noop)

    if example.refused:
        with pytest.raises((ShapeError, AxesError)):
            check()
        assert example.outputs == {}
    else:
        check()


@pytest.mark.parametrize(
    ("label", "titles"),
    [
        pytest.param(
            "Min-6",
            [
                "element by element",
                "any number of inputs",
                "one input is copied",
                "any NaN gives NaN",
                "-0 is less than +0, in either order",
                "shapes that differ: this version does not broadcast",
            ],
            id="min-before-broadcasting",
        ),
        pytest.param(
            "Min-13",
            [
                "element by element",
                "any number of inputs",
                "one input is copied",
                "any NaN gives NaN",
                "-0 is less than +0, in either order",
                "integers are exact",
                "a column and a row are broadcast",
                "a scalar is broadcast",
                "sizes 0 and 1 give 0",
            ],
            id="min",
        ),
        pytest.param(
            "ReduceMin-1",
            [
                "along axis 1, which stays with size 1",
                "along axis 1, which is removed",
                "no axes: all are reduced",
                "empty axes: all are reduced",
                "a negative axis: this version has none",
                "a NaN anywhere gives NaN",
                "-0 is less than +0",
                "the minimum of no floats is +inf",
                "the minimum of no integers is the greatest",
                "a scalar has no axes",
            ],
            id="reduce-min-before-negative-axes",
        ),
        pytest.param(
            "ReduceMin-20",
            [
                "along axis 1, which stays with size 1",
                "along axis 1, which is removed",
                "no axes: all are reduced",
                "empty axes: all are reduced",
                "empty axes, noop_with_empty_axes: the identity",
                "a negative axis counts from the end",
                "a NaN anywhere gives NaN",
                "-0 is less than +0",
                "the minimum of no floats is +inf",
                "the minimum of no integers is the greatest",
                "False is less than True",
                "a scalar has no axes",
            ],
            id="reduce-min",
        ),
        pytest.param(
            "oneDNN Minimum",
            [
                "element by element",
                "any NaN gives NaN",
                "-0 is less than +0, in either order",
                "a column and a row are broadcast",
                "a scalar is broadcast",
                "sizes 0 and 1 give 0",
            ],
            id="onednn-minimum",
        ),
        pytest.param(
            "oneDNN ReduceMin",
            [
                "along axis 1, which stays with size 1",
                "along axis 1, which is removed",
                "empty axes: the identity",
                "a negative axis counts from the end",
                "a NaN anywhere gives NaN",
                "-0 is less than +0",
                "the minimum of no floats is +inf",
            ],
            id="onednn-reduce-min",
        ),
    ],
)
def test_titles(label, titles):
    assert [example.title for row, example in EXAMPLES if row.label == label] == titles


@pytest.mark.parametrize(
    ("label", "inputs", "attributes"),
    [
        pytest.param("ReduceMin-13", ["data"], ["axes", "keepdims"], id="axes-are-an-attribute"),
        pytest.param("ReduceMin-18", ["data", "axes"], ["keepdims"], id="axes-are-an-input"),
        pytest.param("oneDNN ReduceMin", ["src"], ["axes", "keep_dims"], id="onednn"),
        pytest.param("Min-13", ["data_0", "data_1"], [], id="variadic"),
        pytest.param("oneDNN Minimum", ["src_0", "src_1"], [], id="onednn-minimum"),
    ],
)
def test_names_are_those_of_the_version(label, inputs, attributes):
    first = next(example for row, example in EXAMPLES if row.label == label)
    assert (list(first.inputs), list(first.attributes)) == (inputs, attributes)
