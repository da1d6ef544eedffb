"""Known changes of meaning between two versions, in words."""

import pytest

from mincli.schemas import page_of
from mincli.schemas.difference import between

CASES = {
    ("Softmax", 11, 13): (
        "Softmax-11: the input is flattened to a matrix at axis, 1 by default; "
        "Softmax-13: it is computed along axis, -1 by default",
    ),
    ("Softmax", 13, 11): (
        "Softmax-13: it is computed along axis, -1 by default; "
        "Softmax-11: the input is flattened to a matrix at axis, 1 by default",
    ),
    ("Resize", 10, 11): (
        'coordinate_transformation_mode: Resize-10 computes as with "asymmetric", Resize-11 as with "half_pixel"',
        'nearest_mode: Resize-10 computes as with "floor", Resize-11 as with "round_prefer_floor"',
    ),
    ("Dropout", 7, 6): ("is_test: Dropout-7 computes as with 1, Dropout-6 as with 0",),
    ("GridSample", 16, 20): (),
    ("Add", 6, 7): (),
    ("Min", 1, 13): (),
    ("ReduceMin", 13, 18): (),
    ("Relu", 6, 6): (),
    ("ai.onnx.ml:TreeEnsembleRegressor", 1, 3): (),
}


@pytest.mark.parametrize("case", CASES)
def test_changes_of_meaning(case):
    name, old, new = case
    found = between(page_of(name, old), page_of(name, new))
    assert (found.meanings, found.changes_meaning) == (CASES[case], bool(CASES[case]))
