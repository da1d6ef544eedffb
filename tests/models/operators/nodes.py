"""Single nodes, as models of an opset."""

import numpy as np
from onnx import helper

from mincli.models.evaluate import evaluator
from mincli.models.load import as_model


def model_of(name, opset, inputs, outputs=1, **attributes):
    """Return a model of one node, and its feeds; an input of None is left out."""
    names = ["" if value is None else f"x{number}" for number, value in enumerate(inputs)]
    feeds = {name: np.asarray(value) for name, value in zip(names, inputs, strict=True) if name}
    declared = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in feeds.items()
    ]
    made = [f"y{number}" for number in range(outputs)]
    node = helper.make_node(name, names, made, **attributes)
    graph = helper.make_graph([node], "g", declared, [helper.make_empty_tensor_value_info(output) for output in made])
    return helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", opset)]), feeds


def run_node(name, opset, *inputs, outputs=1, **attributes):
    """Run one node; return its output, or a list of them."""
    model, feeds = model_of(name, opset, inputs, outputs, **attributes)
    results = evaluator(as_model(model, "model")).run(None, feeds)
    return results if outputs > 1 else results[0]


def f4(*values):
    """Return a float32 array."""
    return np.array(values[0] if len(values) == 1 else values, np.float32)


def ints(*values):
    """Return an int64 array."""
    return np.array(values, np.int64)
