"""mincli as an ONNX backend: `onnx.backend.test.BackendTest(mincli.backend, __name__)`, or any tool that takes one.

The functions of `onnx.backend.base.Backend`, over the reference engine.
"""

from mincli.models.backend import Backend, Prepared

__all__ = ["Backend", "Prepared", "is_compatible", "prepare", "run_model", "run_node", "supports_device"]

is_compatible = Backend.is_compatible
prepare = Backend.prepare
run_model = Backend.run_model
run_node = Backend.run_node
supports_device = Backend.supports_device
