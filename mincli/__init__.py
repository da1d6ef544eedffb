"""The minimum operators of ONNX and oneDNN Graph, exactly as their standards define them.

The public names are loaded on first use, so that `import mincli` costs nothing:

- `minimum(*arrays, opset=None)`: ONNX Min, element by element
- `reduce_min(array, axes=None, ...)`: ONNX ReduceMin, along axes
- `run_model(model, inputs, *, engine="reference")`: an ONNX model, on values in memory
- `check_model(model)`: every fault of an ONNX model
- `errors`: every exception that mincli raises
"""

TYPE_CHECKING = False  # importing `typing` would take longer than all else here
if TYPE_CHECKING:
    from mincli import errors as errors
    from mincli.api import minimum as minimum
    from mincli.api import reduce_min as reduce_min
    from mincli.lint.files import check_model as check_model
    from mincli.models.call import run_model as run_model

__version__ = "0.1.0"
__all__ = ["__version__", "check_model", "errors", "minimum", "reduce_min", "run_model"]

_MODULES = {
    "check_model": "mincli.lint.files",
    "minimum": "mincli.api",
    "reduce_min": "mincli.api",
    "run_model": "mincli.models.call",
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first asked for (PEP 562)."""
    from importlib import import_module

    if name == "errors":
        return import_module("mincli.errors")
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'mincli' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
