"""Random inputs: which are made, of what size and type, and that the same seed gives the same."""

import tracemalloc

import numpy as np
import onnx
import pytest

from mincli.errors import UsageError
from mincli.models.feeds import inputs_of
from mincli.models.random_feeds import STRINGS, random_feeds
from mincli.spec.dtypes import BY_NUMBER
from tests.models.graphs import with_inputs


def make(text, given=None, initializers="", **options):
    return random_feeds(inputs_of(with_inputs(text, initializers=initializers)), given or {}, **options)


def shapes(feeds):
    return {name: value.shape for name, value in feeds.items()}


def refused(*arguments, **options):
    with pytest.raises(UsageError) as caught:
        make(*arguments, **options)
    return str(caught.value)


def test_what_is_missing_is_made():
    feeds = make("float[2] x, float[3] y, float[1] w", {"y": np.zeros(3, "f4")}, "<float[1] w = {1}>")
    assert shapes(feeds) == {"x": (2,)}
    assert feeds["x"].dtype == np.float32


def test_an_input_with_a_default_is_made_if_its_shape_is_given():
    assert shapes(make("float[1] w", {}, "<float[1] w = {1}>", shapes={"w": (1,)})) == {"w": (1,)}


def test_sizes_come_from_inputs_and_shapes_and_options():
    given = {"x": np.zeros((2, 3), "f4")}
    text = "float[A, B] x, float[B] y, float[C, A] z, float[D] u, float[?, D] v"
    feeds = make(text, given, dims={"C": 4}, shapes={"v": (5, 6)})
    assert shapes(feeds) == {"y": (3,), "z": (4, 2), "u": (6,), "v": (5, 6)}


def test_sizes_come_from_defaults_that_are_not_overridden():
    default = "<float[3] w = {1, 2, 3}>"
    assert shapes(make("float[n] x, float[n] w", {}, default)) == {"x": (3,)}
    assert shapes(make("float[n] x, float[n] w", {}, default, dims={"n": 2})) == {"x": (2,)}
    assert shapes(make("float[n] x, float[n] w", {}, default, shapes={"w": (4,)})) == {"x": (4,), "w": (4,)}
    assert shapes(make("float[n] x, float[n] w", {"w": np.zeros(5, "f4")}, default)) == {"x": (5,)}


def test_a_seed_and_a_name_decide():
    one, other = make("float[4] x, float[4] y"), make("float[4] y")
    assert one["y"].tobytes() == other["y"].tobytes()
    assert one["x"].tobytes() != one["y"].tobytes()
    assert one["y"].tobytes() != make("float[4] y", seed=1)["y"].tobytes()


@pytest.mark.parametrize("kind", ["float", "bfloat16", "complex64", "int8", "int4", "bool", "string"])
def test_blocks_do_not_show(kind, monkeypatch):
    whole = make(f"{kind}[5, 7] x")["x"]
    monkeypatch.setattr("mincli.models.random_feeds.BLOCK", 3)
    assert make(f"{kind}[5, 7] x")["x"].tolist() == whole.tolist()


def test_values_of_a_seed():
    """They are NumPy's own, of a generator with the seed and the bytes of the name, rounded to the type."""
    generator = np.random.default_rng([7, ord("x")])
    assert make("float[1000] x", seed=7)["x"].tolist() == generator.standard_normal(1000).astype("f4").tolist()
    generator = np.random.default_rng([7, ord("x")])
    assert make("int8[1000] x", seed=7)["x"].tolist() == generator.integers(0, 10, 1000).tolist()


def test_a_large_input_takes_little_more_than_its_own_room():
    tracemalloc.start()
    try:
        values = make("float[4000000] x, int8[4000000] y")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.2 * sum(value.nbytes for value in values.values())


def test_scalars_are_arrays():
    feeds = make("float x, int64 y, string z, complex64 c")
    assert shapes(feeds) == {"x": (), "y": (), "z": (), "c": ()}
    assert all(isinstance(value, np.ndarray) for value in feeds.values())


@pytest.mark.parametrize("element", [*BY_NUMBER.values()], ids=str)
def test_every_type(element):
    model = with_inputs("float[50] x")
    model.proto.graph.input[0].type.tensor_type.elem_type = element.number
    try:
        dtype = onnx.helper.tensor_dtype_to_np_dtype(element.number)
    except KeyError:
        pytest.skip("the installed onnx does not know the type")
    (value,) = random_feeds(inputs_of(model), {}).values()
    assert (value.dtype, value.shape) == (dtype, (50,))
    if element.name == "string":
        assert set(value) == set(STRINGS)
    elif "int" in element.name or element.name == "bool":
        few = element.name in ("bool", "int2", "uint2", "int4", "uint4")
        assert set(value.astype(int).tolist()) <= set(range(2 if few else 10))
    else:
        assert len(np.unique(value.astype("c16"))) > 1


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "float[rows, 3] x",
            {},
            "the dimension rows of the input x is not known\n  it is declared float[rows, 3]\n"
            "  hint: give it: --dim rows=1",
        ),
        (
            "float[2, ?] x",
            {},
            "the size of axis 1 of the input x is not known\n  it is declared float[2, ?]\n"
            "  hint: give the shape: --input-shape x:2,1",
        ),
        (
            "float x",
            {"dims": {"N": 1}},
            "no input has a dimension called N\n  the dimensions with a name: none",
        ),
        (
            "float[batch] x",
            {"dims": {"bach": 1}},
            "no input has a dimension called bach\n  the dimensions with a name: batch\n  hint: did you mean batch?",
        ),
        (
            "float[2] x",
            {"shapes": {"xx": (2,)}},
            "--input-shape: xx is no input of the model\n  the model's inputs: x float[2]\n  hint: did you mean x?",
        ),
        (
            "seq(float) s",
            {},
            "--random makes tensors, and the input s is declared sequence of float[]\n  hint: give it a file: s=FILE",
        ),
    ],
)
def test_what_cannot_be_made(text, options, message):
    assert refused(text, **options) == message


def test_the_shape_of_an_input_that_is_given():
    assert refused("float[2] x", {"x": np.zeros(2, "f4")}, shapes={"x": (2,)}) == (
        "--input-shape: the input x is given, and has the shape that it has"
    )


def test_too_many_elements():
    assert refused("float[N, N] x", dims={"N": 65536}) == (
        "the input x would have 4294967296 elements\n  --random makes at most 2147483648 of an input"
    )


def test_an_unknown_rank_is_asked_for():
    model = with_inputs("float[2] x")
    model.proto.graph.input[0].type.tensor_type.ClearField("shape")
    with pytest.raises(UsageError) as caught:
        random_feeds(inputs_of(model), {})
    assert str(caught.value) == (
        "the shape of the input x is not known\n  it is declared float\n  hint: give it: --input-shape x:2,3"
    )
    assert shapes(random_feeds(inputs_of(model), {}, shapes={"x": (4, 5)})) == {"x": (4, 5)}


def test_a_size_below_0_is_unknown():
    assert shapes(make("float[-1, 3] x", shapes={"x": (2, 3)})) == {"x": (2, 3)}
    assert refused("float[-1, 3] x") == (
        "the size of axis 0 of the input x is not known\n"
        "  it is declared float[?, 3]\n"
        "  hint: give the shape: --input-shape x:1,3"
    )


def test_a_dimension_with_a_control_character_is_named_as_it_is():
    inputs = inputs_of(with_inputs("float[n] x"))
    inputs.declared["x"].tensor_type.shape.dim[0].dim_param = "a\x1b"
    assert shapes(random_feeds(inputs, {}, dims={"a\x1b": 2})) == {"x": (2,)}
    with pytest.raises(UsageError) as caught:
        random_feeds(inputs, {})
    assert str(caught.value) == (
        "the dimension a\\x1b of the input x is not known\n"
        "  it is declared float[a\\x1b]\n"
        "  hint: give it: --dim a\\x1b=1"
    )
    with pytest.raises(UsageError) as caught:
        random_feeds(inputs, {}, dims={"c": 2})
    assert str(caught.value) == ("no input has a dimension called c\n  the dimensions with a name: a\\x1b")
