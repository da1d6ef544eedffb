"""Which file is which input, and whether it may be."""

import ml_dtypes
import numpy as np
import onnx
import pytest

from mincli.errors import EngineError
from mincli.models.feeds import bind, check_feeds, complete, inputs_of, listing, nearest, read_feeds, split_name
from tests.models.graphs import with_inputs
from tests.refusals import refused

XYZ = "float[2, N] x, int64[N] y, bool z"


def inputs(text=XYZ, **more):
    return inputs_of(with_inputs(text, **more))


def test_an_initializer_is_an_input_if_the_graph_says_so():
    old = inputs("float[2] x, float[1] w", initializers="<float[1] w = {1}, float[1] c = {2}>", ir_version=4)
    assert (list(old.declared), old.defaults, old.constants) == (["x", "w"], {"w": (1,)}, {"c"})
    assert old.required == ["x"]


def test_an_optional_input_need_not_be_given():
    assert inputs("optional(float[2]) x, float y").required == ["y"]


def test_sparse_initializers_are_constants():
    model = with_inputs("float x")
    model.proto.graph.sparse_initializer.add().values.name = "s"
    assert inputs_of(model).constants == {"s"}


@pytest.mark.parametrize(
    ("given", "bound"),
    [
        ([], {}),
        (["a", "b"], {"x": "a", "y": "b"}),
        (["y=b", "a", "c"], {"y": "b", "x": "a", "z": "c"}),
        (["x=a=b"], {"x": "a=b"}),
        (["-"], {"x": "-"}),
        (["file.npz:w"], {"x": "file.npz:w"}),
    ],
)
def test_binding(given, bound):
    assert bind(inputs(), given) == bound


def test_bare_files_go_to_inputs_without_a_default_first():
    some = inputs("float w, float x", initializers="<float w = {1}>")
    assert bind(some, ["a"]) == {"x": "a"}
    assert bind(some, ["a", "b"]) == {"x": "a", "w": "b"}
    assert bind(some, ["w=b"]) == {"w": "b"}


def test_a_path_that_exists_is_always_a_path():
    for name in ("x=1.npy", "q=1.npy"):
        np.save(name, np.zeros(1))
        assert bind(inputs(), [name]) == {"x": name}


def test_a_name_may_hold_an_equals_sign():
    model = with_inputs("float x")
    model.proto.graph.input[0].name = "a=b"
    assert bind(inputs_of(model), ["a=b=c"]) == {"a=b": "c"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["a", "b", "c", "d"],
            "UsageError: 4 files for 3 inputs: d is one too many\n"
            "  the model's inputs: x float[2, N], y int64[N], z bool[]",
        ),
        (["x=a", "x=b"], "UsageError: the input x is given twice\n  hint: give each input once"),
        (["-", "y=-"], "UsageError: only one input can come from standard input"),
        (
            ["X=a"],
            "InputError: X is no input of the model\n  the model's inputs: x float[2, N], y int64[N], z bool[]\n"
            "  hint: did you mean x?",
        ),
        (
            ["zz=a"],
            "InputError: zz is no input of the model\n  the model's inputs: x float[2, N], y int64[N], z bool[]\n"
            "  hint: did you mean z?",
        ),
    ],
)
def test_files_that_are_no_inputs(given, message):
    assert refused(bind, inputs(), given) == message


def test_a_constant_is_no_input():
    some = inputs("float[2] x", initializers="<float[1] w = {1}>")
    assert refused(bind, some, ["w=a"]) == (
        "InputError: w is a constant of the model, no input\n  the model's inputs: x float[2]\n"
        "  hint: to change it, make it an input of the graph as well"
    )


def test_splitting_names():
    assert split_name("a=b=c", ["a=b", "b"]) == ("a=b", "c")
    assert split_name("a=b=c", ["a", "a=b"]) == ("a", "b=c")
    assert split_name("a=b", ["b"]) == (None, "a=b")


def test_long_listings_end_early():
    declared = {f"x{number}": onnx.TypeProto() for number in range(12)}
    shown = ", ".join(f"x{number} any type" for number in range(10))
    assert listing("inputs", declared) == f"the model's inputs: {shown} and 2 more"
    assert listing("outputs", {}) == "the model's outputs: none"


def test_hints_are_safe_to_show():
    assert nearest("inpu\x1b", ["input\x1b"]) == "did you mean input\\x1b?"
    assert nearest("inpu", []) == ""


def test_files_are_read_as_the_type_that_is_declared():
    np.save("x.npy", np.array([1.5], ml_dtypes.bfloat16))
    (value,) = read_feeds(inputs("bfloat16[1] x"), {"x": "x.npy"}).values()
    assert (value.dtype, value.tolist()) == (ml_dtypes.bfloat16, [1.5])


X = np.zeros((2, 3), "f4")
Y = np.zeros(3, "i8")
Z = np.zeros((), "?")


def test_values_that_fit():
    check_feeds(inputs(), {"x": X, "y": Y, "z": Z})


@pytest.mark.parametrize(
    ("feeds", "message"),
    [
        (
            {"x": X, "y": Y},
            "InputError: the input z is missing\n  the model's inputs: x float[2, N], y int64[N], z bool[]\n"
            "  hint: give it a file (z=FILE), or random values to all that are missing (--random)",
        ),
        (
            {"q": X},
            "InputError: q is no input of the model\n  the model's inputs: x float[2, N], y int64[N], z bool[]",
        ),
        (
            {"x": X.astype("f8"), "y": Y, "z": Z},
            "ElementTypeError: the input x (x.npy) is double[2, 3]\n  the model declares float[2, N]",
        ),
        (
            {"x": [X], "y": Y, "z": Z},
            "ElementTypeError: the input x (x.npy) is sequence of 1\n  the model declares float[2, N]",
        ),
        (
            {"x": X[0], "y": Y, "z": Z},
            "ShapeError: the input x (x.npy) has rank 1, not 2\n  the model declares float[2, N]",
        ),
        (
            {"x": X[:1], "y": Y, "z": Z},
            "ShapeError: the input x (x.npy) has 1 elements along axis 0, not 2\n  the model declares float[2, N]",
        ),
        (
            {"x": X, "y": Y[:2], "z": Z},
            "ShapeError: the dimension N is 3 in the input x (x.npy), and 2 in the input y\n"
            "  the model declares int64[N]",
        ),
    ],
)
def test_values_that_do_not_fit(feeds, message):
    assert refused(check_feeds, inputs(), feeds, {"x": "x.npy"}) == message


def test_sequences_and_optionals():
    some = inputs("seq(float[1]) s, optional(float[2]) o")
    check_feeds(some, {"s": [np.zeros(1, "f4")], "o": None})
    check_feeds(some, {"s": [], "o": np.zeros(2, "f4")})
    assert refused(check_feeds, some, {"s": [np.zeros(1, "f4"), np.zeros(2, "f4")]}, {"s": "s.pb"}) == (
        "ShapeError: element 1 of the input s (s.pb) has 2 elements along axis 0, not 1\n  the model declares float[1]"
    )
    assert refused(check_feeds, some, {"s": np.zeros(1, "f4")}) == (
        "ElementTypeError: the input s is float[1]\n  the model declares sequence of float[1]"
    )
    assert refused(check_feeds, some, {"s": [], "o": np.zeros(2, "i4")}) == (
        "ElementTypeError: the input o is int32[2]\n  the model declares float[2]"
    )


def test_defaults_that_are_not_overridden_take_part():
    some = inputs("float[n] x, float[n] w", initializers="<float[3] w = {1, 2, 3}>")
    assert check_feeds(some, {"x": np.zeros(3, "f4")}) == {"n": (3, "the input x")}
    assert check_feeds(some, {"x": np.zeros(4, "f4"), "w": np.zeros(4, "f4")}) == {"n": (4, "the input x")}
    assert refused(check_feeds, some, {"x": np.zeros(4, "f4")}, {"x": "x.npy"}) == (
        "ShapeError: the dimension n is 4 in the input x (x.npy), and 3 in the default of the input w\n"
        "  the model declares float[n]"
    )


def test_a_default_of_another_shape_than_declared():
    some = inputs("float[2] w", initializers="<float[3] w = {1, 2, 3}>")
    assert refused(check_feeds, some, {}) == (
        "ShapeError: the default of the input w has 3 elements along axis 0, not 2\n  the model declares float[2]"
    )
    check_feeds(some, {"w": np.zeros(2, "f4")})


def test_a_sparse_default_has_the_shape_of_what_it_stands_for():
    model = with_inputs("float[2, n] s")
    model.proto.graph.sparse_initializer.add(dims=[2, 3]).values.name = "s"
    assert check_feeds(inputs_of(model), {}) == {"n": (3, "the default of the input s")}


def test_a_complete_set_of_feeds():
    some = inputs("optional(float) o, float w, float x", initializers="<float w = {1}>")
    assert complete(some, {"x": 3}) == {"o": None, "x": 3}
    assert list(complete(some, {"x": 3}, {"w": 2, "c": 4}).items()) == [("o", None), ("w", 2), ("x", 3)]


def test_a_sparse_input_is_refused():
    with pytest.raises(EngineError) as caught:
        inputs_of(with_inputs("sparse_tensor(float[2, 3]) s"))
    assert str(caught.value) == (
        "the input s is declared sparse float\n"
        "  inputs may be tensors, sequences, maps and optionals, not sparse tensors\n"
        "  hint: declare it as a tensor: a model runs the same on a dense one"
    )
