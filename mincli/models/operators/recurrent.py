"""RNN, GRU and LSTM, every version, by the equations of their texts.

Sequences shorter than the longest (`sequence_lens`) keep their last state and have zeros behind their end; a reverse
direction starts at each one's own end. `clip` bounds what goes into each activation. `output_sequence` (until 6) only
says whether an output is wanted; `layout` (from 14 on) puts the batch first.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mincli.models.operators.exact import Exact

Array = NDArray[Any]
Activation = Callable[[Array], Array]

_ACTIVATIONS: dict[str, tuple[Callable[[Array, Any, Any], Array], float, float]] = {
    "affine": (lambda x, alpha, beta: alpha * x + beta, 1, 0),
    "elu": (lambda x, alpha, beta: np.where(x < 0, alpha * np.expm1(x), x), 1, 0),
    "hardsigmoid": (lambda x, alpha, beta: np.clip(alpha * x + beta, 0, 1), 0.2, 0.5),
    "leakyrelu": (lambda x, alpha, beta: np.where(x < 0, alpha * x, x), 0.01, 0),
    "relu": (lambda x, alpha, beta: np.maximum(x, 0), 0, 0),
    "scaledtanh": (lambda x, alpha, beta: alpha * np.tanh(beta * x), 1, 1),
    "sigmoid": (lambda x, alpha, beta: 1 / (1 + np.exp(-x)), 0, 0),
    "softplus": (lambda x, alpha, beta: np.logaddexp(x, 0), 0, 0),
    "softsign": (lambda x, alpha, beta: x / (1 + np.abs(x)), 0, 0),
    "tanh": (lambda x, alpha, beta: np.tanh(x), 0, 0),
    "thresholdedrelu": (lambda x, alpha, beta: np.where(x > alpha, x, 0), 1, 0),
}
"""Each activation with its default alpha and beta."""


class _Recurrent(Exact):
    """What the three have in common: a step is made for each direction, and walks along the sequence."""

    gates: ClassVar[int]
    default_activations: ClassVar[Sequence[str]]
    states: ClassVar[int] = 1

    def _run(
        self,
        x: Array,
        w: Array,
        r: Array,
        b: Array | None = None,
        lengths: Array | None = None,
        *others: Array | None,
        direction: str = "forward",
        layout: int | None = 0,
        **attributes: Any,
    ) -> tuple[Array, ...]:
        initial, peepholes = others[: self.states], (*others, None, None, None)[self.states]
        if layout:
            x = x.swapaxes(0, 1)
            initial = tuple(None if state is None else state.swapaxes(0, 1) for state in initial)
        steps, batch = x.shape[:2]
        size, directions = r.shape[2], len(w)
        ends = np.full(batch, steps) if lengths is None else lengths
        y = np.zeros((steps, directions, batch, size), x.dtype)
        last = [np.zeros((directions, batch, size), x.dtype) for _ in range(self.states)]
        activations = self._activations(attributes, directions)
        for number in range(directions):
            bias = np.zeros(2 * self.gates * size, x.dtype) if b is None else b[number]
            functions = [next(activations) for _ in self.default_activations]
            weights = (w[number], r[number], *np.split(bias, 2), None if peepholes is None else peepholes[number])
            states = [np.zeros((batch, size), x.dtype)] * self.states
            for place, state in enumerate(initial):
                if state is not None:
                    states[place] = state[number]
            backward = number == 1 or direction == "reverse"
            for step in reversed(range(steps)) if backward else range(steps):
                running = (step < ends)[:, None]
                made = self._step(x[step], states, weights, functions, attributes)
                states = [np.where(running, new, old) for new, old in zip(made, states, strict=True)]
                y[step, number] = np.where(running, states[0], 0)
            for place, state in enumerate(states):
                last[place][number] = state
        if layout:
            return (y.transpose(2, 0, 1, 3), *(state.swapaxes(0, 1) for state in last))
        return (y, *last)

    def _activations(self, attributes: dict[str, Any], directions: int) -> Iterator[Activation]:
        names = attributes.get("activations") or [*self.default_activations] * directions
        alphas, betas = (iter(attributes.get(f"activation_{name}") or ()) for name in ("alpha", "beta"))
        clip = attributes.get("clip")
        bound = np.inf if clip is None else clip
        for name in names:
            function, alpha, beta = _ACTIVATIONS[name.lower()]
            a, b = (next(alphas, alpha) if alpha else 0, next(betas, beta) if beta else 0)
            yield partial(_bounded, function, bound, a, b)

    @abstractmethod
    def _step(
        self, x: Array, states: Sequence[Array], weights: Sequence[Any], f: Sequence[Activation], attributes: Any
    ) -> list[Array]:
        """Return the states after an element of the sequence."""


def _bounded(function: Callable[[Array, Any, Any], Array], bound: float, alpha: float, beta: float, x: Array) -> Array:
    return function(np.clip(x, -bound, bound), alpha, beta)


class RNN(_Recurrent):
    """ONNX RNN 1, 7, 14 and 22."""

    gates, default_activations = 1, ("Tanh",)

    def _step(
        self, x: Array, states: Sequence[Array], weights: Sequence[Any], f: Sequence[Activation], attributes: Any
    ) -> list[Array]:
        w, r, wb, rb, _ = weights
        return [f[0](x @ w.T + states[0] @ r.T + wb + rb)]


class GRU(_Recurrent):
    """ONNX GRU 1, 3, 7, 14 and 22."""

    gates, default_activations = 3, ("Sigmoid", "Tanh")

    def _step(
        self, x: Array, states: Sequence[Array], weights: Sequence[Any], f: Sequence[Activation], attributes: Any
    ) -> list[Array]:
        (h,) = states
        wz, wr, wh = np.split(x @ weights[0].T + weights[2], 3, axis=-1)
        (rz, rr, rh), (bz, br, bh) = np.split(weights[1], 3), np.split(weights[3], 3)
        z, reset = f[0](wz + h @ rz.T + bz), f[0](wr + h @ rr.T + br)
        if attributes.get("linear_before_reset"):
            hidden = f[1](wh + reset * (h @ rh.T + bh))
        else:
            hidden = f[1](wh + (reset * h) @ rh.T + bh)
        return [(1 - z) * hidden + z * h]


class LSTM(_Recurrent):
    """ONNX LSTM 1, 7, 14 and 22."""

    gates, default_activations, states = 4, ("Sigmoid", "Tanh", "Tanh"), 2

    def _step(
        self, x: Array, states: Sequence[Array], weights: Sequence[Any], f: Sequence[Activation], attributes: Any
    ) -> list[Array]:
        h, c = states
        w, r, wb, rb, peepholes = weights
        i, o, forget, cell = np.split(x @ w.T + h @ r.T + wb + rb, 4, axis=-1)
        pi, po, pf = (0, 0, 0) if peepholes is None else np.split(peepholes, 3)
        i = f[0](i + pi * c)
        forget = 1 - i if attributes.get("input_forget") else f[0](forget + pf * c)
        c = forget * c + i * f[1](cell)
        return [f[0](o + po * c) * f[2](c), c]
