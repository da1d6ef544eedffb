"""BatchNormalization until 13."""

import numpy as np
import pytest

from mincli.models.evaluate import evaluator
from mincli.models.load import as_model
from tests.models.operators.nodes import f4, model_of, run_node

X = f4([[[1, 3]], [[5, 7]]])  # one channel: mean 4, variance 5
PARAMETERS = (f4([2]), f4([10]), f4([1]), f4([4]))  # scale, bias, mean, variance


@pytest.mark.parametrize("opset", [6, 7, 9, 13])
def test_one_output_is_inference_by_the_given_statistics(opset):
    y = run_node("BatchNormalization", opset, X, *PARAMETERS, epsilon=0.0)
    assert y.tolist() == [[[10, 12]], [[14, 16]]]  # (x - 1) / 2 * 2 + 10


def test_consumed_inputs_of_version_1_have_no_effect():
    y = run_node("BatchNormalization", 1, X, *PARAMETERS, epsilon=0.0, is_test=1, consumed_inputs=[0, 0, 0, 1, 1])
    assert y.tolist() == [[[10, 12]], [[14, 16]]]


def test_is_test_is_inference_with_all_outputs_declared():
    model, feeds = model_of("BatchNormalization", 6, (X, *PARAMETERS), 5, epsilon=0.0, is_test=1)
    (y,) = evaluator(as_model(model, "model")).run(["y0"], feeds)
    assert y.tolist() == [[[10, 12]], [[14, 16]]]


def test_more_outputs_are_training():
    y, mean, variance, saved_mean, saved_variance = run_node(
        "BatchNormalization", 9, X, *PARAMETERS, epsilon=0.0, momentum=0.5, outputs=5
    )
    assert (saved_mean.tolist(), saved_variance.tolist()) == ([4], [5])
    assert (mean.tolist(), variance.tolist()) == ([2.5], [4.5])
    assert y.ravel().tolist() == pytest.approx([(x - 4) / 5**0.5 * 2 + 10 for x in (1, 3, 5, 7)])


def test_not_spatial_has_statistics_per_element():
    x = f4([[[1, 3]], [[5, 7]]])
    scale, bias, mean, variance = f4([[1, 1]]), f4([[0, 0]]), f4([[1, 3]]), f4([[4, 1]])
    y = run_node("BatchNormalization", 7, x, scale, bias, mean, variance, epsilon=0.0, spatial=0)
    assert y.tolist() == [[[0, 0]], [[2, 4]]]


def test_from_14_on_it_is_onnxs():
    y = run_node("BatchNormalization", 15, X, *PARAMETERS, epsilon=0.0)
    np.testing.assert_allclose(y, [[[10, 12]], [[14, 16]]])
