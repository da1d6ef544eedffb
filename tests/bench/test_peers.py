"""The peers: each computes what it should, where it is installed, and is named where it is not."""

import importlib.util
import subprocess
from math import prod

import numpy as np
import pytest

from bench.case import ELEMENTS, FLOATS, KIB, PATTERNS, broadcast, minimum, reduction
from bench.compare import difference
from bench.families.files import ALL
from bench.families.kernels import PEERS as IN_MEMORY
from bench.make import write_array
from bench.model import model_of
from bench.on_files import MODEL, names_of
from bench.operands import values
from bench.peers import PEERS, missing
from bench.peers.peer import CannotDoError

SMALL = [
    minimum("float32", 2, KIB),
    minimum("float32", 8, KIB),
    minimum("bfloat16", 2, KIB),
    minimum("float32", 2, KIB, "CF"),
    minimum("float32", 2, KIB, "SS"),
    broadcast("float32", KIB, "row"),
    reduction(((4, -1), (0,)), "float32", KIB),
    reduction(((-1, 4, 4), (0, 2)), "bfloat16", KIB),
    reduction(((-1, 4), (1,)), "float32", KIB, "F"),
]


@pytest.fixture(params=PEERS)
def peer(request):
    for module in PEERS[request.param].requires:
        pytest.importorskip(module)
    return PEERS[request.param]


def expected(case, operands):
    if case.axes:
        return np.minimum.reduce(operands[0], axis=case.axes, keepdims=True)
    result = operands[0]
    for operand in operands[1:]:
        result = np.minimum(result, operand)
    return result


def operands_of(case):
    return [values(case.element, prod(shape), seed).reshape(shape) for seed, shape in enumerate(case.shapes)]


def load(path, case):
    array = np.load(path)
    return array.view(operands_of(case)[0].dtype) if case.element == "bfloat16" else array.astype(case.element)


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.name)
def test_files(case, peer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = names_of(case)
    for number, name in enumerate(names):
        write_array(tmp_path / name, case, number)
    (tmp_path / MODEL).write_bytes(model_of(case))
    try:
        command = peer.command(case, names, "out.npy")
    except CannotDoError:
        return
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "NOT_IMPLEMENTED" in done.stderr:
        assert case.element == "bfloat16"
    elif peer.computes:
        assert (done.returncode, done.stderr) == (0, "")
        want = expected(case, [load(name, case) for name in names])
        assert difference(load("out.npy", case), want) == ""
    else:
        assert (tmp_path / "out.npy").stat().st_size >= case.written


@pytest.mark.parametrize(
    "case",
    [
        *(minimum(element, count, KIB) for element in ELEMENTS for count in (2, 3)),
        *(minimum(element, 2, KIB)._replace(values=special) for element in FLOATS for special in ("ReLU", "NaN")),
        *(reduction(pattern, "float32", 8192 * KIB) for pattern in PATTERNS),
        *(reduction(((-1, 4, 4), (0, 2)), element, KIB) for element in ("int8", "float16", "int64")),
    ],
    ids=lambda case: case.name,
)
def test_memory(case, peer):
    operands = operands_of(case)
    out = np.zeros(case.shape, operands[0].dtype)
    try:
        peer.call(case, operands, out, 1)()
    except Exception:
        if peer in (PEERS["mincli"], PEERS["numpy"]):  # which can do all of these
            raise
        return
    assert difference(out, expected(case, operands)) == ""


def test_those_that_are_not_installed_are_named(monkeypatch):
    monkeypatch.setattr("bench.peers.find_spec", lambda name: None if name in ("torch", "dask") else name)
    assert missing(["cat", "numpy", "torch", "onnxruntime", "dask"]) == {
        "torch": "not installed",
        "dask": "not installed",
    }


def test_none_is_missing_when_all_are_installed(monkeypatch):
    monkeypatch.setattr("bench.peers.find_spec", importlib.util.find_spec)
    assert missing(["mincli", "cat", "numpy"]) == {}


def test_families_race_against_known_peers():
    assert {*ALL, *IN_MEMORY} | {"mincli"} == set(PEERS)


def test_programs_read_like_a_person_wrote_them():
    assert PEERS["numpy"].script(reduction(((4, -1), (0,)), "bfloat16", KIB)) == (
        "import sys\n"
        "import numpy as np, ml_dtypes\n"
        "path, output = sys.argv[1:]\n"
        "np.save(output, np.load(path).view(ml_dtypes.bfloat16).min(axis=(0,), keepdims=True))\n"
    )
