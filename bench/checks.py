"""Models checked in memory. They are timed in a child process, `python -m bench.checks`, which imports onnx."""

import sys
import time
from ast import literal_eval
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from bench.children import records
from bench.record import Record, to_json
from bench.rounds import Effort, Sample, alternate

if TYPE_CHECKING:
    import onnx

CHECKER = "onnx.checker"
BLOCKS = "blocks of five nodes"
DISTINCT = "all shapes distinct"


def race_all(family: str, models: list[tuple[str, int]], effort: Effort) -> Iterator[Record]:
    """Measure mincli and onnx's checker on models, in a process of their own.

    Args:
        family: of the records.
        models: of each the kind, `BLOCKS` or `DISTINCT`, and the number of its nodes.
        effort: how many rounds.
    """
    return records("bench.checks", (family, models, tuple(effort)))


def race(family: str, kind: str, nodes: int, effort: Effort) -> Record:
    """Measure mincli and onnx's checker on one model, in this process."""
    import onnx

    from mincli.lint import findings_in

    model = {BLOCKS: blocks, DISTINCT: distinct}[kind](nodes)
    findings: list[object] = []

    def ours() -> None:
        findings[:] = findings_in(model)

    contestants: dict[str, Callable[[], Sample]] = {
        "mincli": partial(_time, ours),
        CHECKER: partial(_time, partial(onnx.checker.check_model, model, full_check=True)),
    }
    outcome = alternate(contestants, effort, lambda name: f"{len(findings)} findings" if findings else "")
    return Record(family, kind, f"{nodes} nodes", model.ByteSize(), 0, outcome)


def blocks(nodes: int) -> "onnx.ModelProto":
    """Return a chain of blocks as networks have them: Conv with weights of its own, Relu, Mul, Add, Min."""
    import numpy as np
    from onnx import helper, numpy_helper

    body, weights, last = [], [], "x"
    for number in range(0, nodes, 5):
        own = f"/block{number // 5}/"
        weights.append(numpy_helper.from_array(np.ones((8, 8, 1, 1), np.float32), f"{own}weight"))
        steps = [
            ("Conv", [last, f"{own}weight"], {"kernel_shape": [1, 1]}),
            ("Relu", [f"{own}Conv"], {}),
            ("Mul", [f"{own}Relu", "scale"], {}),
            ("Add", [f"{own}Mul", last], {}),
            ("Min", [f"{own}Add", "limit"], {}),
        ]
        body += [helper.make_node(op, inputs, [own + op], own + op, **more) for op, inputs, more in steps]
        last = f"{own}Min"
    weights += [numpy_helper.from_array(np.ones((8, 1, 1), np.float32), name) for name in ("scale", "limit")]
    body[-1].output[0] = "y"
    return _model(body, [1, 8, 16, 16], weights)


def distinct(nodes: int) -> "onnx.ModelProto":
    """Return a chain of Concat, each of which gives a longer vector than the one before."""
    import numpy as np
    from onnx import helper, numpy_helper

    names = ["x", *(f"v{number}" for number in range(1, nodes)), "y"]
    body = [helper.make_node("Concat", [names[i], "one"], [names[i + 1]], axis=0) for i in range(nodes)]
    return _model(body, [1], [numpy_helper.from_array(np.ones(1, np.float32), "one")])


def _model(body: "list[onnx.NodeProto]", shape: list[int], weights: "list[onnx.TensorProto]") -> "onnx.ModelProto":
    from onnx import TensorProto, helper

    ends = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    rank_only = [None] * len(shape)
    graph = helper.make_graph(
        body, "bench", ends, [helper.make_tensor_value_info("y", TensorProto.FLOAT, rank_only)], weights
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def _time(call: Callable[[], object]) -> Sample:
    started = time.perf_counter()
    call()
    return Sample(time.perf_counter() - started)


def _main(text: str) -> None:
    family, models, effort = literal_eval(text)
    for kind, nodes in models:
        print(to_json(race(family, kind, nodes, Effort(*effort))), flush=True)


if __name__ == "__main__":
    try:
        _main(sys.argv[1])
    except KeyboardInterrupt:
        sys.exit(130)
