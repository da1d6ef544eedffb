"""File to file: open the inputs, check them, plan, compute, and report. What `mincli min` and `reduce-min` do."""

import resource
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import numpy as np

from mincli.errors import AxesError, UsageError
from mincli.spec import rules
from mincli.spec.dtypes import ElementType
from mincli.spec.operators import OperatorVersion
from mincli.spec.shapes import MAX_AXES, in_words, reduced_shape
from mincli.streaming import minimum, reduction
from mincli.streaming.execute import Progress
from mincli.streaming.origins import Origins
from mincli.streaming.plan import OWN_CHOICE, Limits, Plan
from mincli.tensors import STDIN, check_output, create_tensor, open_tensor
from mincli.tensors.target import ArrayTarget, Target
from mincli.tensors.tensor import Array, Tensor

_ONE_STDIN = "only one input can come from standard input"


class Request(NamedTuple):
    """What both jobs are told.

    Attributes:
        version: the operator version.
        output: the path to write (see `tensors.create_tensor`), or None to keep the result in memory.
        raw: the type of raw elements, or None (see `tensors.open_tensor`).
        limits: threads and memory.
        clobber: False refuses an output that exists.
        dry_run: stop after the plan: nothing is computed or written.
        count_origins: count where the elements of the result came from.
        progress: is told how many blocks are done.
    """

    version: OperatorVersion
    output: str | None = None
    raw: ElementType | None = None
    limits: Limits = OWN_CHOICE
    clobber: bool = True
    dry_run: bool = False
    count_origins: bool = False
    progress: Progress | None = None


class Report(NamedTuple):
    """What a job did, or would do.

    Attributes:
        request: what it was told.
        attributes: of the operator, by name, as they were applied.
        inputs: the opened inputs (closed by now, but for their facts).
        element: the element type of the result.
        shape: the shape of the result.
        plan: how it was cut into blocks.
        result: the result, if it was kept in memory.
        seconds: of wall time, from opening the first input to the output in place.
        origins: where the elements came from, if that was asked for.
    """

    request: Request
    attributes: dict[str, object]
    inputs: Sequence[Tensor]
    element: ElementType
    shape: tuple[int, ...]
    plan: Plan
    result: Array | None
    seconds: float
    origins: Origins | None

    @property
    def nbytes(self) -> int:
        """Bytes of the result's elements."""
        return self.element.nbytes(self.shape)

    @property
    def bytes_moved(self) -> int:
        """Bytes of all elements read and written."""
        return sum(tensor.nbytes for tensor in self.inputs) + self.nbytes


def minimum_of_files(paths: Sequence[str], request: Request, *, broadcast: bool = True) -> Report:
    """Write the element-wise minimum of arrays in files.

    Args:
        paths: as `tensors.open_tensor` takes them.
        request: with a version of Min or Minimum.
        broadcast: False forbids broadcasting (oneDNN `auto_broadcast` none).

    Raises:
        InputError: an input was refused, by its format or by the operator version.
        OutputError: the output could not be written.
        UsageError: several inputs from standard input, or too little memory.
    """
    started = time.perf_counter()
    with opened(paths, request.raw) as inputs:
        shape = rules.minimum_shape(request.version, inputs, broadcast=broadcast)
        element = inputs[0].element
        plan = minimum.make_plan(inputs, shape, _limits(request, element, shape))
        origins = Origins(len(inputs)) if request.count_origins and not request.dry_run else None

        def compute(target: Target) -> None:
            minimum.minimum(inputs, target, plan, progress=request.progress, origins=origins)

        result = _run(request, element, shape, compute)
    attributes: dict[str, object] = {} if broadcast else {"auto_broadcast": "none"}
    seconds = time.perf_counter() - started
    return Report(request, attributes, inputs, element, shape, plan, result, seconds, origins)


def reduce_min_of_file(
    path: str,
    request: Request,
    *,
    axes: Sequence[int] | str | None = None,
    keepdims: bool = True,
    noop_with_empty_axes: bool = False,
) -> Report:
    """Write the minimum of an array in a file along axes.

    Args:
        path: as `tensors.open_tensor` takes it.
        request: with a version of ReduceMin.
        axes: the axes, or the path of an array that holds them; None if absent.
        keepdims: whether reduced axes stay with extent 1.
        noop_with_empty_axes: absent or empty axes reduce nothing, in versions that have the attribute.

    Raises:
        InputError: an input was refused, by its format or by the operator version.
        OutputError: the output could not be written.
        UsageError: array and axes both from standard input, or too little memory.
    """
    started = time.perf_counter()
    given = axes_of(axes, path)
    with opened([path], request.raw) as inputs:
        (tensor,) = inputs
        reduced = rules.reduction_axes(request.version, tensor, given, noop_with_empty_axes=noop_with_empty_axes)
        shape = reduced_shape(tensor.shape, reduced, keepdims=keepdims)
        plan = reduction.make_plan(tensor, reduced, _limits(request, tensor.element, shape))
        origins = Origins(0) if request.count_origins and not request.dry_run else None

        def compute(target: Target) -> None:
            reduction.reduce_min(tensor, target, plan, progress=request.progress, origins=origins)

        result = _run(request, tensor.element, shape, compute)
    attributes: dict[str, object] = {"axes": list(reduced), "keepdims": keepdims}
    seconds = time.perf_counter() - started
    return Report(request, attributes, inputs, tensor.element, shape, plan, result, seconds, origins)


@contextmanager
def opened(paths: Sequence[str], raw: ElementType | None = None) -> Iterator[list[Tensor]]:
    """Open arrays in files; they are closed when the context ends.

    Args:
        paths: as `tensors.open_tensor` takes them.
        raw: the type of raw elements, or None.

    Raises:
        InputError: an input was refused.
        UsageError: several inputs from standard input.
    """
    if paths.count(STDIN) > 1:
        raise UsageError(_ONE_STDIN)
    _allow_open_files(len(paths))
    _keep_freed_memory()
    with ExitStack() as stack:
        yield [stack.enter_context(open_tensor(path, raw)) for path in paths]


def _allow_open_files(count: int) -> None:
    """Raise the process's own limit of open files, if `count` more need it and the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and count + 100 > soft:
        wanted = count + 100 if hard == resource.RLIM_INFINITY else min(count + 100, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _keep_freed_memory() -> None:
    """Let what one block frees be there for the next: given back, it would have to be mapped and zeroed anew.

    glibc gives back less the larger the pieces are that it has seen freed, of up to 32 MiB (mallopt(3),
    M_MMAP_THRESHOLD). This one takes no memory, for nothing is written to it.
    """
    np.empty((32 << 20) - (64 << 10), np.uint8)


def _limits(request: Request, element: ElementType, shape: tuple[int, ...]) -> Limits:
    """Add to the limits what a result that is kept in memory takes."""
    return request.limits._replace(held=element.nbytes(shape) if request.output is None else 0)


def _run(
    request: Request, element: ElementType, shape: tuple[int, ...], compute: Callable[[Target], None]
) -> Array | None:
    """Compute into the output that is asked for; return the result if it stays in memory."""
    if request.output is not None:
        check_output(request.output, element, shape, clobber=request.clobber)
    if request.dry_run:
        return None
    if request.output is None:
        target = ArrayTarget.empty(shape, element)
        compute(target)
        return target.array
    with create_tensor(request.output, element, shape, clobber=request.clobber) as file:
        compute(file)
    return None


def axes_of(axes: Sequence[int] | str | None, path: str) -> Sequence[int] | None:
    """Return axes as numbers.

    Args:
        axes: the axes, or the path of an array that holds them, the `axes` input: an int64 vector (ReduceMin-18).
        path: of the array that is reduced.

    Raises:
        InputError: the file of the axes was refused.
        UsageError: array and axes both from standard input.
    """
    if not isinstance(axes, str):
        return axes
    if path == axes == STDIN:
        raise UsageError(_ONE_STDIN)
    with open_tensor(axes) as tensor:
        if tensor.element.name != "int64" or len(tensor.shape) != 1:
            raise AxesError(
                f"{tensor.name}: axes are {tensor.element} of shape {in_words(tensor.shape)}",
                details=["axes must be an int64 vector"],
            )
        if tensor.shape[0] > MAX_AXES:
            raise AxesError(f"{tensor.name} holds {tensor.shape[0]} axes, more than an array can have")
        buffer = np.empty(tensor.nbytes, np.uint8)
        view = tensor.view(tensor.shape, tensor.strides)
        return [int(axis) for axis in view.read((slice(0, tensor.shape[0]),), buffer).reshape(-1)]
