"""The wire format of protocol buffers: varints of any size, whole or cut anywhere."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mincli.tensors import wire


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (0, b"\0"),
        (1, b"\1"),
        (127, b"\x7f"),
        (128, b"\x80\1"),
        (150, b"\x96\1"),
        (2**31 - 1, b"\xff\xff\xff\xff\7"),
        (2**64 - 1, b"\xff" * 9 + b"\1"),
    ],
)
def test_one_varint(value, data):
    assert wire.as_varint(value) == data
    assert wire.varint(data + b"!") == (value, len(data))
    for length in range(len(data)):
        with pytest.raises(ValueError, match="does not end"):
            wire.varint(data[:length])


@given(st.lists(st.integers(0, 2**64 - 1)), st.lists(st.integers(0, 300)))
def test_varints_cut_anywhere(values, cuts):
    data = b"".join(map(wire.as_varint, values))
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    chunks = [data[start:end] for start, end in pairwise(places)]
    assert [value for array in wire.varints(chunks) for value in array.tolist()] == values


@pytest.mark.parametrize("chunks", [[b"\x80"], [b"\1\x80"], [b"\x80" * 11, b"\1"], [b"\xff" * 10 + b"\1"]])
def test_varints_that_do_not_end(chunks):
    with pytest.raises(ValueError, match="does not end"):
        list(wire.varints(chunks))
