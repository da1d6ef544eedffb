"""ONNX's own test cases: those of the installed onnx, and the node tests that older wheels of onnx carry.

`python -m tests.models.node_tests [WORD]` runs them (those with WORD in their name), prints what fails, and how long
mincli's evaluator takes beside the bare ReferenceEvaluator.
"""

import hashlib
import os
import re
import subprocess
import sys
import time
import warnings
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests
from onnx.backend.test.runner import Runner
from onnx.reference import ReferenceEvaluator

from mincli.models.evaluate import evaluator
from mincli.models.load import as_model
from mincli.models.testdata import as_declared

WHEELS = {
    **dict.fromkeys(["1.2.2", "1.3.0", "1.4.1"], ("36", "cp36m", "manylinux1_x86_64")),
    **dict.fromkeys(["1.5.0", "1.6.0", "1.7.0"], ("36", "cp36m", "manylinux1_x86_64")),
    **dict.fromkeys(["1.8.1", "1.9.0"], ("37", "cp37m", "manylinux2010_x86_64")),
    "1.10.2": ("37", "cp37m", "manylinux_2_12_x86_64"),
    "1.11.0": ("39", "cp39", "manylinux_2_12_x86_64"),
    **dict.fromkeys(["1.12.0", "1.13.1", "1.14.1"], ("39", "cp39", "manylinux_2_17_x86_64")),
    **dict.fromkeys(["1.15.0", "1.16.2", "1.17.0", "1.18.0"], ("39", "cp39", "manylinux_2_17_x86_64")),
    "1.19.0": ("311", "cp311", "manylinux_2_17_x86_64"),
    **dict.fromkeys(["1.20.0", "1.21.0", "1.22.0"], ("311", "cp311", "manylinux_2_28_x86_64")),
}
"""The versions of onnx whose wheels carry node tests, with the Python version, ABI and platform of a wheel."""


class Case(NamedTuple):
    """A model with inputs, and the outputs that it should give.

    Attributes:
        name: of the case, behind where it comes from.
        model: reads the model alone.
        load: reads the model, and the inputs and outputs, in the order of the graph's, of each set.
        rtol, atol: the tolerance that the case allows.
    """

    name: str
    model: Callable[[], onnx.ModelProto]
    load: Callable[[], tuple[onnx.ModelProto, list[tuple[list[Any], list[Any]]]]]
    rtol: float = 1e-3
    atol: float = 1e-7


def installed_cases():
    """Yield the cases of the installed onnx: node, real (light), simple and converted ones."""
    for kind in ("node", "real", "simple", "pytorch-converted", "pytorch-operator"):
        for test in load_model_tests(kind=kind):
            if test.model is not None:
                reads = partial(_itself, test.model), partial(_in_memory, test.model, test.data_sets)
            elif test.url:
                path = Path(onnx.__file__).parent.parent / test.url
                reads = partial(onnx.load, path), partial(_light, path)
            else:
                folder = _Folder(test.model_dir)
                reads = partial(_read_model, folder), partial(_read_case, folder)
            yield Case(f"{kind}/{test.name}", *reads, test.rtol, test.atol)


def released_cases():
    """Yield the distinct node tests that released wheels carry; of equal ones the oldest."""
    seen = set()
    for version in WHEELS:
        archive = zipfile.ZipFile(wheel(version))  # which cases are read from later
        folders = {}
        for name in archive.namelist():
            if match := re.match("onnx/backend/test/data/node/[^/]+/", name):
                folders.setdefault(match[0], []).append(name)
        for folder, names in sorted(folders.items()):
            member = _Member(archive, folder, names)
            digest = member.digest()
            if digest not in seen:
                seen.add(digest)
                reads = partial(_read_model, member), partial(_read_case, member)
                yield Case(f"{version}/{folder.split('/')[-2]}", *reads)


def wheel(version):
    """Return the path of onnx's wheel of a version; it is fetched if it is not in the cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mincli" / "wheels"
    if not list(cache.glob(f"onnx-{version}-*.whl")):
        python, abi, platform = WHEELS[version]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += ["--implementation", "cp", "--python-version", python, "--abi", abi, "--platform", platform]
        subprocess.run([*command, "--dest", cache, f"onnx=={version}"], check=True)
    (path,) = cache.glob(f"onnx-{version}-*.whl")
    return path


class _Folder:
    """A case in a folder."""

    def __init__(self, path):
        self.path = Path(path)
        self.names = [file.relative_to(path).as_posix() for file in sorted(self.path.rglob("*.*")) if file.is_file()]

    def read(self, name):
        return (self.path / name).read_bytes()


class _Member:
    """A case in an archive."""

    def __init__(self, archive, folder, names):
        self.archive, self.folder = archive, folder
        self.names = sorted(name.removeprefix(folder) for name in names)

    def read(self, name):
        return self.archive.read(self.folder + name)

    def digest(self):
        """Return what tells cases apart: the data, and the model without the name of its producer."""
        model = _read_model(self)
        model.ClearField("producer_name")
        model.ClearField("producer_version")
        digest = hashlib.sha256(model.SerializeToString(deterministic=True))
        for name in self.names:
            if name.endswith(".pb"):
                digest.update(name.encode() + self.read(name))
        return digest.digest()


def _read_model(source):
    return onnx.ModelProto.FromString(source.read("model.onnx"))


def _read_case(source):
    model = _read_model(source)
    folders = sorted({name.partition("/")[0] for name in source.names if name.startswith("test_data_set_")})
    sets = []
    for folder in folders:
        roles = []
        for role, declared in (("input", model.graph.input), ("output", model.graph.output)):
            names = [f"{folder}/{role}_{number}.pb" for number in range(len(declared))]
            present = [(name, value) for name, value in zip(names, declared, strict=True) if name in source.names]
            roles.append([_value(source.read(name), value.type) for name, value in present])
        sets.append(tuple(roles))
    return model, sets


def _value(data, kind):
    if kind.HasField("sequence_type"):
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    if kind.HasField("optional_type"):
        optional = onnx.OptionalProto.FromString(data)
        if optional.elem_type == optional.TENSOR and not optional.tensor_value.data_type:
            return None  # how onnx 1.10 wrote an optional without a value
        return numpy_helper.to_optional(optional)
    return as_declared(numpy_helper.to_array(onnx.TensorProto.FromString(data)), kind)


def _itself(model):
    return model


def _in_memory(model, sets):
    return model, [([_array(i) for i in inputs], [_array(o) for o in outputs]) for inputs, outputs in sets]


def _array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def _light(path):
    model = onnx.load(path)
    valued = {tensor.name for tensor in model.graph.initializer}
    inputs = [Runner.generate_dummy_data(value) for value in model.graph.input if value.name not in valued]
    output = onnx.TensorProto.FromString(path.with_name(f"{path.stem}_output_0.pb").read_bytes())
    return model, [(inputs, [numpy_helper.to_array(output)])]


def feeds_of(model, values):
    """Return the inputs of a case by name: all in order, or only those that have no initializer."""
    valued = {tensor.name for tensor in model.graph.initializer}
    names = [value.name for value in model.graph.input]
    if len(values) < len(names):
        names = [name for name in names if name not in valued]
    return dict(zip(names, values, strict=False))


def ours(model):
    """Return what runs a model on mincli's evaluator."""
    ready = evaluator(as_model(model, "model"))
    return lambda feeds: ready.run(None, feeds)


def bare(model):
    """Return what runs a model on onnx's evaluator."""
    ready = ReferenceEvaluator(model)
    return lambda feeds: ready.run(None, feeds)


def failure(case, prepare=ours):
    """Run a case; return what went wrong in a line, or "" if nothing did, and the seconds that it ran."""
    started = time.perf_counter()
    seconds = 0.0
    try:
        model, sets = case.load()
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            started = time.perf_counter()
            run = prepare(model)
            results = [run(feeds_of(model, inputs)) for inputs, _ in sets]
            seconds = time.perf_counter() - started
            for (_, outputs), got in zip(sets, results, strict=True):
                _check(outputs, got, case)
    except Exception as error:  # whatever goes wrong is what this is for
        lines = [line for line in str(error).splitlines() if line.strip()]
        return " ".join([type(error).__name__, *lines[:5]])[:300], seconds
    return "", seconds


def _check(wanted, got, case):
    """Compare as onnx's runner does, which cannot compare scalars in a sequence."""
    assert len(wanted) == len(got)
    for want, value in zip(wanted, got, strict=True):
        if isinstance(want, list):
            assert isinstance(value, list)
            _check(want, value, case)
        elif want is None or value is None:
            assert want is value
        else:
            Runner.assert_similar_outputs([np.asarray(want)], [value], case.rtol, case.atol)


def main(word=""):
    """Run the cases on both evaluators, in turn."""
    for source in (installed_cases, released_cases):
        seconds = {ours: 0.0, bare: 0.0}
        passed = {ours: 0, bare: 0}
        failures = []
        cases = [case for case in source() if word in case.name]
        for number, case in enumerate(cases):
            results = {prepare: failure(case, prepare) for prepare in ((ours, bare) if number % 2 else (bare, ours))}
            for prepare, (reason, _) in results.items():
                passed[prepare] += not reason
            if results[ours][0]:
                failures.append(f"{case.name}: {results[ours][0]}")
            if not results[ours][0] and not results[bare][0]:
                for prepare, (_, spent) in results.items():
                    seconds[prepare] += spent
        print(f"{source.__name__}: {len(cases)}, of which pass {passed[ours]}; bare evaluator {passed[bare]}")
        print(*failures, sep="\n")
        print(f"time where both pass: {seconds[ours]:.2f} s; bare evaluator {seconds[bare]:.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
