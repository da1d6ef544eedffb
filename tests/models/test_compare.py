"""Comparisons, held against exact Python: fractions for numbers, bit patterns for units in the last place."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mincli.models import compare as module
from mincli.models.compare import EDGES, Comparison, Extreme, Tolerance, compare

DEFAULT = Tolerance()
EXACT = Tolerance(0.0, 0.0)
INF, NAN = math.inf, math.nan


def one(got, want, tolerance=DEFAULT):
    (comparison,) = compare("y", got, want, tolerance)
    return comparison


def floats(*values, dtype="f4"):
    return np.array(values).astype(dtype)


def test_the_same():
    zeros = [0] * 17
    zeros[0] = 3
    assert one(floats(1, -0.0, INF), floats(1, 0.0, INF)) == Comparison(
        "y", "float[3]", "float[3]", True, 3, histogram=(2, *zeros[1:], 0)
    )


def test_everything_that_is_said_of_a_difference():
    got, want = floats(1, 2, NAN, INF, 5.5, 1), floats(1, 4, 1, -INF, 5, NAN)
    assert one(got.reshape(2, 3), want.reshape(2, 3)) == Comparison(
        "y",
        "float[2, 3]",
        "float[2, 3]",
        same=False,
        count=6,
        mismatches=5,
        nan_mismatches=2,
        inf_mismatches=1,
        absolute=Extreme(2.0, (0, 1)),
        relative=Extreme(0.5, (0, 1)),
        ulp=Extreme(2**23, (0, 1)),
        histogram=(1, *[0] * 12, 1, 1, 0, 0, 0),
        mismatch_at=(0, 1),
    )


@pytest.mark.parametrize(
    ("got", "want", "same"),
    [
        pytest.param(NAN, NAN, True, id="nan"),
        pytest.param(NAN, 1, False, id="nan-got"),
        pytest.param(1, NAN, False, id="nan-wanted"),
        pytest.param(NAN, INF, False, id="nan-and-inf"),
        pytest.param(INF, INF, True, id="inf"),
        pytest.param(-INF, INF, False, id="inf-of-the-other-sign"),
        pytest.param(3e38, INF, False, id="inf-wanted"),
        pytest.param(INF, 3e38, False, id="inf-got"),
        pytest.param(-0.0, 0.0, True, id="signed-zero"),
    ],
)
@pytest.mark.parametrize("tolerance", [DEFAULT, Tolerance(1e9, 1e9), Tolerance(max_ulp=0), Tolerance(max_ulp=2**62)])
def test_special_values_do_not_depend_on_the_tolerance(got, want, same, tolerance):
    assert one(floats(got), floats(want), tolerance).same is same


def test_nan_payloads_and_signs_do_not_matter():
    got, want = (np.array([pattern], "u4").view("f4") for pattern in (0x7F800001, 0xFFC12345))
    assert one(got, want, EXACT).same


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(NUMBERS, NUMBERS, st.floats(0, 10), st.floats(0, 10))
def test_the_formula(got, want, rtol, atol):
    """abs(got - want) <= atol + rtol * abs(want), in doubles."""
    comparison = one(np.array([got]), np.array([want]), Tolerance(rtol, atol))
    assert comparison.same is (got == want or abs(got - want) <= atol + rtol * abs(want))


def test_the_formula_at_its_edge():
    want, tolerance = floats(8), Tolerance(0.25, 0.5)
    assert one(floats(10.5), want, tolerance).same
    assert one(floats(5.5), want, tolerance).same
    assert not one(np.nextafter(floats(10.5), np.float32(11)), want, tolerance).same
    assert not one(floats(8), floats(10.5), Tolerance(0.1, 0)).same  # of what is wanted, not of what is got


KNOWN = {name for name, _ in onnx.TensorProto.DataType.items()}  # to the onnx that is installed
FLOATS = ["f2", "f4", "f8", "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
          "float8_e8m0fnu", "float4_e2m1fn"]  # fmt: skip
if "FLOAT6E2M3" in KNOWN:
    FLOATS += ["float6_e2m3fn", "float6_e3m2fn"]
INTEGERS_OF_FEW_BITS = [("int4", -8, 7), ("uint4", 0, 15), ("int2", -2, 1), ("uint2", 0, 3)]


def type_named(name):
    return np.dtype(getattr(ml_dtypes, name, name))


@pytest.mark.parametrize("name", [name for name in FLOATS if name not in ("f4", "f8")])
def test_units_in_the_last_place_of_every_small_float(name):
    """All values in order: neighbours are one apart, and n steps are n units."""
    dtype = type_named(name)
    bits = 16 if dtype.itemsize == 2 else int(name[5]) if name.startswith("float") else 8
    patterns = np.arange(2**bits).astype(f"u{dtype.itemsize}").view(dtype)
    with np.errstate(invalid="ignore"):  # of NaN
        values = sorted({float(value) for value in patterns.astype("f8") if math.isfinite(value)})
    ordered = np.array(values).astype(dtype)
    assert ordered.astype("f8").tolist() == values
    for step in (1, 7):
        comparison = one(ordered[step:], ordered[:-step], Tolerance(max_ulp=step))
        assert (comparison.same, comparison.ulp) == (True, Extreme(step, (0,)))
        comparison = one(ordered[step:], ordered[:-step], Tolerance(max_ulp=step - 1))
        assert (comparison.mismatches, comparison.mismatch_at) == (len(values) - step, (0,))


def position(value, code):
    """Return the place of a float among all of its type, 0 for zero."""
    pattern = int.from_bytes(np.array(value, code).tobytes(), "little")
    sign = 1 << (8 * np.dtype(code).itemsize - 1)
    return -(pattern - sign) if pattern >= sign else pattern


@pytest.mark.parametrize("code", ["<f2", "<f4", "<f8"])
@given(data=st.data())
def test_units_in_the_last_place(code, data):
    width = 8 * np.dtype(code).itemsize
    pair = st.floats(width=width, allow_nan=False, allow_infinity=False)
    got, want = data.draw(pair), data.draw(pair)
    comparison = one(np.array([got], code), np.array([want], code), EXACT)
    if got == want:
        assert (comparison.ulp, comparison.absolute, comparison.same) == (None, None, True)
    else:
        assert comparison.ulp == Extreme(abs(position(got, code) - position(want, code)), (0,))
        assert comparison.absolute.value == abs(got - want)


def test_the_most_units_there_can_be():
    largest = np.finfo("f8").max
    assert one(np.array([-largest]), np.array([largest])).ulp == Extreme(2 * 0x7FEFFFFFFFFFFFFF, (0,))


INTEGERS = [("i1", "int8"), ("u1", "uint8"), ("i2", "int16"), ("u2", "uint16"), ("i4", "int32"), ("u4", "uint32"),
            ("i8", "int64"), ("u8", "uint64")]  # fmt: skip


@pytest.mark.parametrize(("code", "name"), INTEGERS, ids=[name for _, name in INTEGERS])
@given(data=st.data())
def test_integers_are_exact(code, name, data):
    limits = np.iinfo(code)
    ends = st.sampled_from([int(limits.min), int(limits.max), 0, 1])
    numbers = st.one_of(ends, st.integers(int(limits.min), int(limits.max)))
    pairs = data.draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5))
    got, want = zip(*pairs, strict=True)
    comparison = one(np.array(got, code), np.array(want, code), Tolerance(1e9, 1e9, max_ulp=10**9))
    differences = [abs(a - b) for a, b in pairs]
    wrong = [place for place, difference in enumerate(differences) if difference]
    assert (comparison.got, comparison.mismatches) == (f"{name}[{len(pairs)}]", len(wrong))
    assert comparison.mismatch_at == ((wrong[0],) if wrong else None)
    worst = max(differences)
    assert comparison.absolute == (Extreme(worst, (differences.index(worst),)) if worst else None)
    relative = [INF if not b else Fraction(d, abs(b)) for d, b in zip(differences, want, strict=True) if d]
    assert (comparison.relative.value if wrong else 0) == pytest.approx(float(max(relative, default=0)), rel=1e-12)
    assert comparison.ulp is None


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [row for row in INTEGERS_OF_FEW_BITS if row[0].upper() in KNOWN],
)
def test_integers_of_few_bits(name, low, high):
    dtype = type_named(name)
    comparison = one(np.array([low, low], dtype), np.array([low, high], dtype))
    assert (comparison.got, comparison.mismatches) == (f"{name}[2]", 1)
    assert comparison.absolute == Extreme(high - low, (1,))


def test_complex_numbers():
    got, want = np.array([3 + 4j, complex(NAN, 1), 1 + 1j], "c8"), np.array([0, complex(NAN, 1), 1 + 1j], "c8")
    comparison = one(got, want)
    assert (comparison.got, comparison.mismatches, comparison.mismatch_at) == ("complex64[3]", 1, (0,))
    assert comparison.absolute == Extreme(5.0, (0,))
    assert comparison.ulp == Extreme(position(4, "<f4"), (0,))
    next_to_one = np.nextafter(np.float32(1), np.float32(2))
    assert one(np.array([complex(1, next_to_one)], "c8"), np.array([1 + 1j], "c8"), Tolerance(max_ulp=1)).same
    assert not one(np.array([complex(1, next_to_one)], "c8"), np.array([1 + 1j], "c8"), Tolerance(max_ulp=0)).same


def test_bool_and_strings():
    comparison = one(np.array([[True, False]]), np.array([[True, True]]), Tolerance(9, 9))
    assert comparison == Comparison("y", "bool[1, 2]", "bool[1, 2]", False, 2, 1, mismatch_at=(0, 1))
    got, want = np.array(["a", "b\0", "é"], object), np.array(["a", "b", "é"], object)
    assert one(got, want) == Comparison("y", "string[3]", "string[3]", False, 3, 1, mismatch_at=(1,))
    assert one(got, got.copy()).same


@pytest.mark.parametrize(
    ("got", "want", "words"),
    [
        pytest.param(floats(1), floats(1, dtype="f8"), ("float[1]", "double[1]"), id="type"),
        pytest.param(np.zeros((2, 3)), np.zeros((3, 2)), ("double[2, 3]", "double[3, 2]"), id="shape"),
        pytest.param(np.zeros(()), np.zeros(1), ("double[]", "double[1]"), id="rank"),
        pytest.param(np.zeros((0, 2)), np.zeros((0, 3)), ("double[0, 2]", "double[0, 3]"), id="zero-size"),
        pytest.param([floats(1)], [], ("sequence of 1", "sequence of 0"), id="length"),
        pytest.param({"a": 1}, {"b": 1}, ("map of 1", "map of 1"), id="keys"),
        pytest.param(None, floats(1), ("absent", "float[1]"), id="absent"),
        pytest.param(None, [], ("absent", "sequence of 0"), id="absent-and-empty"),
        pytest.param(floats(0), None, ("float[1]", "absent"), id="not-absent"),
        pytest.param([floats(1)], floats(1), ("sequence of 1", "float[1]"), id="kind"),
    ],
)
def test_other_types_and_shapes(got, want, words):
    assert one(got, want, Tolerance(9, 9)) == Comparison("y", *words, same=False)


@pytest.mark.parametrize("value", [None, [], {}, np.zeros((0, 3), "f4"), np.zeros(0, object)], ids=str)
def test_nothing_is_the_same_as_nothing(value):
    assert one(value, value).same


def test_rank_0():
    comparison = one(np.array(2.0), np.array(1.0))
    assert (comparison.count, comparison.absolute, comparison.mismatch_at) == (1, Extreme(1.0, ()), ())
    assert one(np.float64(2), np.array(2.0)).same  # NumPy's scalars are tensors, too


def test_sequences_and_maps_by_element():
    got = [floats(1), [floats(2), floats(3)]]
    want = [floats(1), [floats(2), floats(4)]]
    found = [(comparison.name, comparison.same) for comparison in compare("y", got, want, DEFAULT)]
    assert found == [("y[0]", True), ("y[1][0]", True), ("y[1][1]", False)]
    got, want = {"a": 1.0, "b": 2.0}, {"a": np.float32(1), "b": np.float32(2.5)}
    found = [(comparison.name, comparison.same, comparison.got) for comparison in compare("y", got, want, DEFAULT)]
    assert found == [("y['a']", True, "double[]"), ("y['b']", False, "double[]")]
    found = [(comparison.name, comparison.same) for comparison in compare("y", {1: "x"}, {1: "z"}, DEFAULT)]
    assert found == [("y[1]", False)]


def test_the_histogram():
    """Each bucket takes differences up to its edge."""
    differences = [0, 1e-13, 1e-12, 2e-12, 1e-3, 1.5e-3, 1, 1000, 1001, 1e300]
    comparison = one(np.array([*differences, NAN, INF]), np.zeros(12))
    expected = [0] * 18
    for difference in differences:
        expected[next((place for place, edge in enumerate(EDGES) if difference <= edge), 17)] += 1
    assert expected == [1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 2]
    assert list(comparison.histogram) == expected
    assert one(np.array([2**64 - 1, 5], "u8"), np.array([0, 5], "u8")).histogram == (1, *[0] * 16, 1)


@pytest.mark.parametrize("layout", ["C", "F", "strided", "big-endian"])
def test_many_blocks_of_any_layout(monkeypatch, layout):
    monkeypatch.setattr(module, "BLOCK", 7)
    want = np.arange(1, 61, dtype="f4").reshape(5, 12)
    got = want.copy()
    got[1, 2], got[3, 4], got[4, 11] = 16, 42, NAN  # 1 and 1 above
    if layout == "F":
        got = np.asfortranarray(got)
    elif layout == "strided":
        got = np.repeat(got, 2, axis=1)[:, ::2]
    elif layout == "big-endian":
        got = got.astype(">f4")
    comparison = one(got, want)
    assert (comparison.count, comparison.mismatches, comparison.nan_mismatches) == (60, 3, 1)
    assert comparison.absolute == Extreme(1.0, (1, 2))  # the first of equals
    assert comparison.relative == Extreme(1 / 15, (1, 2))
    assert comparison.mismatch_at == (1, 2)
    assert sum(comparison.histogram) == 59


def test_what_a_large_comparison_takes():
    """The two arrays lie there; the comparison needs a small part of that besides."""
    import tracemalloc

    got, want = np.zeros((1 << 12, 1 << 12), "f4").T, np.ones((1 << 12, 1 << 12), "f4")  # 64 MiB each
    tracemalloc.start()
    comparison = one(got, want)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (comparison.mismatches, comparison.absolute) == (1 << 24, Extreme(1.0, (0, 0)))
    assert peak < 8 << 20
