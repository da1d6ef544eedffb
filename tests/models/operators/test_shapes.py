"""Operators whose text says which shapes go together, or which axes there are."""

import ml_dtypes
import numpy as np
import pytest

from mincli.errors import EngineError, ExitCode, ModelError
from tests.models.operators.nodes import f4, ints, run_node

A = f4([[1, 2], [3, 4]])
LINE = f4([[0, 1, 2, 3, 4, 5]])
ONES = f4([[[[[1]], [[2]]]]])  # 1 x 1 x 2 x 1 x 1


def refusal(*case, **options):
    """Return the text of the error that a node is refused with."""
    with pytest.raises(ModelError) as raised:
        run_node(*case, **options)
    assert raised.value.exit_code is ExitCode.INPUT
    return str(raised.value).replace("\n  ", " | ")


def test_variadic_operators_of_equal_shapes():
    assert run_node("Max", 6, A, A[::-1]).tolist() == [[3, 4], [3, 4]]
    assert run_node("Sum", 6, A, A, A).tolist() == [[3, 6], [9, 12]]
    assert run_node("Mean", 6, A, A * 3).tolist() == [[2, 4], [6, 8]]
    assert run_node("Max", 1, A, consumed_inputs=[0]).tolist() == A.tolist()
    assert refusal("Sum", 6, A, f4([1, 2])) == (
        "node 0 (Sum): until opset 7 it needs equal shapes | x0  2 x 2 | x1      2"
        " | broadcasting is allowed from opset 8 on"
    )


def test_mean_8_broadcasts_whichever_is_smaller():
    assert run_node("Mean", 8, f4(1), f4([3, 5])).tolist() == [2, 3]
    assert run_node("Mean", 13, f4([[1], [3]]), f4([[5, 7]])).tolist() == [[3, 4], [4, 5]]
    y = run_node("Mean", 13, np.array([1, 2], np.float16), np.array([2, 4], np.float16))
    assert (y.dtype, y.tolist()) == (np.float16, [1.5, 3])


@pytest.mark.parametrize(("name", "opset"), [("Add", 7), ("Mean", 8), ("Max", 8), ("Pow", 15), ("Less", 9)])
def test_what_does_not_broadcast_is_refused(name, opset):
    assert refusal(name, opset, f4([[1, 2]]), f4([1, 2, 3])) == (
        f"node 0 ({name}): the shapes do not broadcast | x0  1 x 2 | x1      3"
        " |         ^ 2 and 3 differ, and neither is 1"
    )


def test_other_failures_are_the_engines():
    with pytest.raises(
        EngineError,
        match=r"^node 0 \(Gather\) failed on float\[2, 2\] x0, int64\[1\] x1: IndexError: index 5 is out of bounds",
    ):
        run_node("Gather", 13, A, ints(5))


def test_prelu():
    x = f4([[[-1, 2], [-3, -4]]])
    for opset in (1, 6, 7, 16):
        assert run_node("PRelu", opset, x, f4([2])).tolist() == [[[-2, 2], [-6, -8]]]
        assert run_node("PRelu", opset, x, f4([[2], [3]])).tolist() == [[[-2, 2], [-9, -12]]]
        assert run_node("PRelu", opset, x, x).tolist() == [[[1, 2], [9, 16]]]
    assert run_node("PRelu", 1, x, f4([2, 3]), consumed_inputs=[0, 0]).tolist() == [[[-2, 2], [-9, -12]]]
    assert run_node("PRelu", 6, f4([[-1, -1]]), f4([2, 3])).tolist() == [[-2, -3]]
    assert run_node("PRelu", 6, f4([-1, -1]), f4([2, 3])).tolist() == [-2, -3]
    assert refusal("PRelu", 6, x, f4([1, 2, 3])) == (
        "node 0 (PRelu): the slope has 3 elements, and x, 1 x 2 x 2, has 2 channels"
        " | until opset 6, a slope of one axis has an element for each channel (axis 1), or one"
    )


def test_the_slope_of_prelu_7_never_widens_x():
    words = " | aligned from the right, each of its sizes is 1 or that of the shape"
    x = f4([[[-1, 2, 3], [-3, -4, 5]]])  # a slope of 2 elements would be its channels
    assert refusal("PRelu", 7, x, f4([1, 2])) == (
        f"node 0 (PRelu): the slope, 2, does not broadcast to 1 x 2 x 3{words}"
    )
    assert refusal("PRelu", 9, f4([-1]), f4([1, 2])) == f"node 0 (PRelu): the slope, 2, does not broadcast to 1{words}"
    assert refusal("PRelu", 9, f4([-1]), f4([[1]])) == (
        f"node 0 (PRelu): the slope, 1 x 1, does not broadcast to 1{words}"
    )


@pytest.mark.parametrize("opset", [1, 6, 7, 9, 11, 13])
def test_gemm_scales_both_terms(opset):
    a, b, c = f4([[1, 2]]), f4([[3], [4]]), f4([[1]])
    assert run_node("Gemm", opset, a, b, c, alpha=0.5, beta=2.0).tolist() == [[7.5]]


def test_gemm_transposes():
    a, b = f4([[1, 2]]), f4([[3, 4]])
    assert run_node("Gemm", 13, a, b, transB=1).tolist() == [[11]]
    assert run_node("Gemm", 13, a, b, transA=1).tolist() == [[3, 4], [6, 8]]
    assert run_node("Gemm", 6, a, b, f4(1), transA=1, broadcast=1).tolist() == [[4, 5], [7, 9]]


def test_gemm_of_integers_is_exact():
    y = run_node("Gemm", 9, np.array([[1]]), np.array([[2**60 + 1]]), np.array([[1]]))
    assert (y.dtype, y.tolist()) == (np.int64, [[2**60 + 2]])
    assert run_node("Gemm", 11, np.array([[3]], "i4"), np.array([[5]], "i4"), alpha=2.0).tolist() == [[30]]


def test_what_gemm_refuses():
    a, b = f4([[1, 2]]), f4([[3], [4]])
    equal = "until opset 6, they have to be equal unless the attribute broadcast is 1"
    assert refusal("Gemm", 6, a, b, f4([1])) == f"node 0 (Gemm): C is 1, and the product is 1 x 1 | {equal}"
    assert refusal("Gemm", 7, a, b, f4([1, 2])) == (
        "node 0 (Gemm): C, 2, does not broadcast to 1 x 1"
        " | aligned from the right, each of its sizes is 1 or that of the shape"
    )
    assert refusal("Gemm", 13, a, a) == (
        "node 0 (Gemm): A', 1 x 2, and B', 1 x 2, cannot be multiplied | A' is M x K, and B' is K x N"
    )


@pytest.mark.parametrize("opset", [1, 2, 11, 13])
def test_split_into_equal_parts(opset):
    left, right = run_node("Split", opset, LINE, outputs=2, axis=1)
    assert (left.tolist(), right.tolist()) == ([[0, 1, 2]], [[3, 4, 5]])
    assert refusal("Split", opset, LINE, outputs=4, axis=1) == (
        "node 0 (Split): axis 1 has 6 elements, which are not 4 equal parts | without split, the parts are equal"
    )


def test_split_into_given_parts():
    for opset in (2, 11):
        left, right = run_node("Split", opset, LINE, outputs=2, axis=1, split=[2, 4])
        assert (left.tolist(), right.tolist()) == ([[0, 1]], [[2, 3, 4, 5]])
    for opset in (13, 18):
        left, right = run_node("Split", opset, LINE, ints(0, 6), outputs=2, axis=-1)
        assert (left.shape, right.tolist()) == ((1, 0), LINE.tolist())
        assert refusal("Split", opset, LINE, ints(2, 3), outputs=2, axis=1) == (
            "node 0 (Split): axis 1 has 6 elements, and the sizes of the parts are 2, 3"
            " | each of its 2 outputs has a size, and they add up to the axis"
        )


def test_split_18_has_sizes_or_a_number():
    parts = run_node("Split", 18, f4([0, 1, 2, 3, 4]), outputs=3, num_outputs=3)
    assert [part.tolist() for part in parts] == [[0, 1], [2, 3], [4]]
    one = "from opset 18 on, it has one of them"
    assert refusal("Split", 18, LINE, outputs=2, axis=1) == (
        f"node 0 (Split): it has neither the input split nor the attribute num_outputs | {one}"
    )
    assert refusal("Split", 18, LINE, ints(3, 3), outputs=2, axis=1, num_outputs=2) == (
        f"node 0 (Split): it has the input split and the attribute num_outputs | {one}"
    )
    sizes = "each of its 4 outputs has a size, and they add up to the axis"
    assert refusal("Split", 18, f4([0, 1, 2, 3, 4]), outputs=4, num_outputs=4) == (
        f"node 0 (Split): axis 0 has 5 elements, and the sizes of the parts are 2, 2, 2, -1 | {sizes}"
    )
    assert refusal("Split", 18, LINE, outputs=4, axis=1, num_outputs=3) == (
        f"node 0 (Split): axis 1 has 6 elements, and the sizes of the parts are 2, 2, 2 | {sizes}"
    )


@pytest.mark.parametrize("axes", [[0, 3], [3, 0], [4, 1, 0]])
def test_squeeze_takes_axes_in_any_order(axes):
    shape = tuple(size for axis, size in enumerate(ONES.shape) if axis not in axes)
    assert run_node("Squeeze", 1, ONES, axes=axes).shape == shape
    assert run_node("Squeeze", 11, ONES, axes=axes).shape == shape
    assert run_node("Squeeze", 13, ONES, ints(*axes)).shape == shape


def test_squeeze_with_negative_axes_and_without_axes():
    assert run_node("Squeeze", 11, ONES, axes=[-2, -1]).shape == (1, 1, 2)
    assert run_node("Squeeze", 13, ONES, ints(-1, 0)).shape == (1, 2, 1)
    assert run_node("Squeeze", 13, ONES, ints()).shape == ONES.shape
    for opset in (1, 11, 13):
        assert run_node("Squeeze", opset, ONES).tolist() == [1, 2]


def test_what_squeeze_refuses():
    later = "; negative ones are accepted from opset 11 on"
    assert refusal("Squeeze", 1, ONES, axes=[-1]) == (
        f"node 0 (Squeeze): the axis -1 is out of range | axes are 0 to 4 at rank 5{later}"
    )
    assert refusal("Squeeze", 1, ONES, axes=[5]) == (
        f"node 0 (Squeeze): the axis 5 is out of range | axes are 0 to 4 at rank 5{later}"
    )
    assert refusal("Squeeze", 13, ONES, ints(2)) == (
        "node 0 (Squeeze): axis 2 of 1 x 1 x 2 x 1 x 1 cannot be taken away | only axes of size 1 can"
    )
    assert refusal("Squeeze", 13, ONES, ints(0, -5)) == (
        "node 0 (Squeeze): the axes 0, -5 name one twice | the rank is 5"
    )


def test_unsqueeze_13_and_what_it_refuses():
    assert run_node("Unsqueeze", 13, f4([1, 2]), ints(2, 0)).shape == (1, 2, 1)
    assert run_node("Unsqueeze", 11, f4([1, 2]), axes=[-1]).shape == (2, 1)
    assert refusal("Unsqueeze", 1, f4([1, 2]), axes=[-1]) == (
        "node 0 (Unsqueeze): the axis -1 is out of range | axes are 0 to 1 at rank 2"
        "; negative ones are accepted from opset 11 on"
    )
    assert refusal("Unsqueeze", 13, f4([1, 2]), ints(3)) == (
        "node 0 (Unsqueeze): the axis 3 is out of range | axes are -2 to 1 at rank 2"
    )


def test_flatten():
    x = f4(np.zeros((2, 0, 3)))
    shapes = [run_node("Flatten", 9, x, axis=axis).shape for axis in (0, 1, 2, 3)]
    assert shapes == [(1, 0), (2, 0), (0, 3), (0, 1)]
    assert [run_node("Flatten", 11, x, axis=axis).shape for axis in (-1, -3)] == [(0, 3), (1, 0)]
    assert run_node("Flatten", 13, f4(np.zeros((2, 3, 4)))).shape == (2, 12)
    assert refusal("Flatten", 9, x, axis=-1) == (
        "node 0 (Flatten): the axis -1 is out of range | it is 0 to 3 at rank 3"
        "; negative ones are accepted from opset 11 on"
    )
    assert refusal("Flatten", 11, x, axis=4) == (
        "node 0 (Flatten): the axis 4 is out of range | it is -3 to 3 at rank 3"
    )


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, np.float16, np.bool_])
def test_pad_fills_with_zeros_of_any_type(dtype):
    padded = run_node("Pad", 21, np.ones(2, dtype), ints(1, 0))
    assert (padded.dtype, padded.astype(float).tolist()) == (dtype, [0, 1, 1])
