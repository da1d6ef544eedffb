"""Types of values: in words, as schemas spell them, and whether two can be of one value."""

import onnx
import pytest
from onnx import TensorProto, helper

from mincli.graphs.kinds import contradicts, dims_of, known, of_tensor, sizes_of, spelling, type_in_words


def tensor(number, shape=None):
    return helper.make_tensor_type_proto(number, shape)


def map_of(key, number):
    kind = onnx.TypeProto()
    kind.map_type.key_type = key
    kind.map_type.value_type.CopyFrom(tensor(number))
    return kind


def opaque(domain, name):
    kind = onnx.TypeProto()
    kind.opaque_type.domain, kind.opaque_type.name = domain, name
    return kind


NOTHING = onnx.TypeProto()
FLOAT = tensor(TensorProto.FLOAT)
SPARSE = helper.make_sparse_tensor_type_proto(TensorProto.FLOAT, [2])
FLOATS = helper.make_sequence_type_proto(FLOAT)
MAYBE = helper.make_optional_type_proto(FLOATS)


@pytest.mark.parametrize(
    ("kind", "words", "spelled"),
    [
        (FLOAT, "float", "tensor(float)"),
        (tensor(1, ["batch", 3, None]), "float[batch, 3, ?]", "tensor(float)"),
        (tensor(TensorProto.BFLOAT16, []), "bfloat16[]", "tensor(bfloat16)"),
        (tensor(1, [-1, "a\x1b"]), "float[?, a\\x1b]", "tensor(float)"),
        (tensor(0), "tensor of any type", "tensor(type 0)"),
        (tensor(99), "tensor of any type", "tensor(type 99)"),
        (SPARSE, "sparse float", "sparse_tensor(float)"),
        (FLOATS, "sequence of float", "seq(tensor(float))"),
        (MAYBE, "optional sequence of float", "optional(seq(tensor(float)))"),
        (map_of(TensorProto.INT64, 1), "map to float", "map(int64,tensor(float))"),
        (opaque("d", "o"), "any type", "opaque(d,o)"),
        (NOTHING, "any type", ""),
    ],
)
def test_words(kind, words, spelled):
    assert (type_in_words(kind), spelling(kind)) == (words, spelled)


@pytest.mark.parametrize(
    ("kind", "is_known"), [(None, False), (NOTHING, False), (tensor(0, [2]), False), (FLOAT, True), (FLOATS, True)]
)
def test_known(kind, is_known):
    assert known(kind) is is_known


@pytest.mark.parametrize(
    ("one", "other", "in_what"),
    [
        (tensor(1, [2, 3]), tensor(1, [2, 3]), ""),
        (tensor(1, [2, "n"]), tensor(1, [None, 3]), ""),
        (tensor(1), tensor(1, [2]), ""),
        (tensor(1, [-1]), tensor(1, [2]), ""),
        (tensor(0, [2]), tensor(1, [2]), ""),
        (NOTHING, FLOATS, ""),
        (tensor(1, [2]), tensor(7, [3]), "type"),
        (tensor(1, [2]), tensor(1, [3]), "shape"),
        (tensor(1, [0]), tensor(1, [1]), "shape"),
        (tensor(1, []), tensor(1, [1]), "shape"),
        (FLOAT, FLOATS, "type"),
        (FLOAT, SPARSE, "type"),
        (SPARSE, helper.make_sparse_tensor_type_proto(TensorProto.FLOAT, [3]), "shape"),
        (FLOATS, helper.make_sequence_type_proto(tensor(7)), "type"),
        (MAYBE, helper.make_optional_type_proto(helper.make_sequence_type_proto(tensor(1, [2]))), ""),
        (map_of(7, 1), map_of(7, 1), ""),
        (map_of(7, 1), map_of(8, 1), "type"),
    ],
)
def test_contradictions(one, other, in_what):
    assert contradicts(one, other) == contradicts(other, one) == in_what


def test_sizes():
    assert sizes_of(tensor(1, [2, "n", None, 0, -1])) == (2, None, None, 0, None)
    assert sizes_of(tensor(1, [])) == ()
    assert sizes_of(tensor(1)) is None
    assert sizes_of(FLOATS) is None
    assert sizes_of(None) is None


def test_dimensions():
    assert dims_of(tensor(1, [2, "a\x1b", None, 0, -1])) == [2, "a\x1b", "?", 0, "?"]


def test_the_type_of_a_tensor():
    assert of_tensor(TensorProto(data_type=7, dims=[2, 0])) == tensor(7, [2, 0])
