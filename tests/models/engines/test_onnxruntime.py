"""onnxruntime in its own process: values there and back, and each way in which it fails."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from mincli.models.engines import onnxruntime, prepare, worker
from mincli.models.engines.child import NUMBERS
from mincli.models.engines.onnxruntime import OnnxRuntime
from mincli.models.engines.worker import Worker
from mincli.models.load import Model, load_model
from tests.refusals import refusal

FLOAT = helper.make_tensor_type_proto(TensorProto.FLOAT, None)
STRING = helper.make_tensor_type_proto(TensorProto.STRING, None)
INT64 = helper.make_tensor_type_proto(TensorProto.INT64, None)
BFLOAT16 = helper.make_tensor_type_proto(TensorProto.BFLOAT16, None)


def node(operator, inputs, outputs, **attributes):
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


def model_of(nodes, inputs, outputs, *, opset=17, initializers=()):
    """Return a model; `inputs` and `outputs` are types by name, None an output whose type is not said."""
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_value_info(name, kind) for name, kind in inputs.items()],
        [onnx.ValueInfoProto(name=name, type=kind) for name, kind in outputs.items()],
        initializers,
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    return Model("model.onnx", proto, {"": opset})


def run(model, everything=False, **feeds):
    return OnnxRuntime(model).run(feeds, everything=everything)


def bits(value):
    """Return a value's type, shape and bytes, which say all of it."""
    if isinstance(value, list):
        return [bits(element) for element in value]
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value.dtype.name, value.shape, value.tobytes()
    return (value.shape, value.tolist()) if isinstance(value, np.ndarray) else value


NAN = np.array([0x7FC00001, 0x80000000, 0xFF800001], "u4").view("f4")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(NAN, id="float-nan-payloads-and-negative-zero"),
        pytest.param(np.array([0x7C01, 0x8000], "u2").view("f2"), id="float16"),
        pytest.param(np.array(-0.0, "f8"), id="rank-0"),
        pytest.param(np.zeros((0, 3), "i2"), id="zero-size"),
        pytest.param(np.array([0, 2**64 - 1], "u8"), id="uint64"),
        pytest.param(np.array([-(2**63), 2**63 - 1], "i8"), id="int64"),
        pytest.param(np.array([True, False]), id="bool"),
        pytest.param(np.array([["", "é\0b\0"], ["\U0001f600", "a"]], object), id="strings"),
        pytest.param(np.array("alone", object), id="string-of-rank-0"),
        pytest.param(np.zeros(0, object), id="no-strings"),
    ],
)
def test_any_tensor_comes_back_as_it_was(value):
    kind = helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(value.dtype), None)
    result = run(model_of([node("Identity", "x", "y")], {"x": kind}, {"y": kind}), x=value)
    assert bits(result["y"]) == bits(value)


@pytest.mark.parametrize("name", [name for name in NUMBERS if not name.startswith(("float4", "float6"))])
def test_types_that_numpy_lacks(name):
    """Through Cast to float, which says that onnxruntime saw the right values, and back."""
    dtype, number = np.dtype(getattr(ml_dtypes, name)), NUMBERS[name]
    values = {"uint2": [0, 1, 2, 3, 1], "int2": [0, 1, -1, -2, 1], "float8_e8m0fnu": [1, 2, 0.5, 4, 8]}.get(
        name, [0, 1, 2, 3, 4] if name == "uint4" else [0, 1, -1, 2, -2]
    )
    model = model_of(
        [node("Cast", "x", "between", to=TensorProto.FLOAT), node("Cast", "between", "y", to=number)],
        {"x": helper.make_tensor_type_proto(number, [5])},
        {"y": None},
        opset=25,
    )
    result = run(model, everything=True, x=np.array(values, "f4").astype(dtype))
    assert result["between"].tolist() == values
    assert bits(result["y"]) == (name, (5,), np.array(values, "f4").astype(dtype).tobytes())


def test_bfloat16_keeps_its_bits_and_its_shape():
    value = np.array([[[0x7FC1, 0x8000, 0x0001]]], "u2").view(ml_dtypes.bfloat16)
    model = model_of(
        [node("Identity", "x", "y"), node("Shape", "x", "n")], {"x": BFLOAT16}, {"y": BFLOAT16, "n": INT64}
    )
    result = run(model, x=value)
    assert bits(result["y"]) == bits(value)
    assert result["n"].tolist() == [1, 1, 3]


def test_a_scalar_of_numpy_is_a_tensor_of_rank_0():
    assert bits(run(model_of([node("Neg", "x", "y")], {"x": FLOAT}, {"y": FLOAT}), x=np.float32(2))["y"]) == (
        "float32",
        (),
        np.float32(-2).tobytes(),
    )


def test_arrays_of_other_layouts():
    model = model_of([node("Identity", "x", "y")], {"x": FLOAT}, {"y": FLOAT})
    ready = OnnxRuntime(model)
    whole = np.arange(6, dtype="f4").reshape(2, 3)
    for array in (whole.T, whole[:, ::2], whole.astype(">f4")):
        assert ready.run({"x": array})["y"].tolist() == array.tolist()


def test_sequences():
    kind = helper.make_sequence_type_proto(FLOAT)
    model = model_of([node("Identity", "x", "y")], {"x": kind}, {"y": kind})
    value = [np.array([1, 2], "f4"), np.zeros((0, 2), "f4"), np.array(3, "f4")]
    assert bits(run(model, x=value)["y"]) == bits(value)
    assert run(model, x=[])["y"] == []


def test_sequences_of_strings():
    kind = helper.make_sequence_type_proto(STRING)
    value = [np.array(["a", ""], object)]
    assert bits(run(model_of([node("Identity", "x", "y")], {"x": kind}, {"y": kind}), x=value)["y"]) == bits(value)


@pytest.mark.parametrize("value", [None, np.array([1, 2], "f4")], ids=["absent", "there"])
def test_optionals(value):
    kind = helper.make_optional_type_proto(FLOAT)
    boolean = helper.make_tensor_type_proto(TensorProto.BOOL, [])
    nodes = [node("Identity", "x", "y"), node("OptionalHasElement", "x", "there")]
    result = run(model_of(nodes, {"x": kind}, {"y": kind, "there": boolean}, opset=18), x=value)
    assert bits(result["y"]) == bits(value)
    assert result["there"].tolist() is (value is not None)


def test_maps():
    names = helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml", classlabels_strings=["a", "b"])
    model = model_of([names], {"x": FLOAT}, {"y": None})
    model.proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 1))
    assert run(model, x=np.array([[1, 2]], "f4")) == {"y": [{"a": 1.0, "b": 2.0}]}
    kind = onnx.TypeProto()
    kind.map_type.key_type = TensorProto.INT64
    kind.map_type.value_type.CopyFrom(FLOAT)
    dense = helper.make_node("CastMap", ["x"], ["y"], domain="ai.onnx.ml")
    model = model_of([dense], {"x": kind}, {"y": FLOAT})
    model.proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 1))
    assert run(model, x={0: 1.5, 1: -2.0})["y"].tolist() == [[1.5, -2.0]]


def test_an_input_with_a_default_may_be_left_out():
    default = helper.make_tensor("b", TensorProto.FLOAT, [1], [10.0])
    model = model_of([node("Add", "x b", "y")], {"x": FLOAT, "b": FLOAT}, {"y": FLOAT}, initializers=[default])
    one = np.array([1], "f4")
    assert run(model, x=one)["y"].tolist() == [11.0]
    assert run(model, x=one, b=one)["y"].tolist() == [2.0]


def test_an_optional_input_of_a_node_may_be_absent():
    model = model_of([node("Clip", "x", "y")], {"x": FLOAT}, {"y": FLOAT})
    model.proto.graph.node[0].input.extend(["", "b"])
    model.proto.graph.input.append(helper.make_tensor_value_info("b", TensorProto.FLOAT, []))
    assert run(model, x=np.array([1, 5], "f4"), b=np.array(2, "f4"))["y"].tolist() == [1.0, 2.0]


def test_everything_is_every_value_of_the_main_graph_in_the_order_of_its_nodes():
    """Conv and Relu are what onnxruntime would fuse; Constant is what it takes for an initializer."""
    nodes = [
        node("Constant", "", "w", value_floats=[2.0]),
        node("Unsqueeze", "w axes", "kernel"),
        node("Conv", "x kernel", "conv"),
        node("Relu", "conv", "y"),
        node("Dropout", "y", "dropped"),
        node("Neg", "conv", "unused"),
    ]
    axes = helper.make_tensor("axes", TensorProto.INT64, [2], [0, 1])
    model = model_of(nodes, {"x": FLOAT}, {"dropped": FLOAT, "y": FLOAT}, initializers=[axes])
    ready = OnnxRuntime(model)
    x = np.array([[[1, -2]]], "f4")
    values = ready.run({"x": x}, everything=True)
    assert {name: value.tolist() for name, value in values.items()} == {
        "dropped": [[[2.0, 0.0]]],
        "y": [[[2.0, 0.0]]],
        "w": [2.0],
        "kernel": [[[2.0]]],
        "conv": [[[2.0, -4.0]]],
        "unused": [[[-2.0, 4.0]]],
    }
    assert list(values) == ["dropped", "y", "w", "kernel", "conv", "unused"]
    assert list(ready.run({"x": x})) == ["dropped", "y"]
    assert [output.name for output in model.proto.graph.output] == ["dropped", "y"]


def test_a_crash_is_told_by_its_signal_and_the_engine_is_usable_afterwards():
    """A session for Min of an input that is left out is built, and then the process dies."""
    model = model_of([node("Min", "x", "y")], {"x": FLOAT}, {"y": FLOAT})
    model.proto.graph.node[0].input.append("")
    ready = OnnxRuntime(model)
    for _ in range(2):
        assert refusal(ready.run, {"x": np.array([1], "f4")}) == (
            "CrashError",
            "onnxruntime crashed with SIGSEGV while it ran model.onnx",
        )


def test_no_kernel():
    kind = helper.make_tensor_type_proto(TensorProto.INT16, [1])
    model = model_of([node("Min", "x x", "y", name="least\33[31m")], {"x": kind}, {"y": kind}, opset=13)
    assert refusal(prepare, model, "onnxruntime") == (
        "KernelError",
        "model.onnx: onnxruntime has no kernel for Min-13 on int16 (node 0 least\\x1b[31m)\n"
        "  Could not find an implementation for Min(13) node with name 'least\\x1b[31m'",
    )
    kind = helper.make_tensor_type_proto(TensorProto.UINT64, [1])
    model = model_of([node("ReduceMin", "x", "y")], {"x": kind}, {"y": None}, opset=20)
    kind, text = refusal(prepare, model, "onnxruntime")
    assert kind == "KernelError"
    assert text.splitlines()[0] == "model.onnx: onnxruntime has no kernel for ReduceMin-20 on uint64 (node 0)"


def test_no_kernel_for_one_of_several_nodes():
    kind = helper.make_tensor_type_proto(TensorProto.INT16, [1])
    nodes = [node("Abs", "x", "a", name="first"), node("Min", "a a", "b"), node("Min", "b b", "y")]
    text = refusal(prepare, model_of(nodes, {"x": kind}, {"y": kind}), "onnxruntime")[1]
    assert text.splitlines()[0] == "model.onnx: onnxruntime has no kernel for Min-13"
    nodes[2].name = "last"
    text = refusal(prepare, model_of(nodes[:1] + nodes[2:], {"x": kind, "b": kind}, {"y": kind}), "onnxruntime")[1]
    assert text.splitlines()[0] == "model.onnx: onnxruntime has no kernel for Min-13 on int16 (node 1 last)"


def test_a_refused_model():
    model = model_of([node("Nothing", "x", "y")], {"x": FLOAT}, {"y": FLOAT})
    kind, text = refusal(prepare, model, "onnxruntime")
    first, second, hint = text.splitlines()
    assert (kind, first) == ("RefusedModelError", "onnxruntime refuses model.onnx")
    assert hint == "  hint: mincli.check_model tells what breaks the rules"
    assert second.startswith("  This is an invalid model. In Node, (")
    assert second.endswith("Error No Op registered for Nothing with domain_version of 17")


def test_a_refused_file(tmp_path):
    path = str(tmp_path / "m.onnx")
    onnx.save(model_of([node("Sqrt", "x", "y")], {"x": FLOAT}, {"y": INT64}).proto, path)
    kind, text = refusal(prepare, load_model(path), "onnxruntime")
    assert (kind, text) == (
        "RefusedModelError",
        f"onnxruntime refuses {path}\n"
        "  Type Error: Type (tensor(int64)) of output arg (y) of node () "
        "does not match expected type (tensor(float)).\n"
        f"  hint: mincli check-schema {path} tells what breaks the rules",
    )


def test_a_model_that_onnxruntime_alone_refuses():
    """It does not know a domain, of which ONNX says nothing."""
    one = helper.make_tensor_type_proto(TensorProto.FLOAT, [1])
    model = model_of([node("Op", "x", "y", domain="my")], {"x": one}, {"y": one})
    model.proto.opset_import.add(domain="my", version=1)
    assert refusal(prepare, model, "onnxruntime") == (
        "RefusedModelError",
        "onnxruntime refuses model.onnx\n  Fatal error: my:Op(-1) is not a registered function/op",
    )


def test_a_run_that_fails():
    model = model_of([node("Reshape", "x shape", "y")], {"x": FLOAT, "shape": INT64}, {"y": FLOAT})
    ready = OnnxRuntime(model)
    kind, text = refusal(ready.run, {"x": np.zeros(3, "f4"), "shape": np.array([2])})
    first, second = text.splitlines()
    assert (kind, first) == ("EngineError", "onnxruntime failed to run model.onnx")
    assert second.startswith("  Non-zero status code returned while running Reshape node.")
    assert ready.run({"x": np.zeros(4, "f4"), "shape": np.array([2, 2])})["y"].tolist() == [[0.0, 0.0], [0.0, 0.0]]


ENDLESS = model_of(
    [
        helper.make_node(
            "Loop",
            ["", "", "x"],
            ["y"],
            body=helper.make_graph(
                [node("Identity", "on", "again"), node("Identity", "a", "b")],
                "body",
                [
                    helper.make_tensor_value_info("number", TensorProto.INT64, []),
                    helper.make_tensor_value_info("on", TensorProto.BOOL, []),
                    helper.make_value_info("a", FLOAT),
                ],
                [helper.make_tensor_value_info("again", TensorProto.BOOL, []), helper.make_value_info("b", FLOAT)],
            ),
        )
    ],
    {"x": FLOAT},
    {"y": FLOAT},
)


def test_the_time_is_limited():
    ready = OnnxRuntime(ENDLESS, limit=60)
    ready._worker._limit = 0.5  # only of the run: how long loading takes depends on the machine
    assert refusal(ready.run, {"x": np.zeros(1, "f4")}) == (
        "TimeLimitError",
        "onnxruntime was stopped after 0.5 seconds while it ran model.onnx\n"
        "  an engine that does not end would keep mincli waiting for ever; the limit is fixed\n"
        "  hint: does a Loop of the model end? give it smaller inputs, or run it with --engine reference",
    )


def test_a_process_that_is_killed():
    ready = OnnxRuntime(ENDLESS)
    threading.Timer(0.3, os.kill, [ready._worker._process.pid, signal.SIGKILL]).start()
    assert refusal(ready.run, {"x": np.zeros(1, "f4")}) == (
        "CrashError",
        "onnxruntime crashed with SIGKILL while it ran model.onnx\n  hint: was there enough memory?",
    )


def test_what_a_library_says_before_it_gives_up_is_told(monkeypatch, tmp_path):
    child = tmp_path / "child.py"
    child.write_text(
        "import sys, os\nprint('first', file=sys.stderr)\nprint('out of \\33 luck', file=sys.stderr)\nos._exit(7)"
    )
    monkeypatch.setattr(worker, "_CHILD", str(child))
    assert refusal(Worker(60).ask, ("run", {}, [])) == ("CrashError", "ended with exit code 7\n  out of \\x1b luck")


def test_onnxruntime_says_nothing_on_the_terminal(capfd):
    model = model_of([node("Reshape", "x shape", "y")], {"x": FLOAT, "shape": INT64}, {"y": FLOAT})
    refusal(OnnxRuntime(model).run, {"x": np.zeros(3, "f4"), "shape": np.array([2])})
    assert capfd.readouterr() == ("", "")


def test_not_installed(monkeypatch, tmp_path):
    (tmp_path / "onnxruntime.py").write_text("raise ModuleNotFoundError(\"No module named 'onnxruntime'\")")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    model = model_of([node("Neg", "x", "y")], {"x": FLOAT}, {"y": FLOAT})
    assert refusal(prepare, model, "onnxruntime") == (
        "EngineError",
        "onnxruntime is not installed\n  hint: pip install 'mincli[onnxruntime]'",
    )
    (tmp_path / "onnxruntime.py").write_text("raise ImportError('libcuda.so: not found')")
    assert refusal(prepare, model, "onnxruntime") == (
        "EngineError",
        "onnxruntime cannot be imported\n  libcuda.so: not found",
    )


def test_packed_types_beside_what_is_no_tensor():
    nodes = [node("Cast", "x", "y", to=TensorProto.BFLOAT16), node("Identity", "s", "t")]
    model = model_of(nodes, {"x": FLOAT, "s": STRING}, {"y": BFLOAT16, "t": STRING})
    assert refusal(run, model, x=np.zeros(1, "f4"), s=np.array(["a"], object)) == (
        "EngineError",
        "onnxruntime failed to run model.onnx\n"
        "  onnxruntime's Python interface does not give tensor(bfloat16) beside an input that is no tensor of numbers",
    )


def test_the_process_ends_with_its_engine():
    ready = OnnxRuntime(model_of([node("Neg", "x", "y")], {"x": FLOAT}, {"y": FLOAT}))
    process = ready._worker._process
    del ready
    assert process.returncode == -signal.SIGKILL


PARENT = """
import os, sys, threading, time
import numpy as np
from tests.models.engines.test_onnxruntime import ENDLESS, OnnxRuntime
ready = OnnxRuntime(ENDLESS)
print(ready._worker._process.pid, flush=True)
threading.Timer(0.2, os._exit, [0]).start()
ready.run({"x": np.zeros(1, "f4")})
"""


def test_the_process_ends_when_mincli_is_gone():
    """Whatever way it went; and in the midst of a run."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}  # of the tests themselves
    done = subprocess.run(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True, check=True, env=environment
    )
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(int(done.stdout), 0)
        except ProcessLookupError:
            return
        with open(f"/proc/{int(done.stdout)}/stat") as status:
            if status.read().rpartition(")")[2].split()[0] == "Z":
                return
        time.sleep(0.05)
    pytest.fail("it still runs")


@pytest.mark.parametrize("request_part", [0, 1, 200, 4000])
def test_the_process_ends_when_mincli_is_gone_in_the_midst_of_a_request(request_part):
    whole = pickle.dumps(("run", {"x": np.zeros(1000)}, ["y"]), pickle.HIGHEST_PROTOCOL)
    command = [sys.executable, "-P", worker._CHILD]
    done = subprocess.run(command, input=whole[:request_part], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")


def save_with_external_data(folder, size):
    weight = helper.make_tensor("w", TensorProto.FLOAT, [size], np.arange(size, dtype="f4").tobytes(), raw=True)
    model = model_of([node("Add", "x w", "y")], {"x": FLOAT}, {"y": FLOAT}, initializers=[weight])
    path = str(folder / "model.onnx")
    onnx.save_model(model.proto, path, save_as_external_data=True, location="weights", size_threshold=0)
    return path


@pytest.mark.parametrize("everything", [False, True])
def test_a_model_that_is_too_large_goes_by_its_path(tmp_path, monkeypatch, everything):
    path = save_with_external_data(tmp_path, 3)
    model = load_model(path)
    monkeypatch.setattr(onnxruntime, "MAX_BYTES", 10)
    result = OnnxRuntime(model).run({"x": np.ones(3, "f4")}, everything=everything)
    assert result["y"].tolist() == [1.0, 2.0, 3.0]


def test_a_model_in_memory_that_is_too_large(monkeypatch):
    monkeypatch.setattr(onnxruntime, "MAX_BYTES", 10)
    assert refusal(prepare, model_of([node("Neg", "x", "y")], {"x": FLOAT}, {"y": FLOAT}), "onnxruntime") == (
        "EngineError",
        "model.onnx is too large to be handed to onnxruntime\n"
        "  a protocol buffer has at most 10 bytes\n"
        "  hint: save it with external data, and run the file",
    )


@pytest.mark.long
def test_more_than_2_gib(tmp_path):
    size = 2**29 + 16
    weight = helper.make_tensor("w", TensorProto.FLOAT, [0], [])
    weight.dims[:] = [size]
    weight.ClearField("float_data")
    weight.data_location = TensorProto.EXTERNAL
    for key, value in {"location": "weights", "offset": "0", "length": str(4 * size)}.items():
        weight.external_data.add(key=key, value=value)
    with open(tmp_path / "weights", "wb") as file:
        file.truncate(4 * size)
        file.seek(4 * size - 4)
        file.write(np.float32(5).tobytes())
    nodes = [node("ReduceMax", "w", "m", keepdims=0), node("Add", "x m", "y")]
    onnx.save_model(
        model_of(nodes, {"x": FLOAT}, {"y": FLOAT}, initializers=[weight]).proto, str(tmp_path / "model.onnx")
    )
    ready = OnnxRuntime(load_model(str(tmp_path / "model.onnx")))
    assert ready.run({"x": np.ones(1, "f4")})["y"].tolist() == [6.0]


def test_no_process_can_be_started(monkeypatch):
    def fail(*_, **__):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", fail)
    assert refusal(Worker(1).ask, ("run", {}, [])) == (
        "EngineError",
        "a process for onnxruntime cannot be started: Resource temporarily unavailable",
    )
