"""A case as an ONNX model of one node."""

import numpy as np
from onnx import helper, numpy_helper

from bench.case import Case
from bench.operands import dtype_of

OPSET, IR_VERSION = 20, 9
"""Old enough for every onnxruntime that can be installed; of Min and ReduceMin the newest versions."""


def model_of(case: Case) -> bytes:
    """Return the model, serialized: inputs `0`, `1`, ... and the output `result`."""
    element = helper.np_dtype_to_tensor_dtype(dtype_of(case.element))
    names = [str(number) for number in range(len(case.shapes))]
    inputs = [
        helper.make_tensor_value_info(name, element, shape) for name, shape in zip(names, case.shapes, strict=True)
    ]
    output = helper.make_tensor_value_info("result", element, case.shape)
    if case.axes:
        node = helper.make_node("ReduceMin", ["0", "axes"], ["result"], keepdims=1)
        constants = [numpy_helper.from_array(np.array(case.axes, np.int64), "axes")]
    else:
        node, constants = helper.make_node("Min", names, ["result"]), []
    graph = helper.make_graph([node], "bench", inputs, [output], constants)
    opset = helper.make_opsetid("", OPSET)
    serialized: bytes = helper.make_model(graph, opset_imports=[opset], ir_version=IR_VERSION).SerializeToString()
    return serialized
