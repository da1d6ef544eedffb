"""Make the samples: small arrays and models to try mincli on. Every run gives the same bytes.

    python make.py [FOLDER] [--elevation jacksboro_fault_dem.npz]

Without FOLDER they are made beside this script. The elevation grid comes with matplotlib, in
`matplotlib/mpl-data/sample_data`; without it the surfaces are left as they are.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper

Array = NDArray[Any]

A = np.array([[3, 1, 4], [1, 5, 9]], np.float32)  # the digits of pi
B = np.array([[2, 7, 1], [8, 2, 8]], np.float32)  # the digits of e

ARRAYS: Mapping[str, Array] = {
    "a": A,
    "b": B,
    "a-big-endian": A.astype(">f4"),
    "a-fortran": np.asfortranarray(A),
    "row": np.array([5, 1, 3, 8], np.float32),
    "column": np.array([[2], [4], [6]], np.float32),
    "nan": np.array([[np.nan, 0, np.inf], [-np.inf, 7, np.nan]], np.float32),
    "zeros": np.array([[0.0, -0.0], [-0.0, 0.0]], np.float32),
    "bfloat16": np.array([3.140625, 2.71875, -0.5, 3e38], ml_dtypes.bfloat16),
    "big-integers": np.array([2**53 + 2, 2**53 + 1, 2**53 + 3], np.int64),
    "axes": np.array([-1], np.int64),
    "empty": np.empty((0, 3), np.int64),
}

_DATA = np.array([[[5, 1], [20, 2]], [[30, 1], [40, 2]], [[55, 1], [60, 2]]], np.float32)
_AXIS_1 = np.array([1], np.int64)

# Inputs and output of the examples in the pages of Min and ReduceMin, under the names that they have there.
EXAMPLES: Mapping[str, Mapping[str, Array]] = {
    "min_example": {
        "data_0": np.array([3, 2, 1], np.float32),
        "data_1": np.array([1, 4, 4], np.float32),
        "data_2": np.array([2, 5, 0], np.float32),
        "result": np.array([1, 2, 0], np.float32),
    },
    **{
        f"min_{name}": {
            "data_0": np.array([3, 2, 1], name),
            "data_1": np.array([1, 4, 4], name),
            "result": np.array([1, 2, 1], name),
        }
        for name in ("int8", "float16", "float64")
    },
    "reduce_min_default_axes_keepdims": {
        "data": _DATA,
        "reduced": np.array([[[1]]], np.float32),
    },
    "reduce_min_do_not_keepdims": {
        "data": _DATA,
        "axes": _AXIS_1,
        "reduced": np.array([[5, 1], [30, 1], [55, 1]], np.float32),
    },
    "reduce_min_keepdims": {
        "data": _DATA,
        "axes": _AXIS_1,
        "reduced": np.array([[[5, 1]], [[30, 1]], [[55, 1]]], np.float32),
    },
    "reduce_min_negative_axes_keepdims": {
        "data": _DATA,
        "axes": np.array([-2], np.int64),
        "reduced": np.array([[[5, 1]], [[30, 1]], [[55, 1]]], np.float32),
    },
    "reduce_min_empty_set": {
        "data": np.empty((2, 0, 4), np.float32),
        "axes": _AXIS_1,
        "reduced": np.full((2, 1, 4), np.inf, np.float32),
    },
    "reduce_min_bool_inputs": {
        "data": np.array([[True, True], [True, False], [False, True], [False, False]]),
        "axes": _AXIS_1,
        "reduced": np.array([[True], [False], [False], [False]]),
    },
}


def model(operator: str, opset: int, example: Mapping[str, Array], **attributes: Any) -> ModelProto:
    """Return a model of one node that computes the last array of an example from the others."""
    *inputs, output = (
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in example.items()
    )
    node = helper.make_node(operator, [info.name for info in inputs], [output.name], **attributes)
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(
        helper.make_graph([node], f"{operator}-{opset}", inputs, [output]),
        opset_imports=opsets,
        ir_version=helper.find_min_ir_version_for(opsets),
    )


def models() -> dict[str, ModelProto]:
    """Return the models by file name."""
    attribute_axes = {name: array for name, array in EXAMPLES["reduce_min_do_not_keepdims"].items() if name != "axes"}
    return {
        "min_example/min-8.onnx": model("Min", 8, EXAMPLES["min_example"]),
        "min_int8/min-13.onnx": model("Min", 13, EXAMPLES["min_int8"]),
        "reduce_min_do_not_keepdims/reduce-min-13.onnx": model("ReduceMin", 13, attribute_axes, axes=[1], keepdims=0),
        "reduce_min_keepdims/reduce-min-18.onnx": model("ReduceMin", 18, EXAMPLES["reduce_min_keepdims"]),
        "reduce_min_bool_inputs/reduce-min-20.onnx": model("ReduceMin", 20, EXAMPLES["reduce_min_bool_inputs"]),
    }


def margin() -> ModelProto:
    """Return a model of four nodes: where a is below b, the root of their difference is NaN, and the least root too."""
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", "cols"]) for name in ("x", "y"))
    lower = helper.make_tensor_value_info("lower", TensorProto.FLOAT, ["rows", "cols"])
    least = helper.make_tensor_value_info("margin", TensorProto.FLOAT, ["rows"])
    nodes = [
        helper.make_node("Min", ["x", "y"], ["lower"], "lower"),
        helper.make_node("Sub", ["x", "y"], ["gap"], "gap"),
        helper.make_node("Sqrt", ["gap"], ["root"], "root"),
        helper.make_node("ReduceMin", ["root"], ["margin"], "least", axes=[-1], keepdims=0),
    ]
    graph = helper.make_graph(nodes, "margin", [x, y], [lower, least])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)


def faulty() -> ModelProto:
    """Return a model as they come of editing by hand: the opset raised, an operator made up, a name misspelt."""
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", "cols"]) for name in ("x", "y"))
    least = helper.make_tensor_value_info("least", TensorProto.FLOAT, ["rows"])
    nodes = [
        helper.make_node("Min", ["x", "y"], ["lower"], "lower"),
        helper.make_node("Sub", ["x", "lowr"], ["gap"], "gap"),
        helper.make_node("Relu6", ["gap"], ["kept"], "kept"),
        helper.make_node("ReduceMin", ["kept"], ["least"], "least", axes=[-1], keepdims=0),
    ]
    graph = helper.make_graph(nodes, "faulty", [x, y], [least])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


# Inputs and outputs in the layout of ONNX's test data; the roots are [[1, 1, 2], [1, 2, 1]].
MARGIN_DATA: Mapping[str, Array] = {
    "input_0": A,
    "input_1": np.array([[2, 0, 0], [0, 1, 8]], np.float32),
    "output_0": np.array([[2, 0, 0], [0, 1, 8]], np.float32),
    "output_1": np.array([1, 1], np.float32),
}


def safetensors(arrays: Mapping[str, Array]) -> bytes:
    """Return a safetensors file of float32 arrays: the length of a JSON header, the header, the elements."""
    header, data = {}, b""
    for name, array in arrays.items():
        start, data = len(data), data + array.tobytes()
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [start, len(data)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data


def surfaces(elevation: Array) -> dict[str, Array]:
    """Return the ground of a mountain side and its valley, and the water table: the ground, smoothed and 20 m lower."""
    ground = elevation[100:200, 180:300]
    windows = sliding_window_view(np.pad(ground.astype(np.int64), 10, mode="edge"), (21, 21))
    water = windows.sum(axis=(2, 3)) // 21**2 - 20
    return {
        "ground": ground.astype(np.int16),
        "water": water.astype(np.int16),
        "ground-int32": ground.astype(np.int32),
    }


def save(folder: Path, arrays: Mapping[str, Array]) -> None:
    """Save arrays as .npy files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def main() -> None:
    """Make all samples."""
    parser = argparse.ArgumentParser(description="Make the samples of mincli.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where; default: here")
    parser.add_argument("--elevation", type=Path, help="matplotlib's jacksboro_fault_dem.npz")
    arguments = parser.parse_args()
    folder: Path = arguments.folder

    save(folder, ARRAYS)
    (folder / "a.pb").write_bytes(numpy_helper.from_array(A, "a").SerializeToString())
    np.savez(folder / "ab.npz", a=A, b=B)
    (folder / "ab.safetensors").write_bytes(safetensors({"a": A, "b": B}))
    for name, example in EXAMPLES.items():
        save(folder / "onnx" / name, example)
    for file, proto in models().items():
        (folder / "onnx" / file).write_bytes(proto.SerializeToString())
    (folder / "faulty.onnx").write_bytes(faulty().SerializeToString())
    data = folder / "margin" / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    (folder / "margin" / "margin.onnx").write_bytes(margin().SerializeToString())
    for name, array in MARGIN_DATA.items():
        (data / f"{name}.pb").write_bytes(numpy_helper.from_array(array, name).SerializeToString())
    if arguments.elevation:
        with np.load(arguments.elevation) as grid:
            save(folder, surfaces(grid["elevation"]))


if __name__ == "__main__":
    main()
