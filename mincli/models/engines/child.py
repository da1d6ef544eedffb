"""The process that onnxruntime runs in: a script of its own, which imports nothing of mincli.

It reads requests from standard input and writes replies to what was standard output, each a pickle. A request is the
name of a method of `Session` and its arguments; a reply is `(True, answer)`, or `(False, kind of exception, text)`.
"""

import ctypes
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Value = Any

PACKED = {
    16: "bfloat16", 17: "float8_e4m3fn", 18: "float8_e4m3fnuz", 19: "float8_e5m2", 20: "float8_e5m2fnuz", 21: "uint4",
    22: "int4", 23: "float4_e2m1fn", 24: "float8_e8m0fnu", 25: "uint2", 26: "int2", 27: "float6_e2m3fn",
    28: "float6_e3m2fn",
}  # fmt: skip
"""The types of ml_dtypes by their ONNX number: onnxruntime's Python interface has only their bytes."""
NUMBERS = {name: number for number, name in PACKED.items()}
PLAIN = {
    f"tensor({name})" for name in (
        "string", "bool", "float16", "float", "double", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
        "uint64",
    )
}  # fmt: skip
"""The tensors that it gives as NumPy's."""
BITS = {"uint4": 4, "int4": 4, "float4_e2m1fn": 4, "uint2": 2, "int2": 2}
"""Bits of an element where several share a byte, the first in the lowest bits (TensorProto.raw_data)."""


def main() -> None:
    """Answer requests until standard input ends, and end at once when it does: then nobody waits for an answer."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no reply
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=[requests], daemon=True).start()
    session = Session()
    while True:
        name, *arguments = requests.get()
        try:
            reply: tuple[Any, ...] = (True, getattr(session, name)(*arguments))
        except Exception as error:  # whatever onnxruntime raises
            reply = (False, type(error).__name__, str(error))
        pickle.dump(reply, replies, pickle.HIGHEST_PROTOCOL)
        replies.flush()


def _receive(requests: "queue.SimpleQueue[Any]") -> None:
    while True:
        try:
            requests.put(pickle.load(sys.stdin.buffer))
        except BaseException:  # the end, also in the midst of a request: EOFError, UnpicklingError, and what else
            os._exit(0)


class Session:
    """A model in onnxruntime."""

    def load(self, model: bytes, folder: str, fuse: bool) -> None:
        """Load a model.

        Args:
            model: a ModelProto.
            folder: where its external data lie; "" if it has none.
            fuse: whether onnxruntime may join and leave out nodes.
        """
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # fatal; everything else is raised as well
        if folder:
            options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
        if not fuse:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def run(self, feeds: Mapping[str, Value], names: Sequence[str]) -> list[Value]:
        """Run the model and return the outputs of these names.

        Raises:
            TypeError: packed outputs, which come only from runs in which all is a tensor, and no input a string.
        """
        from onnxruntime import OrtValue

        given = {name: _given(value) for name, value in feeds.items()}
        kinds = {output.name: output.type for output in self._session.get_outputs()}
        wanted = [kinds[name] for name in names]
        packed = [kind for kind in wanted if kind.startswith("tensor(") and kind not in PLAIN]
        if not packed:
            return list(self._session.run(names, given))
        others = [kind for kind in wanted if not kind.startswith("tensor(")]
        others += ["an input that is no tensor of numbers" for value in given.values() if not _is_numbers(value)]
        if others:
            raise TypeError(f"onnxruntime's Python interface does not give {packed[0]} beside {others[0]}")
        values = {
            name: OrtValue.ortvalue_from_numpy(value) if isinstance(value, np.ndarray) else value
            for name, value in given.items()
        }
        return [_taken(value) for value in self._session.run_with_ort_values(names, values)]


def _is_numbers(value: Value) -> bool:
    return value.dtype.kind != "O" if isinstance(value, np.ndarray) else not isinstance(value, list | dict | None)


def _given(value: Value) -> Value:
    """Return a value as onnxruntime takes it. It reads arrays of the other byte order wrongly, without a word."""
    if isinstance(value, list):
        return [_given(element) for element in value]
    if isinstance(value, np.generic):  # a tensor of rank 0, as NumPy's operations return it
        value = np.asarray(value)
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.name in NUMBERS:
        return _packed(value)
    return value.astype(value.dtype.newbyteorder("="), order="C", copy=False)


def _packed(array: NDArray[Any]) -> Any:
    from onnxruntime import OrtValue

    value = OrtValue.ortvalue_from_shape_and_type(list(array.shape), NUMBERS[array.dtype.name])
    data = array.tobytes()
    bits = BITS.get(array.dtype.name)
    if bits:
        codes = np.frombuffer(data + bytes(-len(data) % (8 // bits)), "u1").reshape(-1, 8 // bits)
        shifted = (codes & (1 << bits) - 1) << np.arange(0, 8, bits, dtype="u1")
        data = np.bitwise_or.reduce(shifted, axis=1).tobytes()
    ctypes.memmove(value.data_ptr(), data, len(data))
    return value


def _taken(value: Any) -> NDArray[Any]:
    name = PACKED.get(value.element_type())
    if name is None:
        return np.asarray(value.numpy())
    dtype, size, bits = np.dtype(getattr(ml_dtypes, name)), prod(value.shape()), BITS.get(name)
    nbytes = (size * (bits or 8 * dtype.itemsize) + 7) // 8
    codes = np.frombuffer(ctypes.string_at(value.data_ptr(), nbytes), "u1")
    if bits:
        shifted = codes[:, None] >> np.arange(0, 8, bits, dtype="u1")
        codes = (shifted & (1 << bits) - 1).reshape(-1)[:size]
    return np.asarray(codes.view(dtype).reshape(value.shape()))


if __name__ == "__main__":
    main()
