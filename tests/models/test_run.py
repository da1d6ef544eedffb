"""The job: what is checked, run, compared, inspected and written."""

import os
import resource
import signal

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from mincli.errors import EngineError, InputError
from mincli.models.compare import Tolerance
from mincli.models.finite import NonFinite
from mincli.models.request import Request
from mincli.models.run import run_model
from tests import refusals
from tests.models.graphs import MARGIN, proto

NAN = float("nan")
X = np.array([[3, 1, 4], [1, 5, 9]], "f4")
Y = np.array([[2, 0, 0], [0, 1, 8]], "f4")


class Fake:
    """An engine that computes `MARGIN` by plain NumPy, and tells nothing while it runs."""

    def __init__(self, model, **wrong):
        self.wrong = wrong

    @np.errstate(invalid="ignore")  # the square root of a negative gap is NaN
    def run(self, feeds, *, everything=False, observer=None):
        assert observer is None
        gap = feeds["x"] - feeds["y"]
        root = np.sqrt(gap)
        inner = {"gap": gap, "root": root} | self.wrong
        outputs = {"lower": np.minimum(feeds["x"], feeds["y"]), "margin": np.min(inner["root"], axis=-1)}
        outputs |= {name: value for name, value in self.wrong.items() if name in outputs}
        return outputs | inner if everything else outputs


@pytest.fixture(autouse=True)
def _files(folder):
    onnx.save(proto(MARGIN), "m.onnx")
    np.save("x.npy", X)
    np.save("y.npy", Y)


@pytest.fixture
def fake(monkeypatch):
    """Put the fake engine in the place of onnxruntime, with values that are wrong on purpose."""
    from mincli.models import engines

    prepare = engines.prepare

    def install(**wrong):
        monkeypatch.setattr(
            engines,
            "prepare",
            lambda model, engine: Fake(model, **wrong) if engine == "onnxruntime" else prepare(model, engine),
        )

    return install


def run(*inputs, **options):
    return run_model(Request("m.onnx", inputs or ("x.npy", "y.npy"), **options))


def refused(*inputs, **options):
    return refusals.refused(run, *inputs, **options)


def plain(values):
    return {name: value.tolist() for name, value in values.items()}


def write_set(folder, margin):
    os.makedirs(folder)
    for name, array in {"input_0": X, "input_1": Y, "output_1": margin, "output_0": np.minimum(X, Y)}.items():
        onnx.save_tensor(numpy_helper.from_array(np.array(array, "f4")), f"{folder}/{name}.pb")


def test_outputs():
    report = run()
    (only,) = report.runs
    assert plain(only.outputs) == {"lower": [[2, 0, 0], [0, 1, 8]], "margin": [1, 1]}
    assert (only.compared, report.found, report.files, report.intermediates, report.case) == ([], False, {}, {}, [])
    assert only.seconds > 0


def test_outputs_in_files():
    report = run("y=y.npy", "x.npy", output="out")
    assert report.files == {"lower": "out/lower.npy", "margin": "out/margin.npy"}
    assert np.load("out/margin.npy").tolist() == [1, 1]


def test_intermediates_in_files():
    report = run(intermediates="all")
    assert report.intermediates == {
        "lower": "all/lower.npy",
        "margin": "all/margin.npy",
        "gap": "all/gap.npy",
        "root": "all/root.npy",
    }
    assert np.load("all/gap.npy").tolist() == [[1, 1, 4], [1, 4, 1]]


def test_a_case_can_be_replayed():
    report = run(case="case")
    assert report.case == [
        "case/test_data_set_0/input_0.pb",
        "case/test_data_set_0/input_1.pb",
        "case/test_data_set_0/output_0.pb",
        "case/test_data_set_0/output_1.pb",
        "case/model.onnx",
    ]
    assert onnx.load("case/model.onnx") == proto(MARGIN)
    tensor = onnx.load_tensor("case/test_data_set_0/output_1.pb")
    assert (tensor.name, numpy_helper.to_array(tensor).tolist()) == ("margin", [1, 1])
    again = run_model(Request("case/model.onnx", test_data="case"))
    assert ([one.data.name for one in again.runs], again.found) == (["test_data_set_0"], False)


@pytest.mark.parametrize("there", [False, True])
def test_a_case_that_fails_leaves_nothing(there):
    """A limit on the size of files lets the small ones be written, and not the model."""
    if there:
        os.mkdir("case")
    model = proto(MARGIN)
    model.doc_string = "a" * 100_000
    onnx.save(model, "m.onnx")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, before[1]))
    try:
        message = refused(case="case")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert message == "OutputError: case/model.onnx cannot be written: File too large"
    assert sorted(os.listdir()) == ["case"] * there + ["m.onnx", "x.npy", "y.npy"]
    assert len(run(case="case").case) == 5


def test_a_case_holds_the_defaults_too():
    onnx.save(
        onnx.parser.parse_model(
            '<ir_version: 8, opset_import: ["" : 13]> g (float[1] w, optional(float[1]) o, float[1] x) => (float[1] y)'
            " <float[1] w = {5}> { y = Add (w, x) }"
        ),
        "d.onnx",
    )
    np.save("one.npy", np.ones(1, "f4"))
    report = run_model(Request("d.onnx", ["one.npy"], case="case"))
    assert plain(report.runs[0].outputs) == {"y": [6]}
    assert numpy_helper.to_array(onnx.load_tensor("case/test_data_set_0/input_0.pb")).tolist() == [5]
    assert not run_model(Request("case/model.onnx", test_data="case")).found


def test_a_case_with_an_optional():
    onnx.save(
        onnx.parser.parse_model(
            '<ir_version: 8, opset_import: ["" : 18]> g (optional(float[2]) x) => (optional(float[2]) y)'
            " { y = Identity (x) }"
        ),
        "o.onnx",
    )
    with open("o.pb", "wb") as file:
        file.write(numpy_helper.from_optional(np.array([1, 2], "f4"), "x").SerializeToString())
    run_model(Request("o.onnx", ["o.pb"], case="case"))
    for name in ("input_0", "output_0"):
        optional = onnx.OptionalProto()
        with open(f"case/test_data_set_0/{name}.pb", "rb") as file:
            optional.ParseFromString(file.read())
        assert numpy_helper.to_optional(optional).tolist() == [1, 2]
    assert not run_model(Request("case/model.onnx", test_data="case")).found


def test_test_data():
    write_set("data/test_data_set_0", [1, 1])
    write_set("data/test_data_set_1", [1, 2])
    report = run_model(Request("m.onnx", test_data="data"))
    assert [(one.data.name, one.found) for one in report.runs] == [
        ("test_data_set_0", False),
        ("test_data_set_1", True),
    ]
    assert report.found
    ((lower, margin),) = (compared.comparisons for compared in report.runs[1].compared)
    assert (lower.same, margin.same, margin.mismatches) == (True, False, 1)
    assert not run_model(Request("m.onnx", test_data="data", tolerance=Tolerance(atol=1))).found


def test_all_sets_are_checked_before_any_runs(monkeypatch):
    write_set("data/test_data_set_0", [1, 1])
    write_set("data/test_data_set_1", [1, 1])
    onnx.save_tensor(numpy_helper.from_array(X[0]), "data/test_data_set_1/input_1.pb")
    monkeypatch.setattr("mincli.models.engines.prepare", lambda *_: 1 / 0)
    with pytest.raises(InputError) as caught:
        run_model(Request("m.onnx", test_data="data"))
    assert str(caught.value) == (
        "the input y (data/test_data_set_1/input_1.pb) has rank 1, not 2\n  the model declares float[rows, cols]"
    )


def test_expected_outputs():
    np.save("margin.npy", np.array([1, 1.001], "f4"))
    assert not run(expect=["margin=margin.npy"]).found
    report = run(expect=["margin=margin.npy"], tolerance=Tolerance(max_ulp=1))
    (compared,) = report.runs[0].compared
    assert (compared.against, compared.first.name, compared.first.node) == (
        "expected",
        "margin",
        "node 3 (ReduceMin least)",
    )
    assert report.found


def test_another_engine(fake):
    fake()
    report = run(other="onnxruntime")
    (compared,) = report.runs[0].compared
    assert (compared.against, [one.name for one in compared.comparisons]) == ("onnxruntime", ["lower", "margin"])
    assert (compared.same, compared.first, report.found) == (True, None, False)


def test_the_first_tensor_that_differs(fake):
    fake(root=np.zeros((2, 3), "f4"))
    report = run(other="onnxruntime", intermediates="all")
    (compared,) = report.runs[0].compared
    assert [(one.name, one.same) for one in compared.comparisons] == [
        ("lower", True),
        ("margin", False),
        ("gap", True),
        ("root", False),
    ]
    assert compared.first == ("root", "node 2 (Sqrt root)")


def test_expected_and_another_engine_at_once(fake):
    fake(margin=np.zeros(2, "f4"))
    np.save("margin.npy", np.array([1, 1], "f4"))
    compared = run(other="onnxruntime", expect=["margin=margin.npy"]).runs[0].compared
    assert [(one.against, one.same) for one in compared] == [("expected", True), ("onnxruntime", False)]


@pytest.mark.parametrize("engine", ["reference", "onnxruntime"])
def test_inspection_with_any_engine(fake, engine):
    fake()
    np.save("y.npy", X[::-1])
    report = run(engine=engine, stats=True, fail_on_nan=True)
    inspector = report.runs[0].inspector
    assert [(row.name, row.maker, row.nan) for row in inspector.statistics] == [
        ("x", "input", 0),
        ("y", "input", 0),
        ("lower", "node 0 (Min low)", 0),
        ("gap", "node 1 (Sub)", 0),
        ("root", "node 2 (Sqrt root)", 3),
        ("margin", "node 3 (ReduceMin least)", 2),
    ]
    assert inspector.non_finite == NonFinite("node 2 (Sqrt root)", "root", 3, 0, (0, 1))
    assert report.found


def test_initializers_have_statistics():
    text = MARGIN.replace("float[rows] margin)", "float[rows] margin) <float[1] c = {7}>")
    onnx.save(proto(text), "m.onnx")
    rows = run(stats=True).runs[0].inspector.statistics
    assert [(row.name, row.maker, row.maximum) for row in rows][2] == ("c", "initializer", 7.0)


def test_nan_that_is_given_is_not_found():
    np.save("x.npy", np.full((2, 3), NAN, "f4"))
    assert not run(fail_on_nan=True).found


CAPTURE = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x, float[2, 3] y) => (float[2, 3] z) {
  gap = Sub (x, y)
  root = Sqrt (gap)
  yes = Constant <value = bool {1}> ()
  [branch] z = If (yes) <then_branch = t () => (float[2, 3] a) { a = Neg (root) },
                         else_branch = e () => (float[2, 3] b) { b = Exp (root) }>
}
"""


@pytest.mark.parametrize("engine", ["reference", "onnxruntime"])
def test_what_a_branch_takes_from_around_it_is_not_made_by_it(engine):
    onnx.save(proto(CAPTURE), "m.onnx")
    np.save("x.npy", np.where(X == 1, NAN, X))  # of the main graph, none is made
    np.save("y.npy", np.zeros_like(X))
    (only,) = run(fail_on_nan=True, engine=engine).runs
    assert only.inspector.non_finite is None


def test_profile():
    timings = run(profile=True).runs[0].inspector.timings
    assert [(operator, label) for operator, label, _ in timings] == [
        ("Min", "node 0 (Min low)"),
        ("Sub", "node 1 (Sub)"),
        ("Sqrt", "node 2 (Sqrt root)"),
        ("ReduceMin", "node 3 (ReduceMin least)"),
    ]
    assert all(seconds > 0 for _, _, seconds in timings)


def test_progress_over_all_sets():
    seen = []
    for number in range(2):
        write_set(f"data/test_data_set_{number}", [1, 1])
    run_model(Request("m.onnx", test_data="data", progress=lambda done, total: seen.append((done, total))))
    assert seen == [(done, 8) for done in range(1, 9)]


def test_random_inputs():
    report = run("x.npy", random=True, seed=3)
    (only,) = report.runs
    assert only.data.inputs["y"].shape == (2, 3)
    again = run("x.npy", random=True, seed=3).runs[0]
    assert again.data.inputs["y"].tobytes() == only.data.inputs["y"].tobytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"test_data": "data", "inputs": ["x.npy"]},
            "--test-data and INPUT exclude each other: test data hold inputs and outputs",
        ),
        (
            {"test_data": "data", "expect": ["margin=x.npy"]},
            "--test-data and --expect exclude each other: test data hold inputs and outputs",
        ),
        (
            {"test_data": "data", "random": True},
            "--test-data and --random exclude each other: test data hold inputs and outputs",
        ),
        ({"dims": {"rows": 1}}, "--dim is of inputs that are made\n  hint: add --random"),
        ({"shapes": {"x": (1,)}}, "--input-shape is of inputs that are made\n  hint: add --random"),
        (
            {"other": "reference"},
            "--compare reference compares the engine with itself\n  hint: choose the other engine",
        ),
        (
            {"engine": "onnxruntime", "profile": True},
            "--profile times the nodes of the reference engine, not of onnxruntime",
        ),
        (
            {"output": "a", "intermediates": "./a/"},
            "-o, --save-intermediates and --save-case need a folder each",
        ),
        (
            {"test_data": "data", "output": "out"},
            "data holds 2 sets, and files are written of one run\n"
            "  hint: name one of them: --test-data data/test_data_set_0",
        ),
    ],
)
def test_what_does_not_go_together(options, message):
    for number in range(2):
        write_set(f"data/test_data_set_{number}", [1, 1])
    before = sorted(os.listdir())
    assert refusals.refused(run_model, Request("m.onnx", **options)) == f"UsageError: {message}"
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize("options", [{"output": "x.npy"}, {"intermediates": "x.npy"}, {"case": "x.npy"}])
def test_outputs_are_checked_before_anything_runs(options, monkeypatch):
    monkeypatch.setattr("mincli.models.engines.prepare", lambda *_: 1 / 0)
    assert refused(**options) == (
        "OutputError: x.npy is no folder\n  hint: name a folder, or an archive that ends in .npz"
    )


@pytest.mark.parametrize(
    ("options", "file"),
    [
        ({"output": "out"}, "out/margin.npy"),
        ({"intermediates": "all"}, "all/gap.npy"),
        ({"output": "out", "intermediates": "all", "case": "case"}, "all/root.npy"),
    ],
)
def test_files_that_cannot_be_replaced_are_known_before_anything_runs(options, file, monkeypatch):
    monkeypatch.setattr("mincli.models.engines.prepare", lambda *_: 1 / 0)
    os.makedirs(file)
    assert refused(**options) == f"OutputError: {file} is a folder\n  hint: name the file to write"


UNTYPED = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x, float[2, 3] y) => (float[2, 3] z) {
  s = SequenceConstruct (x, y)
  zero = Constant <value_int: int = 0> ()
  z = SequenceAt (s, zero)
}
"""


def test_nothing_is_written_if_something_cannot_be():
    """The type of s is not declared: only when it is there is it seen to be a sequence, which goes to s.pb."""
    onnx.save(proto(UNTYPED), "m.onnx")
    os.makedirs("all/s.pb")
    assert refused(output="out", intermediates="all", case="case") == (
        "OutputError: all/s.pb is a folder\n  hint: name the file to write"
    )
    assert (sorted(os.listdir()), os.listdir("all")) == (["all", "m.onnx", "x.npy", "y.npy"], ["s.pb"])


@pytest.mark.parametrize(
    ("inputs", "outputs", "files"),
    [
        ("", "float[2] y", ["output_0.pb"]),
        ("float[2, 3] x", "", ["input_0.pb"]),
        ("", "", []),
    ],
)
def test_a_case_without_inputs_or_outputs_can_be_replayed(inputs, outputs, files):
    text = f'<ir_version: 8, opset_import: ["" : 17]> g ({inputs}) => ({outputs})'
    onnx.save(proto(f"{text} {{ y = Constant <value_floats = [1.0, 2.0]> () }}"), "m.onnx")
    run_model(Request("m.onnx", ["x.npy"] if inputs else [], case="case"))
    assert os.listdir("case/test_data_set_0") == files
    for folder in ("case", "case/test_data_set_0"):
        (only,) = run_model(Request("case/model.onnx", test_data=folder)).runs
        assert (only.data.name, list(only.data.outputs), only.found) == (
            "test_data_set_0",
            ["y"] if outputs else [],
            False,
        )


def test_an_engine_that_fails_writes_nothing(monkeypatch):
    class Failing:
        def run(self, feeds, **_):
            raise EngineError("node 1 (Sub) failed")

    monkeypatch.setattr("mincli.models.engines.prepare", lambda *_: Failing())
    before = sorted(os.listdir())
    assert refused(output="out", intermediates="all", case="case") == "EngineError: node 1 (Sub) failed"
    assert sorted(os.listdir()) == before


def test_nothing_is_said_of_division_by_zero():
    onnx.save(proto(MARGIN.replace("Sub", "Div").replace("Sqrt", "Log")), "m.onnx")
    np.save("y.npy", np.zeros((2, 3), "f4"))
    assert run(fail_on_nan=True).runs[0].inspector.non_finite == NonFinite("node 1 (Div)", "gap", 0, 6, (0, 0))


def test_another_engine_that_does_not_take_the_model_is_a_result(monkeypatch):
    from mincli.models import engines

    prepare, refusal = engines.prepare, EngineError("no kernel")

    def preparing(model, engine):
        if engine == "onnxruntime":
            raise refusal
        return prepare(model, engine)

    monkeypatch.setattr(engines, "prepare", preparing)
    report = run(other="onnxruntime", output="out")
    assert (report.failure, report.runs[0].compared) == (refusal, [])
    assert np.load("out/lower.npy").tolist() == [[2, 0, 0], [0, 1, 8]]


@pytest.mark.parametrize("option", ["output", "intermediates", "case"])
def test_an_empty_path_is_refused(option):
    assert refused(**{option: ""}) == "OutputError: the output's path is empty\n  hint: name a folder"
