"""Minimum of a whole file along axes: the same bits for any blocks, threads and layout; identities of nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mincli.spec.dtypes import BY_NAME, ELEMENT_TYPES
from mincli.streaming import plan, reduction
from mincli.streaming.origins import Origins
from mincli.streaming.plan import Limits
from mincli.tensors import create_tensor, open_tensor
from mincli.tensors.array import ArrayTensor
from mincli.tensors.target import ArrayTarget
from tests import files, oracle
from tests.arrays import element_id, every_type, random_array

LAYOUTS = [("C", "<"), ("F", "<"), ("C", ">"), ("F", ">")]


def shape_without(shape, axes, keepdims):
    return tuple(1 if axis in axes else size for axis, size in enumerate(shape) if keepdims or axis not in axes)


def of_file(folder, array, axes, element, limits, layout=("C", "<"), *, keepdims=True, **options):
    """Return the bits of the minimum of an array that lies in a file, written to a file, in C order."""
    order, byteorder = layout
    (folder / "a.npy").write_bytes(files.array_npy(array, element, order=order, byteorder=byteorder))
    shape = shape_without(array.shape, axes, keepdims)
    with open_tensor(str(folder / "a.npy")) as tensor, create_tensor(str(folder / "out.npy"), element, shape) as target:
        reduction.reduce_min(tensor, target, reduction.make_plan(tensor, axes, limits), **options)
    name, found, bits = files.content(folder / "out.npy")
    for path in folder.iterdir():
        path.unlink()
    assert (name, found) == (element.name, shape)
    return bits


def of_memory(array, axes, element, limits, *, keepdims=True):
    """Return the bits of the minimum of an array in memory, in C order."""
    target = ArrayTarget.empty(shape_without(array.shape, axes, keepdims), element)
    tensor = ArrayTensor(array, element, "x")
    reduction.reduce_min(tensor, target, reduction.make_plan(tensor, axes, limits))
    return list(oracle.bits_of(target.array, element).values())


def expected(array, axes, element):
    return list(oracle.reduce_min(array, axes, element).values())


@every_type
@settings(max_examples=15)
@given(data=st.data())
def test_bits_do_not_depend_on_blocks_threads_or_layout(folder, small_blocks, element, data):
    shape = tuple(data.draw(st.lists(st.integers(0, 6), max_size=4), "shape"))
    axes = tuple(sorted(data.draw(st.sets(st.integers(0, len(shape) - 1)) if shape else st.just(()), "axes")))
    array = random_array(1, shape, element, nan=data.draw(st.booleans(), "NaN"), special=0.3)
    small_blocks(element.itemsize * data.draw(st.integers(1, 60), "elements of a block"))
    limits = Limits(data.draw(st.integers(1, 4), "threads"))
    layout = data.draw(st.sampled_from(LAYOUTS))
    keepdims = data.draw(st.booleans(), "keepdims")
    bits = expected(array, axes, element)
    assert of_file(folder, array, axes, element, limits, layout, keepdims=keepdims) == bits
    assert of_memory(np.asarray(array, order=layout[0]), axes, element, limits, keepdims=keepdims) == bits


@every_type
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        pytest.param((700,), (0,), id="long-row"),
        pytest.param((300, 3), (0,), id="tall-along-columns"),
        pytest.param((300, 3), (1,), id="tall-along-rows"),
        pytest.param((3, 300), (0,), id="wide-along-columns"),
        pytest.param((3, 300), (1,), id="wide-along-rows"),
        pytest.param((3, 130, 3), (1,), id="middle"),
        pytest.param((3, 130, 3), (0, 2), id="all-but-the-middle"),
        pytest.param((2, 3, 4, 5, 6), (1, 3), id="every-second"),
        pytest.param((2, 3, 4, 5, 6), (0, 1, 2, 3, 4), id="all"),
        pytest.param((9, 5), (), id="none"),
        pytest.param((1,) * 62 + (3, 4), (0, 63), id="rank-64"),
    ],
)
def test_shapes_and_axes(folder, small_blocks, element, shape, axes):
    array = random_array(2, shape, element, nan=False)
    bits = expected(array, axes, element)
    for elements, threads, layout in [(7, 4, ("F", "<")), (128, 2, ("C", ">")), (1 << 16, 1, ("F", ">"))]:
        small_blocks(element.itemsize * elements)
        assert of_file(folder, array, axes, element, Limits(threads), layout) == bits


@every_type
def test_memory_from_the_least_possible_on(folder, element):
    array = random_array(3, (3, 4, 2), element, nan=False)
    for axes in [(0,), (1,), (2,), (0, 2), (0, 1, 2)]:
        bits = expected(array, axes, element)
        for elements in range(1, 13):
            limits = Limits(memory=(4 + plan.SCRATCH) * element.itemsize * elements)
            assert of_file(folder, array, axes, element, limits, LAYOUTS[elements % 4]) == bits


@pytest.mark.parametrize("element", [t for t in ELEMENT_TYPES if t.is_float], ids=element_id)
@pytest.mark.parametrize("place", [0, 17, 38, 39])
def test_a_nan_anywhere_is_found(folder, small_blocks, element, place):
    array = random_array(4, (40,), element, nan=False)
    bits = array.view(f"u{element.itemsize}")
    for pattern in (-1, (1 << (8 * element.itemsize - 1)) - 1):  # all ones; the same without the sign
        bits[place] = pattern % (1 << (8 * element.itemsize))
        for elements in (1, 7, 64):
            small_blocks(element.itemsize * elements)
            assert of_file(folder, array, (0,), element, Limits(3)) == [oracle.NAN]


@every_type
@pytest.mark.parametrize(
    ("shape", "axes", "count"),
    [
        pytest.param((0,), (0,), 1, id="nothing"),
        pytest.param((0, 5), (0,), 5, id="along-the-empty-axis"),
        pytest.param((3, 0, 4), (1,), 12, id="in-the-middle"),
        pytest.param((3, 0, 4), (0, 1), 4, id="with-another"),
        pytest.param((3, 0, 4), (0, 1, 2), 1, id="all"),
        pytest.param((3, 0, 4), (0,), 0, id="an-axis-is-left-empty"),
        pytest.param((0, 0), (1,), 0, id="two-empty-axes"),
        pytest.param((0, 3), (), 0, id="no-axes"),
    ],
)
def test_the_minimum_of_nothing(folder, small_blocks, element, shape, axes, count):
    small_blocks(element.itemsize * 3)
    array, nothing = np.empty(shape, element.storage), [oracle.least([], element)] * count
    for keepdims in (True, False):
        assert of_file(folder, array, axes, element, Limits(2), keepdims=keepdims) == nothing
        assert of_memory(array, axes, element, Limits(2), keepdims=keepdims) == nothing


@every_type
@pytest.mark.parametrize("axes", [(), (0,), (1,), (0, 1)], ids=str)
def test_origins_count_nan(folder, small_blocks, element, axes):
    small_blocks(element.itemsize * 4)
    array = random_array(5, (6, 7), element, special=0.3)
    origins = Origins(0)
    bits = of_file(folder, array, axes, element, Limits(3), ("F", "<"), origins=origins)
    assert (origins.from_input, origins.nan) == ([], bits.count(oracle.NAN))
    assert bits == expected(array, axes, element)


@pytest.mark.parametrize("view", [lambda a: a[::-1], lambda a: a[:, ::-2], lambda a: a.T, lambda a: a[:1].repeat(3, 0)])
@pytest.mark.parametrize("axes", [(0,), (1,)], ids=str)
def test_any_strides_in_memory(small_blocks, view, axes):
    element = BY_NAME["float"]
    array = view(random_array(6, (3, 5), element, nan=False))
    small_blocks(element.itemsize * 2)
    assert of_memory(array, axes, element, Limits(2)) == expected(array, axes, element)


@pytest.mark.parametrize("threads", [1, 4])
def test_progress(folder, small_blocks, threads):
    small_blocks(3)
    array, told = random_array(7, (4, 5), BY_NAME["int8"]), []
    of_file(
        folder, array, (1,), BY_NAME["int8"], Limits(threads), progress=lambda done, total: told.append((done, total))
    )
    # each of 4 rows of 5 elements is cut in two
    assert told[-1:] == [(8, 8)]
    assert told == sorted(told)
