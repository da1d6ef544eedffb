"""May these arrays go into this operator, and into which versions of it? What `check-schema --op` answers.

Only what the heads of the files say is read.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mincli.errors import InputError, UsageError
from mincli.jobs import axes_of, opened
from mincli.spec import rules
from mincli.spec.dtypes import ElementType
from mincli.spec.operators import OperatorVersion, versions
from mincli.spec.shapes import reduced_shape
from mincli.tensors.tensor import Tensor


class Verdict(NamedTuple):
    """What a version says of the arrays.

    Attributes:
        version: the row of the version.
        shape: of the result; None if it refuses them.
        error: why it refuses them: the one that computing would raise; None if it does not.
    """

    version: OperatorVersion
    shape: tuple[int, ...] | None
    error: InputError | None


class Verdicts(NamedTuple):
    """What all versions of an operator say of the same arrays.

    Attributes:
        inputs: the arrays (closed by now, but for their facts).
        asked: the verdict of the version that was asked for.
        matrix: a verdict for each version, the oldest first.
    """

    inputs: Sequence[Tensor]
    asked: Verdict
    matrix: tuple[Verdict, ...]

    @property
    def first(self) -> OperatorVersion | None:
        """The oldest version that takes them, or None; its `since_version` is the first opset that does."""
        return next((verdict.version for verdict in self.matrix if verdict.error is None), None)


def verdicts(
    paths: Sequence[str],
    version: OperatorVersion,
    *,
    raw: ElementType | None = None,
    broadcast: bool = True,
    axes: Sequence[int] | str | None = None,
    keepdims: bool = True,
    noop_with_empty_axes: bool = False,
) -> Verdicts:
    """Hold arrays in files against every version of an operator.

    Args:
        paths: as `tensors.open_tensor` takes them.
        version: the row that is asked for, of any of the four operators (`spec.operators.resolve`).
        raw: the type of raw elements, or None.
        broadcast: of Minimum: False forbids broadcasting (oneDNN `auto_broadcast` none).
        axes: of ReduceMin: the axes, or the path of an array that holds them; None if absent.
        keepdims: of ReduceMin.
        noop_with_empty_axes: of ReduceMin.

    Raises:
        InputError: a file was refused, whatever the operator.
        UsageError: several arrays for ReduceMin, or several inputs from standard input.
    """
    given: Sequence[int] | None = None
    if version.name == "ReduceMin":
        if len(paths) != 1:
            raise UsageError(f"ReduceMin reduces one array, not {len(paths)}", hint="axes are given with --axes")
        given = axes_of(axes, paths[0])
    with opened(paths, raw) as inputs:

        def shape_in(row: OperatorVersion) -> tuple[int, ...]:
            if row.name != "ReduceMin":
                return rules.minimum_shape(row, inputs, broadcast=broadcast)
            reduced = rules.reduction_axes(row, inputs[0], given, noop_with_empty_axes=noop_with_empty_axes)
            return reduced_shape(inputs[0].shape, reduced, keepdims=keepdims)

        matrix = tuple(_verdict(row, shape_in) for row in versions(version.name, version.standard))
    (asked,) = (verdict for verdict in matrix if verdict.version is version)
    return Verdicts(inputs, asked, matrix)


def _verdict(version: OperatorVersion, shape_in: Callable[[OperatorVersion], tuple[int, ...]]) -> Verdict:
    try:
        return Verdict(version, shape_in(version), None)
    except InputError as error:
        return Verdict(version, None, error)
