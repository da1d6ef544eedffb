"""Element-wise minimum of whole files: the same bits for any blocks, threads, operand order and layout."""

from itertools import repeat
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

from mincli.spec.dtypes import BY_NAME
from mincli.streaming import minimum, plan
from mincli.streaming.origins import Origins
from mincli.streaming.plan import Limits
from mincli.tensors import create_tensor, open_tensor
from mincli.tensors.array import ArrayTensor
from mincli.tensors.target import ArrayTarget
from tests import files, oracle
from tests.arrays import every_type, random_array

LAYOUTS = [("C", "<"), ("F", "<"), ("C", ">"), ("F", ">")]
NO_LAYOUTS = repeat(("C", "<"))


def of_files(folder, arrays, element, shape, limits, layouts=NO_LAYOUTS, **options):
    """Return the bits of the minimum of arrays that lie in files, written to a file."""
    tensors = []
    for number, (array, (order, byteorder)) in enumerate(zip(arrays, layouts, strict=False)):
        path = folder / f"{number}.npy"
        path.write_bytes(files.array_npy(array, element, order=order, byteorder=byteorder))
        tensors.append(open_tensor(str(path)))
        path.unlink()
    with create_tensor(str(folder / "out.npy"), element, shape) as target:
        minimum.minimum(tensors, target, minimum.make_plan(tensors, shape, limits), **options)
    for tensor in tensors:
        tensor.close()
    return bits_of_file(folder / "out.npy", element, shape)


def bits_of_file(path, element, shape):
    name, found, bits = files.content(path)
    path.unlink()
    assert (name, found) == (element.name, shape)
    return dict(zip(oracle.indices(shape), bits, strict=True))


def of_memory(arrays, element, shape, limits):
    """Return the bits of the minimum of arrays in memory."""
    target = ArrayTarget.empty(shape, element)
    tensors = [ArrayTensor(array, element, "x") for array in arrays]
    minimum.minimum(tensors, target, minimum.make_plan(tensors, shape, limits))
    return oracle.bits_of(target.array, element)


@every_type
@settings(max_examples=15)
@given(data=st.data())
def test_bits_do_not_depend_on_blocks_threads_order_or_layout(folder, small_blocks, element, data):
    shapes = data.draw(
        st.integers(1, 4).flatmap(
            lambda count: mutually_broadcastable_shapes(num_shapes=count, min_side=0, max_side=4, max_dims=4)
        )
    )
    arrays = [random_array(seed, shape, element) for seed, shape in enumerate(shapes.input_shapes)]
    expected = oracle.minimum(arrays, shapes.result_shape, element)
    small_blocks(element.itemsize * data.draw(st.integers(1, 40), "elements of a block"))
    arrays = data.draw(st.permutations(arrays))
    layouts = data.draw(st.lists(st.sampled_from(LAYOUTS), min_size=4, max_size=4))
    limits = Limits(data.draw(st.integers(1, 4), "threads"))
    assert of_files(folder, arrays, element, shapes.result_shape, limits, layouts) == expected
    ordered = [np.asarray(array, order=order) for array, (order, _) in zip(arrays, layouts, strict=False)]
    assert of_memory(ordered, element, shapes.result_shape, limits) == expected


@every_type
@pytest.mark.parametrize("count", [1, 2, 8, 9, 17, 20])
def test_any_number_of_inputs(folder, small_blocks, element, count):
    small_blocks(element.itemsize * 5)
    shapes = [(2, 1, 6), (3, 6), (6,), ()]
    # few special values, so that the minimum is not the least one everywhere
    arrays = [random_array(seed, shapes[seed % 4], element, nan=False, special=0.2) for seed in range(count)]
    arrays[-1] = random_array(99, arrays[-1].shape, element)
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    expected = oracle.minimum(arrays, shape, element)
    assert of_files(folder, arrays, element, shape, Limits(2), LAYOUTS * 5) == expected
    assert of_files(folder, arrays[::-1], element, shape, Limits(1)) == expected


@every_type
@pytest.mark.parametrize(("count", "blocks"), [(1, 2), (3, 4), (9, 11)])
def test_memory_from_the_least_possible_on(folder, element, count, blocks):
    arrays = [random_array(seed, (3, 5) if seed else (5,), element) for seed in range(count)]
    shape = (3, 5) if count > 1 else (5,)
    expected = oracle.minimum(arrays, shape, element)
    for elements in range(1, 17):
        limits = Limits(memory=elements * (blocks + plan.SCRATCH) * element.itemsize)
        assert of_files(folder, arrays, element, shape, limits, LAYOUTS * 3) == expected


@every_type
@pytest.mark.parametrize(
    ("shapes", "shape"),
    [
        pytest.param([()], (), id="scalar"),
        pytest.param([(0,)], (0,), id="nothing"),
        pytest.param([(0, 1), (3,)], (0, 3), id="nothing-by-3"),
        pytest.param([(1, 1), ()], (1, 1), id="one-element-at-rank-2"),
        pytest.param([(2, 3), ()], (2, 3), id="scalar-and-matrix"),
        pytest.param([(3, 1), (1, 4)], (3, 4), id="column-and-row"),
        pytest.param([(4,), (2, 1, 1), (3, 1)], (2, 3, 4), id="each-along-another-axis"),
        pytest.param([(1,) * 64, (2,)], (1,) * 63 + (2,), id="rank-64"),
    ],
)
def test_broadcasting(folder, small_blocks, element, shapes, shape):
    arrays = [random_array(seed, own, element) for seed, own in enumerate(shapes)]
    expected = oracle.minimum(arrays, shape, element)
    for elements in (1, 3, 100):
        small_blocks(element.itemsize * elements)
        assert of_files(folder, arrays, element, shape, Limits(2)) == expected
        assert of_memory(arrays, element, shape, Limits(2)) == expected


@pytest.mark.parametrize("view", [lambda a: a[::-1], lambda a: a[:, ::-2], lambda a: a.T, lambda a: a[:1].repeat(3, 0)])
def test_any_strides_in_memory(small_blocks, view):
    element = BY_NAME["float"]
    arrays = [view(random_array(seed, (3, 3), element)) for seed in range(2)]
    small_blocks(element.itemsize * 2)
    expected = oracle.minimum(arrays, arrays[0].shape, element)
    assert of_memory(arrays, element, arrays[0].shape, Limits(2)) == expected


def test_overlapping_elements_in_memory(small_blocks):
    element = BY_NAME["int32"]
    windows = np.lib.stride_tricks.sliding_window_view(random_array(1, (9,), element), 4)
    small_blocks(element.itemsize * 3)
    others = np.broadcast_to(random_array(2, (4,), element), windows.shape)
    assert of_memory([windows, others], element, (6, 4), Limits(1)) == oracle.minimum(
        [windows, others], (6, 4), element
    )


def counted(arrays, shape, element):
    """Return, by loops, how many elements of the minimum are each input's and no earlier one's, and how many NaN."""
    maps = [oracle.bits_of(np.broadcast_to(array, shape), element) for array in arrays]
    counts, nan = [0] * len(arrays), 0
    for index, bits in oracle.minimum(arrays, shape, element).items():
        if bits == oracle.NAN:
            nan += 1
        else:
            counts[[own[index] for own in maps].index(bits)] += 1
    return counts, nan


@every_type
@pytest.mark.parametrize("count", [1, 2, 5, 10])
def test_origins(folder, small_blocks, element, count):
    small_blocks(element.itemsize * 7)
    shapes = [(4, 5), (5,), (4, 1)]
    arrays = [random_array(seed, shapes[seed % 3], element, special=0.2) for seed in range(count)]
    origins = Origins(count)
    of_files(folder, arrays, element, (4, 5), Limits(3), LAYOUTS * 3, origins=origins)
    assert (origins.from_input, origins.nan) == counted(arrays, (4, 5), element)
    assert sum(origins.from_input) + origins.nan == prod((4, 5))


def test_origins_of_equal_inputs_are_the_first(folder):
    element = BY_NAME["float"]
    zeros, minus = np.zeros(4, "f4"), np.array([0.0, -0.0, np.nan, 1.0], "f4")
    origins = Origins(3)
    of_files(folder, [zeros, minus, zeros], element, (4,), Limits(), origins=origins)
    assert (origins.from_input, origins.nan) == ([2, 1, 0], 1)


@pytest.mark.parametrize("threads", [1, 4])
def test_progress(folder, small_blocks, threads):
    element = BY_NAME["int8"]
    small_blocks(3)
    told = []
    arrays = [random_array(seed, (4, 5), element) for seed in range(2)]
    of_files(folder, arrays, element, (4, 5), Limits(threads), progress=lambda done, total: told.append((done, total)))
    # 20 elements in one axis, 3 to a block
    assert told[-1:] == [(7, 7)]
    assert told == sorted(told)


def test_nothing_is_planned_for_no_elements(folder):
    element = BY_NAME["double"]
    arrays = [random_array(1, (0, 3), element), random_array(2, (1, 1), element)]
    how = minimum.make_plan([ArrayTensor(array, element, "x") for array in arrays], (0, 3), Limits())
    assert (how.blocks, how.memory, list(how.regions())) == (0, 0, [])
    assert of_files(folder, arrays, element, (0, 3), Limits()) == {}


@pytest.mark.parametrize(("inputs", "held"), [(1, 2), (2, 3), (8, 9), (9, 11), (500, 11)])
def test_a_thread_holds_at_most_8_inputs_the_result_and_two_to_fold_between(inputs, held):
    element = BY_NAME["float"]
    tensors = [ArrayTensor(np.zeros(100, "f4"), element, "x") for _ in range(inputs)]
    how = minimum.make_plan(tensors, (100,), Limits(1))
    assert how.memory == (held + plan.SCRATCH) * 400
