"""RNN, GRU and LSTM, step by step in plain Python."""

import math

import numpy as np
import pytest

from tests.models.operators.nodes import f4, run_node

X = f4([[[1]], [[-2]], [[3]]])  # 3 steps of 1 sequence of 1 number
HALF, NONE = f4([[[0.5]]]), f4([[[0.25]]])


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def walk(step, xs, state=0.0):
    states = []
    for x in xs:
        state = step(x, state)
        states.append(state)
    return states


def rnn(x, h):
    return math.tanh(0.5 * x + 0.25 * h)


@pytest.mark.parametrize("opset", [1, 7, 14, 22])
def test_rnn(opset):
    y, last = run_node("RNN", opset, X, HALF, NONE, outputs=2, hidden_size=1)
    want = walk(rnn, [1, -2, 3])
    assert (y.shape, last.shape) == ((3, 1, 1, 1), (1, 1, 1))
    assert y.ravel().tolist() == pytest.approx(want, rel=1e-6)
    assert last.item() == pytest.approx(want[-1], rel=1e-6)


def test_backwards_and_both_ways():
    y, last = run_node("RNN", 14, X, HALF, NONE, outputs=2, hidden_size=1, direction="reverse")
    back = walk(rnn, [3, -2, 1])[::-1]
    assert y.ravel().tolist() == pytest.approx(back, rel=1e-6)
    assert last.item() == pytest.approx(back[0], rel=1e-6)
    both = np.concatenate([HALF, HALF]), np.concatenate([NONE, NONE])
    y, last = run_node("RNN", 14, X, *both, outputs=2, hidden_size=1, direction="bidirectional")
    assert y[:, 1].ravel().tolist() == pytest.approx(back, rel=1e-6)
    assert last.ravel().tolist() == pytest.approx([walk(rnn, [1, -2, 3])[-1], back[0]], rel=1e-6)


def test_shorter_sequences_keep_their_last_state():
    y, last = run_node("RNN", 14, X, HALF, NONE, None, np.array([2], "i4"), outputs=2, hidden_size=1)
    want = walk(rnn, [1, -2])
    assert y.ravel().tolist() == pytest.approx([*want, 0], rel=1e-6)
    assert last.item() == pytest.approx(want[-1], rel=1e-6)
    y, last = run_node(
        "RNN", 14, X, HALF, NONE, None, np.array([2], "i4"), outputs=2, hidden_size=1, direction="reverse"
    )
    want = walk(rnn, [-2, 1])[::-1]
    assert y.ravel().tolist() == pytest.approx([*want, 0], rel=1e-6)


def test_clip_bounds_what_goes_into_an_activation():
    y, _ = run_node("RNN", 14, X, HALF, NONE, outputs=2, hidden_size=1, clip=0.25)
    assert y.ravel().tolist() == pytest.approx([math.tanh(0.25), math.tanh(-0.25), math.tanh(0.25)], rel=1e-6)


def test_activations_have_parameters():
    y, _ = run_node(
        "RNN", 14, X, HALF, f4([[[0]]]), outputs=2, hidden_size=1, activations=["LeakyRelu"], activation_alpha=[0.5]
    )
    assert y.ravel().tolist() == [0.5, -0.5, 1.5]
    y, _ = run_node("RNN", 14, X, HALF, f4([[[0]]]), outputs=2, hidden_size=1, activations=["Relu"])
    assert y.ravel().tolist() == [0.5, 0, 1.5]


def test_layout_puts_the_batch_first():
    y, last = run_node("RNN", 14, X.reshape(1, 3, 1), HALF, NONE, outputs=2, hidden_size=1, layout=1)
    assert (y.shape, last.shape) == ((1, 3, 1, 1), (1, 1, 1))
    assert y.ravel().tolist() == pytest.approx(walk(rnn, [1, -2, 3]), rel=1e-6)


@pytest.mark.parametrize("linear", [0, 1])
def test_gru(linear):
    w, r, b = f4([[[0.1], [0.2], [0.3]]]), f4([[[0.4], [0.5], [0.6]]]), f4([[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]])
    y, _ = run_node("GRU", 14, X, w, r, b, outputs=2, hidden_size=1, linear_before_reset=linear)

    def step(x, h):
        z = sigmoid(0.1 * x + 0.4 * h + 0.1 + 0.4)
        reset = sigmoid(0.2 * x + 0.5 * h + 0.2 + 0.5)
        inner = reset * (0.6 * h + 0.6) if linear else 0.6 * reset * h + 0.6
        return (1 - z) * math.tanh(0.3 * x + 0.3 + inner) + z * h

    assert y.ravel().tolist() == pytest.approx(walk(step, [1, -2, 3]), rel=1e-5)


@pytest.mark.parametrize("coupled", [0, 1])
def test_lstm(coupled):
    w, r, p = f4([[[0.1], [0.2], [0.3], [0.4]]]), f4([[[0.5], [0.6], [0.7], [0.8]]]), f4([[0.9, 1.0, 1.1]])
    others = (None, None, f4([[[0.5]]]), f4([[[-1]]]), p)
    y, _, last = run_node("LSTM", 14, X, w, r, *others, outputs=3, hidden_size=1, input_forget=coupled)

    def step(x, state):
        h, c = state
        i = sigmoid(0.1 * x + 0.5 * h + 0.9 * c)
        forget = 1 - i if coupled else sigmoid(0.3 * x + 0.7 * h + 1.1 * c)
        c = forget * c + i * math.tanh(0.4 * x + 0.8 * h)
        return sigmoid(0.2 * x + 0.6 * h + 1.0 * c) * math.tanh(c), c

    want = walk(step, [1, -2, 3], (0.5, -1.0))
    assert y.ravel().tolist() == pytest.approx([h for h, _ in want], rel=1e-5)
    assert last.item() == pytest.approx(want[-1][1], rel=1e-5)


def test_recurrent_operators_of_opset_1():
    x, w, r = f4([[[1]]]), f4([[[0.5]]]), f4([[[0]]])
    _, last = run_node("RNN", 1, x, w, r, outputs=2, hidden_size=1, output_sequence=1)
    assert last.ravel().tolist() == pytest.approx([0.46211716])  # tanh(0.5)
    _, last = run_node("GRU", 1, x, f4([[[0], [0], [0.5]]]), f4([[[0], [0], [0]]]), outputs=2, hidden_size=1)
    assert last.ravel().tolist() == pytest.approx([0.23105858])  # (1 - 0.5) * tanh(0.5)
    outputs = run_node("LSTM", 1, x, f4([[[0], [0], [0], [0.5]]]), f4([[[0], [0], [0], [0]]]), outputs=3, hidden_size=1)
    assert outputs[2].ravel().tolist() == pytest.approx([0.23105858])  # 0.5 * tanh(0.5)
