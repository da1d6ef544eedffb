"""onnxruntime on the CPU, with a model of one node."""

from collections.abc import Callable, Sequence

from bench.case import Case
from bench.peers.peer import Array, Peer

SCRIPT = """\
import sys
import numpy as np, onnxruntime
*inputs, output = sys.argv[1:]
session = onnxruntime.InferenceSession("model.onnx", providers=["CPUExecutionProvider"])
feeds = {{str(number): {load} for number, path in enumerate(inputs)}}
np.save(output, session.run(None, feeds)[0])
"""


class OnnxRuntime(Peer):
    """An `InferenceSession`; in memory by an `IOBinding`, so that it allocates nothing."""

    requires = ("onnxruntime", "numpy")

    def script(self, case: Case) -> str:
        load = "np.load(path)" + (f".astype(np.{case.element})" if "S" in case.layouts else "")
        return SCRIPT.format(load=load)

    def call(self, case: Case, operands: Sequence[Array], out: Array, threads: int) -> Callable[[], object]:
        import onnxruntime

        from bench.model import model_of

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(model_of(case), options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        for number, operand in enumerate(operands):
            binding.bind_ortvalue_input(str(number), onnxruntime.OrtValue.ortvalue_from_numpy(operand))
        binding.bind_ortvalue_output("result", onnxruntime.OrtValue.ortvalue_from_numpy(out))
        return lambda: session.run_with_iobinding(binding)
