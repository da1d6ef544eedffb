"""Results as text and as JSON values: shortest floats, exact integers, NumPy's form of arrays."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mincli.cli.arrays import as_json, as_text
from mincli.spec.dtypes import BY_NAME

MANTISSA_BITS = {"float16": 10, "bfloat16": 7}
BIAS = {"float16": 15, "bfloat16": 127}
INFINITY = {"float16": 0x7C00, "bfloat16": 0x7F80}
HALVES = ["float16", "bfloat16"]


def text_of(bits, name, shape=()):
    """Return the text of bit patterns."""
    element = BY_NAME[name]
    return as_text(np.array(bits, f"u{element.itemsize}").reshape(shape).view(element.storage), element)


@pytest.mark.parametrize(
    ("name", "bits", "text"),
    [
        pytest.param("float16", 0x2E66, "0.1", id="float16-tenth"),
        pytest.param("bfloat16", 0x3DCD, "0.1", id="bfloat16-tenth"),
        pytest.param("float", 0x3DCCCCCD, "0.1", id="float-tenth"),
        pytest.param("double", 0x3FB999999999999A, "0.1", id="double-tenth"),
        pytest.param("float16", 0x7BFF, "65500.0", id="float16-greatest"),
        pytest.param("float", 0x7F7FFFFF, "3.4028235e+38", id="float-greatest"),
        pytest.param("double", 0x7FEFFFFFFFFFFFFF, "1.7976931348623157e+308", id="double-greatest"),
        pytest.param("bfloat16", 0x7F7F, "3.39e+38", id="bfloat16-greatest"),
        pytest.param("float16", 0x6800, "2048.0", id="float16-two-to-11"),
        pytest.param("float16", 0x0001, "6e-08", id="float16-least-subnormal"),
        pytest.param("bfloat16", 0x0001, "9e-41", id="bfloat16-least-subnormal"),
        pytest.param("float", 0x00000001, "1e-45", id="float-least-subnormal"),
        pytest.param("double", 0x0000000000000001, "5e-324", id="double-least-subnormal"),
        pytest.param("float", 0x4B800000, "16777216.0", id="float-two-to-24"),
        pytest.param("bfloat16", 0x5F80, "1.85e+19", id="bfloat16-two-to-64"),
        pytest.param("float16", 0x8000, "-0.0", id="float16-minus-zero"),
        pytest.param("bfloat16", 0x8000, "-0.0", id="bfloat16-minus-zero"),
        pytest.param("float", 0x80000000, "-0.0", id="float-minus-zero"),
        pytest.param("double", 0x8000000000000000, "-0.0", id="double-minus-zero"),
        pytest.param("bfloat16", 0x0000, "0.0", id="bfloat16-zero"),
        pytest.param("float", 0x7FC00000, "nan", id="float-nan"),
        pytest.param("double", 0xFFF8000000000000, "nan", id="double-negative-nan"),
        pytest.param("float", 0x7F800001, "nan", id="float-signalling-nan"),
        pytest.param("float", 0x7F800000, "inf", id="float-inf"),
        pytest.param("double", 0xFFF0000000000000, "-inf", id="double-minus-inf"),
        pytest.param("int64", 2**63 - 1, "9223372036854775807", id="int64-greatest"),
        pytest.param("int64", 2**63, "-9223372036854775808", id="int64-least"),
        pytest.param("uint64", 2**64 - 1, "18446744073709551615", id="uint64-greatest"),
        pytest.param("int32", 2**31, "-2147483648", id="int32-least"),
        pytest.param("int16", 0xFFFF, "-1", id="int16"),
        pytest.param("uint16", 0xFFFF, "65535", id="uint16"),
        pytest.param("int8", 0x80, "-128", id="int8-least"),
        pytest.param("uint8", 0xFF, "255", id="uint8-greatest"),
        pytest.param("bool", 1, "True", id="true"),
        pytest.param("bool", 0, "False", id="false"),
    ],
)
def test_one_element_is_the_bare_value(name, bits, text):
    for shape in ((), (1,), (1, 1, 1)):
        assert text_of(bits, name, shape) == text


@pytest.mark.parametrize(
    ("name", "bits", "shape", "text"),
    [
        pytest.param("int64", [2**63 - 1, 1], (2,), "[9223372036854775807                   1]", id="int64"),
        pytest.param("uint64", [2**64 - 1, 7], (2, 1), "[[18446744073709551615]\n [                   7]]", id="u64"),
        pytest.param("bool", [1, 0], (2,), "[ True False]", id="bool"),
        pytest.param("float", [0x3F800000, 0x3DCCCCCD, 0x7FC00000], (3,), "[1.  0.1 nan]", id="float"),
        pytest.param("double", [0x8000000000000000, 0xFFF0000000000000], (2,), "[ -0. -inf]", id="double"),
        pytest.param("float16", [0x3C00, 0x2E66], (1, 2), "[[1.  0.1]]", id="float16"),
        pytest.param("bfloat16", [0x3F80, 0x3DCD, 0x7FC0, 0x8000], (2, 2), "[[1.0 0.1]\n [nan -0.0]]", id="bfloat16"),
        pytest.param("float", [], (0,), "[]", id="empty"),
        pytest.param("bfloat16", [], (2, 0, 3), "[]", id="empty-bfloat16"),
    ],
)  # fmt: skip
def test_more_elements_are_in_numpys_form(name, bits, shape, text):
    assert text_of(bits, name, shape) == text


@pytest.mark.parametrize(
    ("name", "one", "text"),
    [
        pytest.param("int32", 1, "[1 1 1 ... 1 1 1]", id="int32"),
        pytest.param("float", 0x3F800000, "[1. 1. 1. ... 1. 1. 1.]", id="float"),
        pytest.param("bfloat16", 0x3F80, "[1.0 1.0 1.0 ... 1.0 1.0 1.0]", id="bfloat16"),
        pytest.param("bool", 1, "[ True  True  True ...  True  True  True]", id="bool"),
    ],
)
def test_arrays_are_shortened_past_1000(name, one, text):
    assert text_of([one] * 1000, name, (1000,)).count("1" if name != "bool" else "True") == 1000
    assert text_of([one] * 1001, name, (1001,)) == text


@pytest.mark.parametrize(
    ("shape", "shown"),
    [
        pytest.param((7,) * 3, 343, id="within-1000"),
        pytest.param((7,) * 4, 4**4, id="two-at-each-end"),
        pytest.param((6,) * 4, 4**4, id="nothing-to-leave-out-between-three-and-three"),
        pytest.param((6,) * 5, 2**5, id="one-at-each-end"),
        pytest.param((4,) * 8, 2**6, id="the-first-of-two-axes"),
        pytest.param((2,) * 20, 2**9, id="nothing-to-leave-out-along-any-axis"),
        pytest.param((1,) * 20 + (2000,), 6, id="axes-of-one-element"),
    ],
)
@pytest.mark.parametrize("name", ["int32", "bfloat16"])
def test_arrays_of_any_rank_are_shortened(name, shape, shown):
    ones = np.full(shape, {"int32": 1, "bfloat16": 0x3F80}[name], {"int32": "i4", "bfloat16": "u2"}[name])
    text = as_text(ones, BY_NAME[name])
    assert text.count("1") == shown
    assert ("..." in text) is (ones.size > 1000)
    assert text.count("[") == text.count("]")


def test_the_outermost_axes_are_cut_where_the_ends_are_too_many():
    text = as_text(np.arange(2048, dtype="i4").reshape((2,) * 10 + (2,)), BY_NAME["int32"])
    lines = [line for line in text.splitlines() if line]
    assert lines[:2] == ["[[[[[[[[[[[  0   1]", "          [  2   3]]"]
    assert lines[-3:] == ["          [510 511]]]]]]]]]", "  ...]", " ...]"]


@pytest.fixture(scope="module", params=HALVES)
def half(request):
    """The text of every finite, non-negative pattern of a half type, and the values that the patterns stand for.

    The values go one further, to the power of two that infinity begins half a step before.
    """
    name = request.param
    bits, infinity = MANTISSA_BITS[name], INFINITY[name]
    patterns = np.arange(infinity + 1)
    exponent, fraction = patterns >> bits, patterns & ((1 << bits) - 1)
    significand = np.where(exponent, fraction + (1 << bits), fraction)
    values = np.ldexp(significand.astype("f8"), np.maximum(exponent, 1) - BIAS[name] - bits)
    return name, [text_of(pattern, name) for pattern in range(infinity)], values


def reads_back(numbers, values):
    """Return where `numbers` round to `values`, each the one of its position: to nearest, ties to even."""
    halfway = (values[1:] + values[:-1]) / 2
    below, above = np.concatenate([[-halfway[0]], halfway[:-1]]), halfway
    even = np.arange(len(above)) % 2 == 0
    return (below < numbers) & (numbers < above) | even & ((numbers == below) | (numbers == above))


def test_every_half_reads_back(half):
    name, texts, values = half
    assert reads_back(np.array(texts, "f8"), values).all()
    assert [text_of(0x8000 + pattern, name) for pattern in range(len(texts))] == [f"-{text}" for text in texts]


def test_no_half_has_a_form_of_fewer_digits(half):
    _, texts, values = half
    digits = np.array([len(text.partition("e")[0].replace(".", "").strip("0")) for text in texts])
    for count in range(1, digits.max()):
        step = 10.0 ** (np.floor(np.log10(np.maximum(values[:-1], 1e-300))) - count + 1)
        for rounded in (np.floor(values[:-1] / step), np.ceil(values[:-1] / step)):
            shorter = np.array([f"{number:.{count - 1}e}" for number in rounded * step], "f8")
            found = np.flatnonzero((digits > count) & reads_back(shorter, values))
            assert [(texts[pattern], shorter[pattern]) for pattern in found] == []


@pytest.mark.parametrize("name", HALVES)
def test_what_is_no_finite_half(name):
    infinity = INFINITY[name]
    assert [text_of(pattern, name) for pattern in (infinity, 0x8000 + infinity)] == ["inf", "-inf"]
    nans = [*range(infinity + 1, 0x8000), *range(0x8000 + infinity + 1, 0x10000)]
    assert {text_of(pattern, name) for pattern in nans} == {"nan"}


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float_reads_back_from_the_fewest_digits(value):
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    text = text_of(bits, "float")
    assert struct.pack("<f", float(text)) == struct.pack("<f", value)
    digits = len(text.partition("e")[0].replace(".", "").strip("-0"))
    assert all(struct.pack("<f", float(f"{value:.{n}g}")) != struct.pack("<f", value) for n in range(1, digits))


@given(st.floats(allow_nan=False))
def test_a_double_is_shown_as_python_shows_it(value):
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    assert text_of(bits, "double") == repr(value)


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=2, max_size=20))
def test_floats_of_an_array_read_back(values):
    bits = [struct.unpack("<I", struct.pack("<f", value))[0] for value in values]
    words = text_of(bits, "float", (len(bits),)).strip("[]").split()
    assert [struct.unpack("<I", struct.pack("<f", float(word)))[0] for word in words] == bits


@pytest.mark.parametrize(
    ("name", "bits", "shape", "value"),
    [
        pytest.param("float", 0x3DCCCCCD, (), 0.1, id="float"),
        pytest.param("bfloat16", 0x3DCD, (), 0.1, id="bfloat16"),
        pytest.param("float", [0x7FC00000, 0x7F800000, 0xFF800000], (3,), ["nan", "inf", "-inf"], id="not-finite"),
        pytest.param("uint64", [2**64 - 1, 0], (1, 2), [[2**64 - 1, 0]], id="uint64"),
        pytest.param("bool", [1, 0], (2,), [True, False], id="bool"),
        pytest.param("double", [], (2, 0), [[], []], id="empty"),
    ],
)
def test_json_values(name, bits, shape, value):
    element = BY_NAME[name]
    array = np.array(bits, f"u{element.itemsize}").reshape(shape).view(element.storage)
    assert repr(as_json(array, element)) == repr(value)
