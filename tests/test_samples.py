"""The samples: the scripts print what they say, the table names every file, and make.py makes them all again."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator
from safetensors.numpy import load_file

from mincli.cli.group import run
from mincli.errors import ExitCode
from mincli.spec.dtypes import BY_NUMPY
from tests import oracle


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


SAMPLES = Path(__file__).parents[1] / "samples"
FILES = {file for file in files_in(SAMPLES) if not file.startswith(("__pycache__", "."))}
SCRIPTS = sorted(file for file in FILES if file.endswith(".sh"))
MODELS = sorted(file for file in FILES if file.startswith("onnx/") and file.endswith(".onnx"))
SURFACES = {"ground.npy", "ground-int32.npy", "water.npy"}
OUTPUTS = {
    "bfloat16.sh": {"copy.npy", "copy.pb"},
    "formats.sh": {"expected.npy", "result.npy"},
    "lower-envelope.sh": {"envelope.npy"},
    "per-row.sh": {"columns.npy", "rows.npy"},
}
MIN_EXAMPLES = ["min_example", "min_float16", "min_float64", "min_int8"]
REDUCE_MIN_EXAMPLES = [
    "reduce_min_bool_inputs",
    "reduce_min_default_axes_keepdims",
    "reduce_min_do_not_keepdims",
    "reduce_min_empty_set",
    "reduce_min_keepdims",
    "reduce_min_negative_axes_keepdims",
]


def run_script(script, *arguments, folder):
    """Run a script from `folder`, which is its TMPDIR too; it must succeed without a word on stderr."""
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    result = subprocess.run(
        [SAMPLES / script, *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def expected_output(script):
    return "".join(re.findall(r"^#> (.*\n)", (SAMPLES / script).read_text(), re.MULTILINE))


def load(folder, name):
    """Return an array of the samples in its storage type, and its element type."""
    array = np.load(SAMPLES / folder / f"{name}.npy")
    element = BY_NUMPY[array.dtype.str[1:]]
    return array.view(element.storage), element


def make(*arguments):
    subprocess.run([sys.executable, "-W", "error", SAMPLES / "make.py", *arguments], check=True)


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_prints_what_it_says_and_leaves_nothing_behind(script, tmp_path):
    before = {file: (SAMPLES / file).stat().st_mtime_ns for file in FILES}
    assert run_script(script, folder=tmp_path) == expected_output(script) != ""
    assert files_in(tmp_path) == set()
    assert {file: (SAMPLES / file).stat().st_mtime_ns for file in FILES} == before


@pytest.mark.parametrize("script", OUTPUTS)
def test_script_writes_into_the_folder_it_is_given(script, tmp_path):
    (tmp_path / "a folder").mkdir()
    assert run_script(script, "a folder", folder=tmp_path) == expected_output(script)
    assert files_in(tmp_path) == {f"a folder/{file}" for file in OUTPUTS[script]}


def test_only_scripts_that_write_take_a_folder():
    assert [script for script in SCRIPTS if "${1:-" in (SAMPLES / script).read_text()] == sorted(OUTPUTS)


def test_lower_envelope_of_ground_and_water():
    ground, water = (np.load(SAMPLES / file).reshape(-1).tolist() for file in ("ground.npy", "water.npy"))
    wins = sum(below <= above for below, above in zip(ground, water, strict=True))
    assert expected_output("lower-envelope.sh") == (
        f"{wins} elements from ground.npy ({wins / 12000:.1%})\n"
        f"{12000 - wins} elements from water.npy ({1 - wins / 12000:.1%})\n"
    )


@pytest.mark.parametrize("example", MIN_EXAMPLES)
def test_min_example(example, tmp_path):
    inputs = sorted((SAMPLES / "onnx" / example).glob("data_*.npy"))
    arrays = [load(path.parent, path.stem)[0] for path in inputs]
    result, element = load(f"onnx/{example}", "result")
    assert oracle.minimum(arrays, result.shape, element) == oracle.bits_of(result, element)
    output = tmp_path / "result.npy"
    assert run(["min", *map(str, inputs), "-o", str(output)]) is ExitCode.DONE
    assert output.read_bytes() == (SAMPLES / "onnx" / example / "result.npy").read_bytes()


@pytest.mark.parametrize("example", REDUCE_MIN_EXAMPLES)
def test_reduce_min_example(example, tmp_path):
    folder, output = SAMPLES / "onnx" / example, tmp_path / "reduced.npy"
    data, element = load(folder, "data")
    reduced, _ = load(folder, "reduced")
    axes = folder / "axes.npy"
    given = np.load(axes).tolist() if axes.exists() else range(data.ndim)
    expected = oracle.reduce_min(data, [axis % data.ndim for axis in given], element)
    kept = reduced.reshape(3, 1, 2) if example == "reduce_min_do_not_keepdims" else reduced
    assert oracle.bits_of(kept, element) == expected

    options = ["--axes", f"@{axes}"] if axes.exists() else []
    options += ["--no-keepdims"] if example == "reduce_min_do_not_keepdims" else []
    assert run(["reduce-min", str(folder / "data.npy"), *options, "-o", str(output)]) is ExitCode.DONE
    assert output.read_bytes() == (folder / "reduced.npy").read_bytes()


def test_every_example_is_tested():
    assert {path.name for path in (SAMPLES / "onnx").iterdir()} == {*MIN_EXAMPLES, *REDUCE_MIN_EXAMPLES}


@pytest.mark.parametrize("file", MODELS)
def test_model_computes_the_array_beside_it(file):
    model, folder = onnx.load(SAMPLES / file), (SAMPLES / file).parent
    onnx.checker.check_model(model, full_check=True)
    feeds = {info.name: np.load(folder / f"{info.name}.npy") for info in model.graph.input}
    (result,) = ReferenceEvaluator(model).run(None, feeds)
    expected = np.load(folder / f"{model.graph.output[0].name}.npy")
    assert (result.dtype, result.tolist()) == (expected.dtype, expected.tolist())


def test_models_are_of_the_opsets_in_their_names():
    models = [onnx.load(SAMPLES / file) for file in MODELS]
    found = {(model.graph.node[0].op_type, model.opset_import[0].version) for model in models}
    assert found == {("Min", 8), ("Min", 13), ("ReduceMin", 13), ("ReduceMin", 18), ("ReduceMin", 20)}


def test_the_model_with_test_data():
    folder = SAMPLES / "margin"
    model = onnx.load(folder / "margin.onnx")
    onnx.checker.check_model(model, full_check=True)
    tensors = {
        path.stem: onnx.numpy_helper.to_array(onnx.load_tensor(path)) for path in folder.glob("test_data_set_0/*.pb")
    }
    lower, margin = ReferenceEvaluator(model).run(None, {"x": tensors["input_0"], "y": tensors["input_1"]})
    assert lower.tolist() == tensors["output_0"].tolist() == [[2, 0, 0], [0, 1, 8]]
    assert margin.tolist() == tensors["output_1"].tolist() == [1, 1]
    assert run(["run-model", str(folder / "margin.onnx"), "--test-data", str(folder)]) is ExitCode.DONE


def test_other_libraries_read_the_same_values():
    a, b = [[3, 1, 4], [1, 5, 9]], [[2, 7, 1], [8, 2, 8]]
    assert {name: array.tolist() for name, array in load_file(SAMPLES / "ab.safetensors").items()} == {"a": a, "b": b}
    with np.load(SAMPLES / "ab.npz") as archive:
        assert {name: archive[name].tolist() for name in archive} == {"a": a, "b": b}
    assert onnx.numpy_helper.to_array(onnx.load_tensor(SAMPLES / "a.pb")).tolist() == a
    big_endian, fortran = np.load(SAMPLES / "a-big-endian.npy"), np.load(SAMPLES / "a-fortran.npy")
    assert (big_endian.dtype.str, big_endian.tolist()) == (">f4", a)
    assert (fortran.flags.fnc, fortran.tolist()) == (True, a)


def test_table_names_every_file_and_says_what_arrays_are():
    text = (SAMPLES / "README.md").read_text()
    rows = re.findall(r"^\| `(\S+)` \| (.+?) \|", text, re.MULTILINE)
    assert sorted(file for file, _ in rows) == sorted(FILES - {"README.md", "make.py"})
    assert "`make.py`" in text
    for file, cell in rows:
        if file.endswith(".npy"):
            array = np.load(SAMPLES / file)
            shape = " x ".join(map(str, array.shape))
            assert (file, cell) == (file, f"{BY_NUMPY[array.dtype.str[1:]]} {shape}")


def test_make_makes_everything_but_the_surfaces(tmp_path):
    make(tmp_path)
    made = files_in(tmp_path)
    assert made == FILES - SURFACES - {"README.md", "make.py", *SCRIPTS}
    assert [file for file in sorted(made) if (tmp_path / file).read_bytes() != (SAMPLES / file).read_bytes()] == []


def test_the_bytes_of_the_archive_do_not_depend_on_a_compressor():
    with zipfile.ZipFile(SAMPLES / "ab.npz") as archive:
        assert {member.compress_type for member in archive.infolist()} == {zipfile.ZIP_STORED}


def test_make_crops_the_surfaces_from_the_elevation_grid(tmp_path):
    elevation = np.zeros((344, 403), np.int16)
    elevation[100:200, 180:300] = np.load(SAMPLES / "ground.npy")
    np.savez(tmp_path / "grid.npz", elevation=elevation)
    make(tmp_path, "--elevation", tmp_path / "grid.npz")
    assert [file for file in sorted(SURFACES) if (tmp_path / file).read_bytes() != (SAMPLES / file).read_bytes()] == []


def test_files_are_small():
    sizes = [(SAMPLES / file).stat().st_size for file in FILES]
    assert max(sizes) < 200_000
    assert sum(sizes) < 1_000_000
