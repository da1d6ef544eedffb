"""`mincli check-schema --op`: may these arrays go into an operator, and from which version on."""

import json

import numpy as np
import pytest

import mincli
from tests.cli.runner import run

CASES = r"""
$ --op Min a.npy b.npy
0 yes: Min-13 (opset 13 and newer) gives float 2 x 3
version  opsets        legal  result
Min-1    1 to 5        yes    float 2 x 3
Min-6    6 to 7        yes    float 2 x 3
Min-8    8 to 11       yes    float 2 x 3
Min-12   12            yes    float 2 x 3
Min-13   13 and newer  yes    float 2 x 3
$ --op Min --opset 8 ints.npy ints.npy
1 no: Min-8 does not accept int32 (ints.npy)
  Min-8 (opset 8 to 11) accepts float16, float, double
  hint: int32 is accepted from Min-12 on: use --opset 12 or newer
version  opsets        legal  result
Min-1    1 to 5        no     Min-1 does not accept int32 (ints.npy)
Min-6    6 to 7        no     Min-6 does not accept int32 (ints.npy)
Min-8    8 to 11       no     Min-8 does not accept int32 (ints.npy)
Min-12   12            yes    int32 2
Min-13   13 and newer  yes    int32 2
$ --op Min --opset 7 a.npy row.npy
1 no: Min-6 needs equal shapes
  a.npy    2 x 3
  row.npy      3
  hint: broadcasting is allowed from Min-8 on: use --opset 8 or newer
version  opsets        legal  result
Min-1    1 to 5        no     Min-1 needs equal shapes
Min-6    6 to 7        no     Min-6 needs equal shapes
Min-8    8 to 11       yes    float 2 x 3
Min-12   12            yes    float 2 x 3
Min-13   13 and newer  yes    float 2 x 3
$ --op ReduceMin --axes -1 --no-keepdims a.npy
0 yes: ReduceMin-20 (opset 20 and newer) gives float 2
version       opsets        legal  result
ReduceMin-1   1 to 10       no     ReduceMin-1 does not accept the negative axis -1
ReduceMin-11  11            yes    float 2
ReduceMin-12  12            yes    float 2
ReduceMin-13  13 to 17      yes    float 2
ReduceMin-18  18 to 19      yes    float 2
ReduceMin-20  20 and newer  yes    float 2
$ --op ReduceMin --axes @axes.npy --opset 1 --no-keepdims a.npy
0 yes: ReduceMin-1 (opset 1 to 10) gives float 2
version       opsets        legal  result
ReduceMin-1   1 to 10       yes    float 2
ReduceMin-11  11            yes    float 2
ReduceMin-12  12            yes    float 2
ReduceMin-13  13 to 17      yes    float 2
ReduceMin-18  18 to 19      yes    float 2
ReduceMin-20  20 and newer  yes    float 2
$ --op Min --spec onednn a.npy b.npy
0 yes: oneDNN Minimum gives float 2 x 3
$ --op Minimum --spec onednn a.npy
1 no: oneDNN Minimum takes exactly 2 inputs, not 1
$ --op ReduceMin --spec onednn --axes "" a.npy
0 yes: oneDNN ReduceMin gives float 2 x 3
"""

USAGE = {
    "--op Max a.npy": "Invalid value for '--op': 'Max' is not one of 'Min', 'Minimum', 'ReduceMin'.",
    "--op Min": "Missing argument 'FILE...'.",
    "--op Min a.npy --strict": "--strict is of models, not of arrays",
    "--op Min a.npy --target-opset 13": "--target-opset is of models, not of arrays",
    "--op Min a.npy --engine onnxruntime": "--engine is of models, not of arrays",
    "--op Min a.npy --select MC2": "--select is of models, not of arrays",
    "--op Min a.npy --ignore MC2": "--ignore is of models, not of arrays",
    "--op Min a.npy --output-format sarif": "--output-format sarif is of models, not of arrays",
    "--op Min a.npy --output-format github": "--output-format github is of models, not of arrays",
    "--op Min a.npy --axes 0": "--axes, --no-keepdims and --noop-with-empty-axes go with --op ReduceMin",
    "--op Min a.npy --no-keepdims": "--axes, --no-keepdims and --noop-with-empty-axes go with --op ReduceMin",
    "--op Min a.npy --auto-broadcast none": "--auto-broadcast goes with --spec onednn --op Minimum",
    "--op Minimum a.npy": "--op Minimum goes with --spec onednn: in ONNX it is Min",
    "--op Min --spec onednn --opset 8 a.npy": "--opset goes with --spec onnx: oneDNN has no opsets",
    "--op ReduceMin a.npy b.npy": "ReduceMin reduces one array, not 2",
}


@pytest.fixture(autouse=True)
def _files(arrays):
    np.save("ints.npy", np.array([1, 2], "i4"))
    np.save("axes.npy", np.array([1]))


def cases():
    for case in CASES.split("\n$ ")[1:]:
        command, _, rest = case.rstrip("\n").partition("\n")
        yield pytest.param(command.replace('""', "''").split(), int(rest[0]), rest[2:] + "\n", id=command)


@pytest.mark.parametrize(("words", "code", "text"), [*cases()])
def test_cases(words, code, text):
    words = ["" if word == "''" else word for word in words]
    assert run("check-schema", *words) == (code, text.encode(), "")


@pytest.mark.parametrize("command", USAGE)
def test_usage(command):
    outcome = run("check-schema", *command.split())
    assert (outcome.code, outcome.stdout) == (2, b"")
    assert outcome.stderr.startswith(f"error: {USAGE[command]}\n")


def test_a_file_that_cannot_be_read():
    assert run("check-schema", "--op", "Min", "no.npy") == (3, b"", "error: no.npy does not exist\n")


def test_json():
    outcome = run("check-schema", "--op", "Min", "--opset", "8", "ints.npy", "--output-format", "json")
    assert outcome.code == 1
    facts = json.loads(outcome.text)
    verdicts = facts.pop("verdicts")
    assert facts == {
        "mincli": mincli.__version__,
        "version": 1,
        "standard": "onnx",
        "operator": "Min",
        "since_version": 8,
        "inputs": [{"name": "ints.npy", "type": "int32", "shape": [2]}],
        "legal": False,
        "first": 12,
    }
    assert [(verdict["since_version"], verdict["legal"], verdict["shape"]) for verdict in verdicts] == [
        (1, False, None), (6, False, None), (8, False, None), (12, True, [2]), (13, True, [2]),
    ]  # fmt: skip
    assert (verdicts[2]["error"], verdicts[2]["details"], verdicts[2]["hint"]) == (
        "Min-8 does not accept int32 (ints.npy)",
        ["Min-8 (opset 8 to 11) accepts float16, float, double"],
        "int32 is accepted from Min-12 on: use --opset 12 or newer",
    )
    assert (verdicts[3]["error"], verdicts[3]["details"], verdicts[3]["hint"]) == (None, [], None)


def test_json_of_onednn():
    outcome = run("check-schema", "--op", "Min", "--spec", "onednn", "a.npy", "a.npy", "--output-format", "json")
    facts = json.loads(outcome.text)
    assert (outcome.code, facts["standard"], facts["operator"], facts["since_version"]) == (
        0,
        "onednn",
        "Minimum",
        None,
    )
    assert (facts["first"], [verdict["since_version"] for verdict in facts["verdicts"]]) == (None, [None])


def test_names_are_only_text():
    np.save("x\x1b[31m\n.npy", np.array([1, 2], "i8"))
    outcome = run("check-schema", "--op", "Min", "--opset", "1", "x\x1b[31m\n.npy")
    assert outcome.text.startswith("no: Min-1 does not accept int64 (x\\x1b[31m\\n.npy)\n")
    assert all(line.isprintable() for line in outcome.text.splitlines())
