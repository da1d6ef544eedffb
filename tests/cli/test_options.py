"""The values of options: how they are parsed, and which combinations are refused."""

import click
import numpy as np
import pytest

from mincli.cli import options, values
from mincli.spec.dtypes import BY_NAME
from mincli.spec.operators import NEWEST_OPSET, Standard
from tests.cli.runner import run, shell

CONTEXT = click.Context(click.Command("test"))
OPTION = click.Option(["--test"])
NAMES = {Standard.ONNX: "Min", Standard.ONEDNN: "Minimum"}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param(None, 0, id="absent"),
        pytest.param("1", 1, id="bytes"),
        pytest.param("1000B", 1000, id="B"),
        pytest.param("64K", 65536, id="K"),
        pytest.param("64KiB", 65536, id="KiB"),
        pytest.param("64kib", 65536, id="kib"),
        pytest.param("64KB", 64000, id="KB"),
        pytest.param("256MiB", 268435456, id="MiB"),
        pytest.param("1.5M", 1572864, id="fraction"),
        pytest.param("3MB", 3000000, id="MB"),
        pytest.param("1GB", 1000000000, id="GB"),
        pytest.param("2G", 2147483648, id="G"),
        pytest.param("1TiB", 1099511627776, id="TiB"),
        pytest.param(" 1 TB ", 1000000000000, id="spaces"),
        pytest.param("0.5K", 512, id="half"),
    ],
)
def test_size(text, size):
    assert values.parse_size(CONTEXT, OPTION, text) == size


@pytest.mark.parametrize(
    "text",
    [
        "",
        "garbage",
        "0",
        "0MiB",
        "-1",
        "1.5.2",
        "1e9",
        "MiB",
        "1 PiB",
        "0.1",
        "1,5M",
        "nan",
        "inf",
        pytest.param("9" * 400, id="beyond-floats"),
    ],
)
def test_no_size(text):
    with pytest.raises(click.BadParameter) as refused:
        values.parse_size(CONTEXT, OPTION, text)
    assert refused.value.message == f"{text!r} is no size; write it like 256MiB or 1GB"


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        pytest.param(None, None, id="absent"),
        pytest.param("", [], id="empty"),
        pytest.param(" ", [], id="blank"),
        pytest.param("0", [0], id="one"),
        pytest.param("-1", [-1], id="negative"),
        pytest.param("0,-1", [0, -1], id="two"),
        pytest.param(" 2 , 0 ", [2, 0], id="spaces"),
        pytest.param("@axes.npy", "axes.npy", id="file"),
        pytest.param("@-", "-", id="stdin"),
        pytest.param("@@a", "@a", id="file-named-at"),
    ],
)
def test_axes(text, axes):
    assert values.parse_axes(CONTEXT, OPTION, text) == axes


@pytest.mark.parametrize("text", ["garbage", "0,", ",", "0;1", "0 1", "1.0", "@", "axes.npy", "0x1", "--1", "[0]"])
def test_no_axes(text):
    with pytest.raises(click.BadParameter) as refused:
        values.parse_axes(CONTEXT, OPTION, text)
    assert refused.value.message == f"{text!r} is no list of axes; write it like 0,-1 or @axes.npy"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("bfloat16", "bfloat16", id="bfloat16"),
        pytest.param("float", "float", id="float"),
        pytest.param("float32", "float", id="float32"),
        pytest.param("float64", "double", id="float64"),
        pytest.param("float8e4m3fn", "float8e4m3fn", id="float8"),
    ],
)
def test_dtype(text, name):
    assert values.parse_dtype(CONTEXT, OPTION, text) is BY_NAME[name]


def test_absent_dtype():
    assert values.parse_dtype(CONTEXT, OPTION, None) is None


@pytest.mark.parametrize("text", ["", "f4", "FLOAT_", "garbage"])
def test_no_dtype(text):
    with pytest.raises(click.BadParameter) as refused:
        values.parse_dtype(CONTEXT, OPTION, text)
    assert refused.value.message.startswith(f"{text!r} is no ONNX type; the types are bool, uint8, uint16, ")


@pytest.mark.parametrize(
    ("opset", "spec", "label"),
    [
        pytest.param(None, "onnx", "Min-13", id="newest"),
        pytest.param(1, "onnx", "Min-1", id="oldest"),
        pytest.param(11, "onnx", "Min-8", id="between"),
        pytest.param(None, "onednn", "oneDNN Minimum", id="onednn"),
    ],
)
def test_version(opset, spec, label):
    assert options.version_of(NAMES, opset, spec).label == label


COMBINATIONS = [
    ("min a.npy --opset 13 --spec onednn", "--opset goes with --spec onnx: oneDNN has no opsets"),
    ("reduce-min a.npy --spec onednn --opset 1", "--opset goes with --spec onnx: oneDNN has no opsets"),
    ("min a.npy --auto-broadcast none", "--auto-broadcast goes with --spec onednn"),
    ("min a.npy --auto-broadcast numpy --spec onnx", "--auto-broadcast goes with --spec onednn"),
    ("min a.npy --quiet --verbose", "--quiet and --verbose exclude each other"),
    ("reduce-min a.npy -qv", "--quiet and --verbose exclude each other"),
    ("min a.npy --json -o -", "--json and -o - would both write to stdout"),
    ("reduce-min a.npy --output - --json", "--json and -o - would both write to stdout"),
]


@pytest.mark.parametrize(("arguments", "message"), COMBINATIONS, ids=[arguments for arguments, _ in COMBINATIONS])
def test_combinations_that_make_no_sense(arguments, message):
    command = arguments.split()[0]
    assert run(*arguments.split()) == (2, b"", f"error: {message}\n  hint: see mincli {command} --help\n")


@pytest.mark.parametrize("arguments", ["min - -", "min a.npy - b.npy -", "reduce-min - --axes @-"])
def test_two_inputs_from_standard_input(arguments):
    outcome = run(*arguments.split())
    message, hint = outcome.stderr.splitlines()
    assert (outcome.code, outcome.stdout, message) == (2, b"", "error: only one input can come from standard input")
    assert hint.startswith("  hint: ")


@pytest.mark.parametrize("command", ["min", "reduce-min"])
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--opset", "0"),
        ("--opset", str(NEWEST_OPSET + 1)),
        ("--opset", "-1"),
        ("--opset", "abc"),
        ("--opset", "13.0"),
        ("--opset", "1_3"),
        ("--opset", "\u0661\u0663"),
        ("--opset", " 13"),
        ("--spec", "tensorflow"),
        ("--dtype", "garbage"),
        ("--threads", "0"),
        ("--threads", "two"),
        ("--threads", "1_0"),
        ("-j", "\u0661"),
        ("--max-memory", "garbage"),
        ("--max-memory", "0"),
        ("--max-memory", "\u0661MiB"),
        ("--max-memory", "1_0MiB"),
        pytest.param("--max-memory", "9" * 400, id="--max-memory-beyond-floats"),
    ],
)
def test_values_that_make_no_sense(command, option, value):
    outcome = run(command, "a.npy", option, value)
    message, hint = outcome.stderr.splitlines()
    assert (outcome.code, outcome.stdout) == (2, b"")
    assert message.startswith("error: Invalid value for ")
    assert option in message
    assert value in message
    assert hint == f"  hint: see mincli {command} --help"


@pytest.mark.parametrize(("option", "value"), [("--opset", "\u0661\u0663"), ("--threads", "1_0")])
def test_numbers_are_of_ascii_digits(option, value):
    message = f"error: Invalid value for '{{}}': '{value}' is not a valid integer.\n  hint: see mincli min --help\n"
    names = {"--threads": "-j' / '--threads"}
    assert run("min", "a.npy", option, value) == (2, b"", message.format(names.get(option, option)))


@pytest.mark.parametrize(
    "redirected",
    [
        pytest.param("-o /dev/stdout | cat", id="dev-stdout"),
        pytest.param("-o /dev/fd/1 | cat", id="dev-fd-1"),
        pytest.param("-o out.npy >out.npy", id="same-file"),
    ],
)
@pytest.mark.parametrize("command", ["min", "reduce-min"])
def test_json_and_data_do_not_share_stdout(command, redirected):
    np.save("a.npy", np.zeros(2, "f4"))
    code, stdout, stderr = shell(f"set -o pipefail; mincli {command} a.npy --json {redirected}")
    output = redirected.split()[1]
    message = f"error: --json and -o {output} would both write to stdout\n  hint: see mincli {command} --help\n"
    assert (code, stdout, stderr) == (2, b"", message)


def test_json_and_no_data_share_dev_null():
    np.save("a.npy", np.zeros(2, "f4"))
    assert shell("mincli min a.npy --json -o /dev/null >/dev/null") == (0, b"", "")


def test_axes_that_make_no_sense():
    message = "error: Invalid value for '--axes': '0;1' is no list of axes; write it like 0,-1 or @axes.npy\n"
    assert run("reduce-min", "a.npy", "--axes", "0;1") == (2, b"", message + "  hint: see mincli reduce-min --help\n")
