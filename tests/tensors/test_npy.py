"""Reading .npy files of every version, type and layout; refusing broken ones; the header that is written."""

import io
import random

import numpy as np
import pytest

from mincli.errors import MincliError
from mincli.spec.dtypes import BY_NAME, BY_NUMPY
from mincli.tensors import npy, open_tensor
from tests import files, oracle
from tests.arrays import as_numpy, every_type, random_array

SHAPES = [(), (1,), (5,), (0,), (2, 3), (3, 0, 2), (2, 1, 3, 2)]


@every_type
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_reads_what_numpy_saves(tmp_path, element, shape):
    np.save(tmp_path / "a.npy", as_numpy(random_array(1, shape, element), element))
    expected = list(oracle.bits_of(random_array(1, shape, element), element).values())
    assert files.content(tmp_path / "a.npy") == (element.name, shape, expected)


@every_type
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("byteorder", ["<", ">"], ids=["little", "big"])
def test_reads_any_layout(tmp_path, element, order, byteorder):
    array = random_array(2, (2, 3, 4), element)
    (tmp_path / "a.npy").write_bytes(files.array_npy(array, element, order=order, byteorder=byteorder))
    expected = list(oracle.bits_of(array, element).values())
    assert files.content(tmp_path / "a.npy") == (element.name, (2, 3, 4), expected)


@pytest.mark.parametrize(
    ("descr", "fortran", "layout"),
    [
        pytest.param("<i4", False, "C order", id="C"),
        pytest.param("<i4", True, "Fortran order", id="Fortran"),
        pytest.param(">i4", False, "C order, byte-swapped", id="big-endian"),
        pytest.param(">i4", True, "Fortran order, byte-swapped", id="both"),
        pytest.param("=i4", False, "C order", id="native"),
        pytest.param("i4", False, "C order", id="unsaid"),
    ],
)
def test_layout_in_words(tmp_path, descr, fortran, layout):
    (tmp_path / "a.npy").write_bytes(files.npy(files.header(descr, (2,), fortran=fortran), bytes(8)))
    with open_tensor(str(tmp_path / "a.npy")) as tensor:
        assert tensor.layout == layout
        assert tensor.note == ""


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)], ids=["1", "2", "3"])
def test_header_versions(tmp_path, version):
    with open(tmp_path / "a.npy", "wb") as stream:
        np.lib.format.write_array(stream, np.array([[1, 2], [3, 4]], "u1"), version=version)
    assert files.content(tmp_path / "a.npy") == ("uint8", (2, 2), [1, 2, 3, 4])


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)], ids=["1", "2", "3"])
def test_every_prefix_is_refused(tmp_path, version):
    with open(tmp_path / "a.npy", "wb") as stream:
        np.lib.format.write_array(stream, np.array([1, 2, 3], "i2"), version=version)
    whole, path = (tmp_path / "a.npy").read_bytes(), tmp_path / "prefix.npy"
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert files.refusal(path)[0] == "FormatError", length


@pytest.mark.parametrize(
    ("descr", "raw", "element", "note"),
    [
        pytest.param("<V2", None, "bfloat16", "raw two-byte elements, read as bfloat16", id="V2"),
        pytest.param("|V2", None, "bfloat16", "raw two-byte elements, read as bfloat16", id="V2-no-byte-order"),
        pytest.param("|V2", "float16", "float16", "raw elements, read as float16", id="V2-float16"),
        pytest.param("|V2", "int16", "int16", "raw elements, read as int16", id="V2-int16"),
        pytest.param("|V1", "int8", "int8", "raw elements, read as int8", id="V1-int8"),
        pytest.param("|V4", "float", "float", "raw elements, read as float", id="V4-float"),
        pytest.param("<f4", "int32", "float", "", id="typed-elements-keep-their-type"),
    ],
)
def test_raw_elements(tmp_path, descr, raw, element, note):
    (tmp_path / "a.npy").write_bytes(files.npy(files.header(descr, ()), bytes(int(descr[-1]))))
    with open_tensor(str(tmp_path / "a.npy"), BY_NAME.get(raw)) as tensor:
        assert (tensor.element.name, tensor.note) == (element, note)
        assert files.elements(tensor) == 0


SIZES = "a.npy holds raw elements of {}"
HINT = "\n  a .npy file cannot say which ONNX type they are"
HINT += "\n  hint: say their ONNX type with --dtype"


@pytest.mark.parametrize(
    ("descr", "raw", "message"),
    [
        pytest.param("|V1", None, SIZES.format("1 byte") + HINT, id="V1"),
        pytest.param("|V4", None, SIZES.format("4 bytes") + HINT, id="V4"),
        pytest.param("|V", None, SIZES.format("0 bytes") + HINT, id="V"),
        pytest.param("|V1", "float", SIZES.format("1 byte") + ", but float has 4", id="V1-float"),
        pytest.param("|V4", "bfloat16", SIZES.format("4 bytes") + ", but bfloat16 has 2", id="V4-bfloat16"),
    ],
)
def test_raw_elements_refused(tmp_path, descr, raw, message):
    (tmp_path / "a.npy").write_bytes(files.npy(files.header(descr, (1,)), bytes(4)))
    assert files.refusal("a.npy", BY_NAME.get(raw)) == ("FormatError", message)


@pytest.mark.parametrize(
    ("descr", "raw", "element"),
    [
        pytest.param("<c8", None, "complex64", id="complex64"),
        pytest.param("<c16", None, "complex128", id="complex128"),
        pytest.param(">c8", None, "complex64", id="complex64-big-endian"),
        pytest.param("<f1", None, "float8e5m2", id="float8e5m2"),
        pytest.param("|V1", "float8e4m3fn", "float8e4m3fn", id="V1-float8e4m3fn"),
        pytest.param(">V1", "float8e4m3fn", "float8e4m3fn", id="V1-float8e4m3fn-big-endian"),
    ],
)
def test_types_without_a_minimum_are_known_by_name(tmp_path, descr, raw, element):
    (tmp_path / "a.npy").write_bytes(files.npy(files.header(descr, (1,)), bytes(BY_NAME[element].width)))
    with open_tensor(str(tmp_path / "a.npy"), BY_NAME.get(raw)) as tensor:
        assert (tensor.element.name, tensor.element.storage, tensor.shape) == (element, "", (1,))


def malformed(text):
    return f"a.npy: the .npy header is malformed\n  {text.strip()!r}"


def impossible(shape):
    return f"a.npy: the shape in the .npy header is impossible\n  {shape!r}"[:250]


def no_minimum(what):
    return f"a.npy holds {what}, and not numbers or booleans"


def long(size):
    return (
        f"a.npy: the .npy header claims {size} bytes\n"
        "  at most 10000 are read; an array of plain elements needs about 100"
    )


BAD_TEXTS = [
    pytest.param("", id="nothing"),
    pytest.param("[]", id="list"),
    pytest.param("{'descr': '<f4', 'fortran_order': False}", id="no-shape"),
    pytest.param("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", id="extra-key"),
    pytest.param("{[]: 1}", id="unhashable-key"),
    pytest.param("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", id="order-no-bool"),
    pytest.param("{'descr': 4, 'fortran_order': False, 'shape': (1,)}", id="descr-no-text"),
    pytest.param("{'descr': '<f4', 'fortran_order': False, 'shape': [1]}", id="shape-list"),
    pytest.param("{'descr': '<f4', 'fortran_order': False, 'shape': 1}", id="shape-int"),
    pytest.param("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", id="shape-negative"),
    pytest.param("{'descr': '<f4', 'fortran_order': False, 'shape': (1.0,)}", id="shape-float"),
    pytest.param("{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}", id="shape-bool"),
    pytest.param("{'descr': '<f4', 'fortran_order': False, 'shape': (None,)}", id="shape-none"),
    pytest.param("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", id="unclosed"),
    pytest.param("__import__('os').abort()", id="code"),
    pytest.param("\0" * 8, id="NUL"),
]


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_malformed_header(tmp_path, text):
    (tmp_path / "a.npy").write_bytes(files.npy(text, bytes(4)))
    assert files.refusal("a.npy") == ("FormatError", malformed(text))


@pytest.mark.parametrize("text", ["(" * 9000, "[" * 4000 + "]" * 4000, "-" * 9999], ids=["open", "closed", "minus"])
def test_deep_nesting_is_refused(tmp_path, text):
    (tmp_path / "a.npy").write_bytes(files.npy(text))
    assert files.refusal("a.npy") == ("FormatError", f"a.npy: the .npy header is malformed\n  {repr(text)[:200]}")


@pytest.mark.parametrize(
    ("whole", "message"),
    [
        pytest.param(
            files.npy(files.header("<f4", (1,)), bytes(4), version=(4, 0)),
            "a.npy: .npy version 4.0 is unknown\n  known: 1.0, 2.0, 3.0",
            id="version-4",
        ),
        pytest.param(
            files.npy(files.header("<f4", (1,)), bytes(4), version=(1, 1)),
            "a.npy: .npy version 1.1 is unknown\n  known: 1.0, 2.0, 3.0",
            id="version-1.1",
        ),
        pytest.param(
            files.npy(files.header("<f4", (1,)), bytes(4), size=9999),
            "a.npy is truncated: it ends within the .npy header",
            id="length-beyond-the-file",
        ),
        pytest.param(files.npy(" " * 10001, size=10001), long(10001), id="length-just-too-long"),
        pytest.param(files.npy("{}", version=(2, 0), size=2**31), long(2**31), id="length-2-GiB"),
        pytest.param(files.npy("{}", version=(3, 0), size=2**32 - 1), long(2**32 - 1), id="length-4-GiB"),
        pytest.param(
            files.npy(files.header("<f4", (2,)), bytes(7)),
            "a.npy is truncated\n  float of shape 2 needs 8 bytes; 7 follow the header",
            id="one-byte-short",
        ),
        pytest.param(
            files.npy(files.header("<f8", ())),
            "a.npy is truncated\n  double of shape scalar needs 8 bytes; 0 follow the header",
            id="no-data",
        ),
        pytest.param(
            files.npy(files.header("<f4", (2, 1)), bytes(9)),
            "a.npy: more data follows the array\n  float of shape 2 x 1 needs 8 bytes; 9 follow the header",
            id="one-byte-more",
        ),
        pytest.param(files.npy(files.header("<f4", (2**63,))), impossible((2**63,)), id="size-2**63"),
        pytest.param(files.npy(files.header("<f4", (2**32, 2**31))), impossible((2**32, 2**31)), id="product-2**63"),
        pytest.param(files.npy(files.header("<f4", (0, 2**63))), impossible((0, 2**63)), id="zero-by-2**63"),
        # NumPy can hold no such array either: zeros do not shrink its limit of 2**63 bytes
        pytest.param(files.npy(files.header("<f8", (0, 2**61))), impossible((0, 2**61)), id="zero-by-2**61-doubles"),
        pytest.param(files.npy(files.header("<f4", (1,) * 65), bytes(4)), impossible((1,) * 65), id="rank-65"),
    ],
)
def test_lying_header(tmp_path, whole, message):
    (tmp_path / "a.npy").write_bytes(whole)
    assert files.refusal("a.npy") == ("FormatError", message)


def test_shape_too_long_to_show_is_refused(tmp_path):
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': (0x{'f' * 9000},)}}"
    (tmp_path / "a.npy").write_bytes(files.npy(text))
    assert files.refusal(tmp_path / "a.npy")[0] == "FormatError"


@pytest.mark.parametrize(
    ("descr", "message"),
    [
        pytest.param("|O", no_minimum("Python objects (pickled; mincli never unpickles)"), id="object"),
        pytest.param("|S4", no_minimum("byte strings"), id="bytes"),
        pytest.param("<U4", no_minimum("strings"), id="strings"),
        pytest.param("<M8[s]", no_minimum("dates (datetime64)"), id="datetime64"),
        pytest.param("<m8[ns]", no_minimum("time differences (timedelta64)"), id="timedelta64"),
        pytest.param(
            "<f16", "a.npy: the element type '<f16' is none of ONNX's\n  longdouble has no ONNX type", id="longdouble"
        ),
        pytest.param("f4,f4", "a.npy: unknown element type 'f4,f4'", id="fields"),
        pytest.param("(2,)f4", "a.npy: unknown element type '(2,)f4'", id="subarray"),
        pytest.param("", "a.npy: unknown element type ''", id="empty"),
        pytest.param("float32", "a.npy: unknown element type 'float32'", id="name"),
        pytest.param(
            [("x", "<f4")],
            "a.npy holds structured elements\n  hint: save each field as an array of its own",
            id="structured",
        ),
    ],
)
def test_element_type_refused(tmp_path, descr, message):
    (tmp_path / "a.npy").write_bytes(files.npy(files.header(descr, (1,)), bytes(4)))
    assert files.refusal("a.npy") == ("FormatError", message)


@pytest.mark.parametrize(
    "descr",
    [
        pytest.param("<f3", id="f3"),
        pytest.param("<f0", id="f0"),
        pytest.param("<f", id="f"),
        pytest.param("<i16", id="i16"),
        pytest.param("|b", id="b"),
        pytest.param("<x4", id="x4"),
        pytest.param("?8", id="bool-8"),
        pytest.param("<f4[s]", id="float-with-unit"),
        pytest.param("|V" + "1" * 5000, id="size-of-5000-digits"),
    ],
)
def test_no_such_element_type(tmp_path, descr):
    (tmp_path / "a.npy").write_bytes(files.npy(files.header(descr, (0,))))
    assert files.refusal(tmp_path / "a.npy")[0] == "FormatError"


def test_python_2_wrote_long_integers(tmp_path):
    text = "{'descr': '<i2', 'fortran_order': False, 'shape': (2L, 1L), }"
    (tmp_path / "a.npy").write_bytes(files.npy(text, b"\1\0\2\0"))
    assert files.content(tmp_path / "a.npy") == ("int16", (2, 1), [1, 2])


def mutations(seed, whole, count):
    """Yield copies of a file with a few bytes replaced, removed or doubled within its header."""
    generator = random.Random(seed)
    for _ in range(count):
        changed = bytearray(whole)
        for _ in range(generator.randint(1, 3)):
            place = generator.randrange(90)
            new = bytes(generator.choices(b"\0\xff()[]{},:'\"\\<>|L0129eVfibc8x ", k=generator.randint(0, 2)))
            changed[place : place + generator.randint(0, 2)] = new
        yield bytes(changed)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")  # Python's, on odd literals
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)], ids=["1", "2", "3"])
def test_damaged_header_is_read_or_refused(tmp_path, version):
    with open(tmp_path / "a.npy", "wb") as stream:
        np.lib.format.write_array(stream, np.arange(6, dtype="<f8").reshape(2, 3), version=version)
    path, refused = tmp_path / "damaged.npy", 0
    for whole in mutations(version[0], (tmp_path / "a.npy").read_bytes(), 300):
        path.write_bytes(whole)
        try:
            with open_tensor(str(path)) as tensor:
                assert tensor.element in BY_NUMPY.values()
        except MincliError:
            refused += 1
    assert 100 < refused < 300


def numpy_header(element, shape):
    stream, dtype = io.BytesIO(), as_numpy(np.empty(0, element.storage), element).dtype
    fields = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, fields)
    return stream.getvalue()


@every_type
@pytest.mark.parametrize(
    "shapes",
    [
        pytest.param([(10**digits,) for digits in range(19)], id="long-first-axis"),
        pytest.param([(1,) * rank for rank in range(65)], id="every-rank"),  # and every length of text modulo 64
        pytest.param([(123456789, 1), (2**62, 0), (0, 2**62), (10**9, 3, 7), tuple(range(40))], id="others"),
    ],
)
def test_header_is_that_of_numpy_byte_for_byte(element, shapes):
    for shape in shapes:
        assert npy.format_header(element, shape) == numpy_header(element, shape)
