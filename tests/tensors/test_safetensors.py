"""Reading tensors of .safetensors files; refusing missing ones and headers that contradict the file."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from mincli.tensors import open_tensor
from tests import files, oracle
from tests.arrays import as_numpy, every_type, random_array


def safetensors_file(entries, data=bytes(4)):
    """Return a file whose header is text or JSON of `entries`."""
    text = (entries if isinstance(entries, str) else json.dumps(entries)).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype="F32", shape=(1,), offsets=(0, 4)):
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


@every_type
@pytest.mark.parametrize("shape", [(), (4,), (0, 3), (2, 3, 2)], ids=str)
def test_any_type_and_shape(element, shape):
    array = random_array(4, shape, element)
    save_file(
        {
            "first": np.arange(3, dtype="u1"),
            "x": as_numpy(array, element),
        },
        "a.safetensors",
        metadata={"format": "np"},
    )
    expected = list(oracle.bits_of(array, element).values())
    assert files.content("a.safetensors:x") == (element.name, shape, expected)


def test_the_only_tensor_needs_no_name():
    save_file({"x": np.array([3, 1], "i4")}, "a.bin", metadata={"format": "np"})
    assert files.content("a.bin") == ("int32", (2,), [3, 1])


@pytest.mark.parametrize("name", ["model/layer.0", "", "größe", "kernel:0", "a:b:c"])
def test_any_name(name):
    save_file({name: np.array([7], "u1"), "other": np.array([8], "u1")}, "a.safetensors")
    assert files.content(f"a.safetensors:{name}") == ("uint8", (1,), [7])


@pytest.mark.parametrize(("kind", "element"), [("F8_E4M3", "float8e4m3fn"), ("F8_E5M2", "float8e5m2")])
def test_types_without_a_minimum_are_known_by_name(folder, kind, element):
    (folder / "a.safetensors").write_bytes(safetensors_file({"x": entry(kind, [2], [0, 2])}))
    with open_tensor("a.safetensors") as tensor:
        assert (tensor.element.name, tensor.element.storage, tensor.shape) == (element, "", (2,))


def test_layout():
    save_file({"x": np.zeros((2, 2), "f2")}, "a.safetensors")
    with open_tensor("a.safetensors") as tensor:
        assert (tensor.layout, tensor.note) == ("C order", "")


@pytest.mark.parametrize(
    ("names", "path", "message"),
    [
        pytest.param(
            ["a", "b"],
            "x.safetensors",
            "x.safetensors holds 2 tensors\n  it holds a, b\n  hint: name one: x.safetensors:a",
            id="several",
        ),
        pytest.param(
            [f"{number:02}" for number in range(21)],
            "x.safetensors:y",
            "x.safetensors:y: the file has no tensor of that name\n"
            f"  it holds {', '.join(f'{number:02}' for number in range(20))}, ...",
            id="missing-of-many",
        ),
        pytest.param(
            ["a\x1b[31m"],
            "x.safetensors:y",
            "x.safetensors:y: the file has no tensor of that name\n  it holds a\\x1b[31m",
            id="control-characters-are-escaped",
        ),
    ],
)
def test_no_such_tensor(path, names, message):
    save_file({name: np.zeros(1, "u1") for name in names}, "x.safetensors")
    assert files.refusal(path) == ("FileError", message)


@pytest.mark.parametrize("path", ["x.safetensors", "x.safetensors:a"])
def test_a_file_without_tensors(path):
    save_file({}, "x.safetensors", metadata={"format": "np"})
    assert files.refusal(path) == ("FormatError", f"{path} holds no tensors")


def test_a_header_of_4_mib_is_the_longest(folder):
    """Padded with spaces, as the format allows; there is nothing to read beyond the limit."""
    text = json.dumps({"x": entry()}).ljust(4 << 20)
    (folder / "x.safetensors").write_bytes(safetensors_file(text))
    assert files.content("x.safetensors") == ("float", (1,), [0])
    (folder / "x.safetensors").write_bytes(safetensors_file(text + " "))
    message = (
        "x.safetensors: the safetensors header claims 4194305 bytes\n"
        "  at most 4194304 are read, which 30000 tensors take\n"
        "  hint: split the file"
    )
    assert files.refusal("x.safetensors") == ("FormatError", message)


MALFORMED = "x.safetensors: the safetensors header is malformed"


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param('{"x": ', id="unclosed"),
        pytest.param("{" * 100_000, id="deep"),
        pytest.param('{"x": [' * 100_000, id="deep-lists"),
        pytest.param({"x": 1}, id="entry-no-object"),
        pytest.param({"x": {}}, id="entry-empty"),
        pytest.param({"x": entry(shape=None)}, id="no-shape"),
        pytest.param({"x": entry(shape="1")}, id="shape-text"),
        pytest.param({"x": entry(shape=[-1])}, id="shape-negative"),
        pytest.param({"x": entry(shape=[1.0])}, id="shape-float"),
        pytest.param({"x": entry(shape=[True])}, id="shape-bool"),
        pytest.param({"x": entry(shape=[2**63])}, id="shape-2**63"),
        pytest.param({"x": entry(offsets=[0])}, id="one-offset"),
        pytest.param({"x": entry(offsets=[-4, 0])}, id="offset-negative"),
        pytest.param({"x": entry(offsets=["0", "4"])}, id="offset-text"),
    ],
)
def test_malformed_header(folder, entries):
    (folder / "x.safetensors").write_bytes(safetensors_file(entries))
    assert files.refusal("x.safetensors") == ("FormatError", MALFORMED)


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(entry(shape=[2]), id="shape-needs-more"),
        pytest.param(entry(offsets=[4, 0]), id="offsets-swapped"),
        pytest.param(entry(offsets=[1, 5]), id="beyond-the-end"),
        pytest.param(entry(shape=[2**40], offsets=[0, 2**42]), id="claims-terabytes"),
    ],
)
def test_header_that_contradicts_the_file(folder, bad):
    (folder / "x.safetensors").write_bytes(safetensors_file({"x": bad}))
    shown = json.loads(json.dumps(bad))
    message = f"x.safetensors: the safetensors header does not fit the file\n  x: {shown}"
    assert files.refusal("x.safetensors") == ("FormatError", message)


def test_name_in_a_contradiction_is_escaped(folder):
    (folder / "x.safetensors").write_bytes(safetensors_file({"a\x1b[31m": entry(shape=[2])}))
    assert "\n  a\\x1b[31m: {" in files.refusal("x.safetensors")[1]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        pytest.param(entry("F4"), "x.safetensors: the element type F4 is unknown", id="unknown"),
        pytest.param(entry("\x07"), "x.safetensors: the element type \\x07 is unknown", id="control-character"),
        pytest.param(entry(4), "x.safetensors: the element type 4 is unknown", id="number"),
    ],
)
def test_unknown_element_type(folder, bad, message):
    (folder / "x.safetensors").write_bytes(safetensors_file({"x": bad}))
    assert files.refusal("x.safetensors") == ("FormatError", message)


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(entry([]), id="element-type-list"),
        pytest.param(entry(shape=[1] * 65), id="rank-65"),
        pytest.param(entry(shape=[0, 2**62], offsets=[0, 0]), id="zero-by-2**62"),  # NumPy can hold no such array
    ],
)
def test_refused_by_its_format(folder, bad):
    (folder / "x.safetensors").write_bytes(safetensors_file({"x": bad}))
    assert files.refusal("x.safetensors")[0] == "FormatError"


def test_every_prefix_is_refused(folder):
    save_file({"x": np.arange(3, dtype="i2")}, "a.safetensors")
    whole = (folder / "a.safetensors").read_bytes()
    for length in range(len(whole)):
        (folder / "x.safetensors").write_bytes(whole[:length])
        assert files.refusal("x.safetensors")[0] == "FormatError", length
