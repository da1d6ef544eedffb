"""onnx's inference in a child process: what it crashes on, or does not end with, ends neither mincli nor a check."""

import json
import os
import subprocess
import sys

import onnx
import pytest

from mincli.findings import Place
from mincli.findings.shapes import NOT_JUDGED
from tests.cli.runner import spawn
from tests.lint.told import findings_of, function, lines_of, model

DIMS = "g (float[2, 3] x, int64[3, 1] i) => (float[n, m] y) { y = GatherND <batch_dims = -9> (x, i) }"
LESS = "<int64[4] p = {0, 0, 0, -2}>"
UNSEEN = (
    f"g (float[2, 3] x, int64[3, 1] i, float[4] z) => (float[n] y) {LESS} {{ j = Pad (i, p) y = GatherND (x, j) BAD }}"
)
"""What no guard sees: onnx computes a size of -1 for j."""
AXIS = "g (float[2, 3] x, float[3] s) => (float[2, 3] y) { y = LayerNormalization <axis = 2147483648> (x, s) }"
BAD = "g (float[2, 3] x, float[4] z) => (float[n, m] y) { y = Min (x, z) }"
HINT = "look at its attributes, and at what is declared of its inputs"
FOUND = "it is not judged: onnx's inference crashes on it, or does not end"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def checked(*texts, options=(), functions=""):
    """Check models by the command, in a process of its own."""
    paths = [f"{number}.onnx" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        onnx.save(model(text, opset=17, functions=functions), path)
    return spawn("check-schema", *paths, "--ignore", "MC1,MC2", *options)


def printed(program):
    """Return what a program prints in a process of one thread, where a warning is an error."""
    head = (
        f"import onnx\nfrom mincli.lint.inference import guarded\nCRASH = onnx.parser.parse_model({_text(UNSEEN)!r})\n"
    )
    head += f"GOOD = onnx.parser.parse_model({_text('g (float[2] x) => (y) { a = Neg (x) y = Abs (a) }')!r})\n"
    head += """
def ask(proto):
    try:
        return [value.name for value in guarded.infer_shapes(proto, strict=True).graph.value_info]
    except (guarded.CrashedError, guarded.RefusedError) as error:
        return type(error).__name__
"""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", head + program],
        capture_output=True, text=True, timeout=60, env=environment, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def _text(graph):
    return f'<ir_version: 10, opset_import: ["" : 17]> {graph.replace("BAD", "")}'


@pytest.mark.parametrize(
    ("text", "operator", "opset"),
    [
        (DIMS, "GatherND-13", 13),
        (DIMS, "GatherND-12", 12),
        ("g (float[2] x) => (float[1] y, float[1] z) { y, z = Split <num_outputs = 1> (x) }", "Split-18", 18),
    ],
)
def test_guards(text, operator, opset):
    """Those are there in a process of several threads, too."""
    assert findings_of(model(text, opset=opset)) == [NOT_JUDGED.at(Place("", 0, operator), FOUND, hint=HINT)]


def test_a_crash_is_told_and_stops_no_other_file():
    shown = checked(DIMS, UNSEEN.replace("BAD", "w = Min (x, z) v = GatherND (x, j) u = Min (w, z)"), AXIS, BAD)
    assert (shown.code, shown.stderr) == (1, "")
    crash = f"{FOUND}; hint: {HINT}"
    expected = "expected: Min-13 broadcasts: sizes, aligned at the last, are equal or 1"
    assert shown.text.splitlines() == [
        f"0.onnx: warning MC512: node 0 (GatherND-13): {crash}",
        f"1.onnx: warning MC512: node 1 (GatherND-13): {crash}",
        f"1.onnx: error MC501: node 2 (Min-13): x is float[2, 3] and z is float[4]; {expected}",
        f"1.onnx: warning MC512: node 3 (GatherND-13): {crash}",
        "2.onnx: error MC503: node 0 (LayerNormalization-17): axis is 2147483648, and X (x) is float[2, 3]; "
        "expected: LayerNormalization-17: axis is -2 to 1 at rank 2",
        f"3.onnx: error MC501: node 0 (Min-13): x is float[2, 3] and z is float[4]; {expected}",
    ]


def test_a_crash_in_sarif():
    shown = checked(UNSEEN.replace("BAD", ""), BAD, options=("--output-format", "sarif"))
    (run,) = json.loads(shown.stdout)["runs"]
    assert [own["ruleId"] for own in run["results"]] == ["MC512", "MC501"]


def test_a_crash_in_a_graph_and_in_a_function():
    functions = function("f (x, i, p) => (y)", "j = Pad (i, p) y = GatherND (x, j)", opset=17)
    head = f"g (bool c, float[2, 3] x, int64[3, 1] i, float[4] z) => (float[n] y) {LESS}"
    less = "q = Constant <value = int64[4] {0, 0, 0, -2}> ()"
    branch = f"then_branch = t () => (float[n] a) {{ {less} j = Pad (i, q) a = GatherND (x, j) w = Min (x, z) }}"
    branches = f"{branch}, else_branch = e () => (float[m] b) {{ b = Neg (z) }}"
    called = checked(f"{head} {{ y = d.f (x, i, p) w = Min (x, z) }}", functions=functions)
    assert [line.partition(":")[2][:62] for line in called.text.splitlines()] == [
        " error MC501: node 1 (Min-13): x is float[2, 3] and z is float",
        " warning MC512: function d:f > node 1 (GatherND-13): it is not",
    ]
    inside = checked(f"{head} {{ y = If (c) <{branches}> }}")
    assert [line.partition(":")[2][:62] for line in inside.text.splitlines()] == [
        " warning MC512: node 0 (If) then_branch > node 2 (GatherND-13)",
        " error MC501: node 0 (If) then_branch > node 3 (Min-13): x is ",
    ]


def test_towards_another_opset():
    shown = checked(UNSEEN.replace("BAD", ""), options=("--target-opset", "13"))
    assert (shown.code, shown.text.count("MC512")) == (0, 1)


def test_another_child_answers_after_a_crash():
    assert printed("print(ask(CRASH), ask(GOOD), ask(CRASH), ask(GOOD))") == [
        "CrashedError ['a', 'y'] CrashedError ['a', 'y']"
    ]


def test_another_child_answers_after_one_is_killed():
    program = "import os\nask(GOOD)\nos.kill(guarded._CHILD._pid, 9)\nos.waitid(os.P_PID, guarded._CHILD._pid, "
    assert printed(f"{program}os.WEXITED | os.WNOWAIT)\nprint(ask(GOOD))") == ["['a', 'y']"]


def test_what_takes_too_long_is_ended():
    text = _text('g (float[2, 2] x) => (float[n, m] y) { y = Einsum <equation = "ij-"> (x) }')
    program = f"guarded.SECONDS = 1\nprint(ask(onnx.parser.parse_model({text!r})), ask(GOOD))"
    assert printed(program) == ["CrashedError ['a', 'y']"]


def test_what_takes_too_much_memory_is_ended():
    text = _text("g (int64[100000000] x) => (int64[n] y) { y = Add (x, x) }")
    program = "guarded.MOST_MEMORY = 1 << 28\ntry:\n    guarded.infer_shapes(onnx.parser.parse_model("
    program += f"{text!r}), data_prop=True)\nexcept guarded.CrashedError:\n    print(ask(GOOD))"
    assert printed(program) == ["['a', 'y']"]


def test_a_process_that_was_forked_has_a_child_of_its_own():
    program = (
        "import os\nask(GOOD)\nif not os.fork():\n    print(ask(CRASH), ask(GOOD), flush=True)\n    raise SystemExit\n"
    )
    assert printed(f"{program}os.wait()\nprint(ask(GOOD))") == ["CrashedError ['a', 'y']", "['a', 'y']"]


def test_a_process_of_several_threads_asks_itself():
    program = (
        "import threading\nstop = threading.Event()\nthread = threading.Thread(target=stop.wait)\nthread.start()\n"
    )
    program += "print(ask(GOOD), guarded._CHILD._pid)\nstop.set()\nthread.join()"
    assert printed(program) == ["['a', 'y'] 0"]


def test_many_crashes():
    """The first fifty are found one by one; what comes after the next is not judged either."""
    crashes = " ".join(f"y{number} = GatherND (x, j)" for number in range(60))
    shown = checked(
        f"g (float[2, 3] x, int64[3, 1] i) => (float[n] y0) {LESS} {{ j = Pad (i, p) {crashes} z = Neg (x) }}"
    )
    assert [line.count("MC512") for line in shown.text.splitlines()] == [1] * 61


@pytest.mark.parametrize("size", [(1 << 20) + 1, 1 << 40])
def test_long_vectors_have_their_sizes(size):
    text = (
        f"g (float[{size}] x, float[3] z) => (float[2] a, float[n] b) {{ a = Relu (x) b = Mul (x, z) s = Shape (x) }}"
    )
    assert lines_of(model(text)) == [
        "MC508 0 Relu-14 a: a is declared float[2]",
        f"MC501 1 Mul-14 z: A (x) is float[{size}] and B (z) is float[3]",
    ]
