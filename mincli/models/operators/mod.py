"""Mod 10 and 13: floats need `fmod` = 1; from 28 on they have both kinds of remainder."""

from typing import Any

from numpy.typing import NDArray
from onnx.reference.ops.op_mod import Mod

from mincli.errors import ElementTypeError
from mincli.models.operators.exact import Exact


class Mod10(Exact, Mod):  # type: ignore[misc]
    """ONNX Mod 10 and 13."""

    def _run(self, a: NDArray[Any], b: NDArray[Any], fmod: int = 0) -> tuple[NDArray[Any]]:
        if not fmod and a.dtype.kind not in "iu":
            raise ElementTypeError(
                f"fmod is 0, and the inputs are {a.dtype}",
                details=["until opset 27, floats need fmod = 1, which gives the remainder the sign of the first input"],
            )
        result: tuple[NDArray[Any]] = Mod._run(self, a, b, fmod)
        return result
