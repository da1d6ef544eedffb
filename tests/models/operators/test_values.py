"""Operators that have onnx's rules, and other values or types; by hand."""

import math

import ml_dtypes
import numpy as np
import pytest

from mincli.errors import ModelError
from mincli.models.engines.reference import Reference
from mincli.models.load import as_model
from tests.models.operators.nodes import f4, ints, model_of, run_node


def test_lrn_looks_at_the_neighbours_of_each_channel():
    x = f4([[[1], [2]], [[0], [1]], [[2], [0]]])  # 3 x 2 x 1: more of the batch than channels
    y = run_node("LRN", 1, x, size=3, alpha=3.0, beta=1.0, bias=1.0)
    assert y.ravel().tolist() == pytest.approx([1 / 6, 2 / 6, 0, 1 / 2, 2 / 5, 0])
    y = run_node("LRN", 13, f4([[[[1]], [[2]], [[3]]]]), size=2, alpha=2.0, beta=1.0)  # from c to c + 1
    assert y.ravel().tolist() == pytest.approx([1 / 6, 2 / 14, 3 / 10])
    y = run_node("LRN", 13, np.array([[[[300]]]], np.float16), size=1, alpha=1.0, beta=1.0)
    assert (y.dtype, y.item()) == (np.float16, pytest.approx(300 / 90001, rel=1e-3))


@pytest.mark.parametrize("kind", ["i4", "u4", "i8", "f4", "f2"])
def test_reduce_sum_square_has_the_type_of_its_input(kind):
    for opset in (1, 11, 13):
        y = run_node("ReduceSumSquare", opset, np.array([[1, 2], [3, 4]], kind), axes=[1], keepdims=0)
        assert (y.dtype, y.tolist()) == (kind, [5, 25])
    y = run_node("ReduceSumSquare", 18, np.array([[1, 2], [3, 4]], kind), ints(0))
    assert (y.dtype, y.tolist()) == (kind, [[10, 20]])
    y = run_node("ReduceSumSquare", 18, np.array([1, 3], kind), noop_with_empty_axes=1)
    assert (y.dtype, y.tolist()) == (kind, [1, 9])


def test_reduce_log_sum_exp_of_infinities():
    x = f4([[-np.inf, -np.inf], [np.inf, 0], [0, 0]])
    for opset in (1, 11, 13):
        y = run_node("ReduceLogSumExp", opset, x, axes=[1], keepdims=0)
        assert y.tolist() == [-np.inf, np.inf, pytest.approx(math.log(2))]
    assert run_node("ReduceLogSumExp", 18, x, ints(-1)).ravel().tolist()[:2] == [-np.inf, np.inf]
    assert math.isnan(run_node("ReduceLogSumExp", 18, f4([np.nan, -np.inf])).item())


def test_the_mean_of_nothing_is_nan_and_no_warning():
    model, feeds = model_of("ReduceMean", 13, [np.zeros((2, 0), "f4")], axes=[1])
    assert np.isnan(Reference(as_model(model, "model")).run(feeds)["y0"]).tolist() == [[True], [True]]


X = f4([[-1, -2], [-3, -4], [-5, -6]])  # logarithms of probabilities: 3 samples, 2 classes


@pytest.mark.parametrize("opset", [12, 13, 22])
def test_ignored_samples_count_in_no_mean(opset):
    def loss(target, *weight, **attributes):
        return run_node("NegativeLogLikelihoodLoss", opset, X, ints(*target), *weight, **attributes).tolist()

    assert loss([0, 1, 1], reduction="none") == [1, 4, 6]
    assert loss([0, 1, 1]) == pytest.approx(11 / 3)
    assert loss([0, 1, -1], ignore_index=-1) == 2.5
    assert loss([0, 1, 7], ignore_index=7) == 2.5
    assert loss([0, 1, 1], ignore_index=1) == 1
    assert loss([0, 1, -1], ignore_index=-1, reduction="sum") == 5
    assert loss([0, 1, -1], f4([1, 3]), ignore_index=-1) == (1 + 4 * 3) / 4
    with pytest.raises(ModelError) as raised:
        loss([0, 1, 2])
    assert raised.value.message == (
        "node 0 (NegativeLogLikelihoodLoss): the targets are 0 to 2, and there are 2 classes"
    )
    assert raised.value.details == ("a target is 0 to 1, or ignore_index",)


def test_losses_of_more_axes():
    x = f4([[[-1, -2], [-3, -4]]])  # 1 sample, 2 classes, 2 places
    y = run_node("NegativeLogLikelihoodLoss", 13, x, np.array([[1, 0]]), reduction="none")
    assert y.tolist() == [[3, 2]]


@pytest.mark.parametrize("opset", [12, 13])
def test_the_loss_of_very_different_scores_is_finite(opset):
    loss, logarithms = run_node("SoftmaxCrossEntropyLoss", opset, f4([[1000, 0]]), ints(1), outputs=2)
    assert (loss.tolist(), logarithms.tolist()) == (1000, [[0, -1000]])
    y = run_node("SoftmaxCrossEntropyLoss", opset, f4([[0, 0], [0, 9]]), ints(0, -1), ignore_index=-1)
    assert y.item() == pytest.approx(math.log(2))


def test_cast_1_has_the_name_of_a_type():
    y = run_node("Cast", 1, f4([1.5, -2.7]), to="INT32")
    assert (y.dtype, y.tolist()) == (np.int32, [1, -2])
    assert run_node("Cast", 5, np.array([0, 2]), to="BOOL").tolist() == [False, True]
    assert run_node("Cast", 6, f4([1.5]), to=6).tolist() == [1]
    for name in ("int32", "UNDEFINED", "\x1b"):
        with pytest.raises(ModelError) as raised:
            run_node("Cast", 1, f4([1]), to=name)
        shown = name.replace("\x1b", "\\x1b")
        assert str(raised.value) == (
            f"node 0 (Cast): to is {shown}, which names no type\n  a name is such as FLOAT or INT64"
        )


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_det_of_every_type(kind):
    y = run_node("Det", 22, np.array([[[1, 2], [3, 4]], [[1, 0], [0, 2]]], kind))
    assert (y.dtype, y.astype(float).tolist()) == (kind, pytest.approx([-2, 2]))
    assert run_node("Det", 11, f4([[3]])).tolist() == 3


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_mean_variance_normalization_of_every_type(kind):
    x = np.array([[[[1, 3]], [[5, 5]]]], kind)  # the second channel has no variance
    y = run_node("MeanVarianceNormalization", 13, x)
    assert (y.dtype, y.ravel().tolist()) == (kind, pytest.approx([-1, 1, 0, 0]))
    assert run_node("MeanVarianceNormalization", 9, f4([[1, 3]]), axes=[1]).tolist() == [[-1, 1]]


def test_one_hot_takes_the_whole_part_of_floats():
    assert run_node("OneHot", 9, f4([0.5, 2.7]), f4([3]), f4([0, 5])).tolist() == [[5, 0, 0], [0, 0, 5]]
    assert run_node("OneHot", 11, f4([-1.5]), f4(3.9), f4([0, 5])).tolist() == [[0, 0, 5]]
