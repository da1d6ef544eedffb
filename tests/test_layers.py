"""The structure of the package, read from its source: who imports whom, and the rules of the house."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import mincli

ROOT = Path(mincli.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

LAYERS = {
    "errors": set(),
    "spec": {"errors"},
    "kernels": {"spec"},
    "tensors": {"errors", "spec"},
    "streaming": {"errors", "spec", "kernels", "tensors"},
    "api": {"errors", "spec", "tensors", "streaming"},
    "graphs": {"errors", "findings", "spec", "tensors"},
    "findings": {"errors"},
    "lint": {"errors", "findings", "graphs", "spec"},
    "models": {"errors", "spec", "tensors", "api", "graphs", "findings", "lint"},
    "backend": {"models"},
    "jobs": {"errors", "spec", "tensors", "streaming"},
    "schemas": {"errors", "spec", "graphs"},
    "verdicts": {"errors", "spec", "tensors", "jobs"},
    "cli": {"errors", "spec", "findings", "lint", "streaming", "jobs", "verdicts", "models", "schemas", "mincli"},
    "__main__": {"cli"},
    "mincli": {"errors", "api", "lint", "models"},
}
"""For each part of the package the others that it imports; `mincli` is the package's own `__init__`."""

OUTSIDE = {
    "click": ["cli/"],
    "rich": ["cli/"],
    "numpy": [
        *("api.py", "jobs.py", "kernels/", "tensors/", "streaming/", "models/", "schemas/"),
        *("cli/arrays.py", "cli/model_values.py"),
    ],
    "onnx": ["graphs/", "lint/", "models/", "schemas/"],
    "google": ["graphs/", "models/"],  # protobuf, for its errors
    "ml_dtypes": ["models/"],
    "onnxruntime": ["models/engines/child.py"],
}
"""Where each library may be imported; none besides these, and the standard library, may be at all."""

MOST_LINES = 250


def name_of(file):
    return file.relative_to(ROOT).as_posix()


def tree_of(file):
    return ast.parse(file.read_text())


def part_of_file(file):
    return name_of(file).partition("/")[0].removesuffix(".py").replace("__init__", "mincli")


def part_of(module):
    """Return the part of the package that a module belongs to."""
    names = module.split(".")
    return names[1] if len(names) > 1 else "mincli"


def imports_of(tree):
    """Yield the full name of every module, or name in the package itself, that a file imports anywhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            inside = node.module == "mincli"
            yield from (_member(alias.name) for alias in node.names) if inside else [node.module]


def _member(name):
    """Return the module of a name that is imported from the package itself: one of its parts, or its `__init__`."""
    return f"mincli.{name}" if (ROOT / name).is_dir() or (ROOT / f"{name}.py").exists() else "mincli"


@pytest.fixture(params=FILES, ids=name_of)
def file(request):
    return request.param


def test_the_table_of_layers_is_complete():
    assert {part_of_file(file) for file in FILES} == LAYERS.keys()


def test_the_layers_have_an_order():
    assert set(TopologicalSorter(LAYERS).static_order()) == LAYERS.keys()  # which raises if there is a cycle


@pytest.mark.parametrize("part", LAYERS)
def test_imports_go_one_way(part):
    files = [file for file in FILES if part_of_file(file) == part]
    modules = [module for file in files for module in imports_of(tree_of(file)) if module.split(".")[0] == "mincli"]
    assert {part_of(module) for module in modules} - {part} == LAYERS[part]


def test_libraries_stay_in_their_place(file):
    found = {module.split(".")[0] for module in imports_of(tree_of(file))} - sys.stdlib_module_names - {"mincli"}
    assert [library for library in found if not name_of(file).startswith(tuple(OUTSIDE.get(library, ())))] == []


def test_only_the_spec_compares_opsets(file):
    if name_of(file).startswith("spec/"):
        return
    compared = [
        ast.unparse(node)
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Compare) and not all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops)
        for operand in (node.left, *node.comparators)
        if (getattr(operand, "id", None) or getattr(operand, "attr", None)) in ("opset", "since_version")
    ]
    assert compared == []


def test_files_are_short(file):
    assert len(file.read_text().splitlines()) <= MOST_LINES


def test_no_file_is_called_utils(file):
    assert file.stem not in ("utils", "util", "helpers", "common", "misc")
