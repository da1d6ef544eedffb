"""The error tree, the exit codes, and what is shown of untrusted names."""

import copy
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mincli import errors
from mincli.errors import MincliError, counted, printable

# class, exit code, parent, the built-in that a caller would expect to catch
TREE = [
    ("UsageError", 2, "MincliError", ValueError),
    ("InputError", 3, "MincliError", Exception),
    ("FileError", 3, "InputError", OSError),
    ("FormatError", 3, "InputError", ValueError),
    ("ModelError", 3, "InputError", ValueError),
    ("ElementTypeError", 3, "InputError", TypeError),
    ("ShapeError", 3, "InputError", ValueError),
    ("AxesError", 3, "InputError", ValueError),
    ("OperatorAttributeError", 3, "InputError", ValueError),
    ("EngineError", 4, "MincliError", RuntimeError),
    ("KernelError", 4, "EngineError", RuntimeError),
    ("RefusedModelError", 4, "EngineError", RuntimeError),
    ("CrashError", 4, "EngineError", RuntimeError),
    ("TimeLimitError", 4, "EngineError", RuntimeError),
    ("OutputError", 5, "MincliError", OSError),
]
every_error = pytest.mark.parametrize("name", [row[0] for row in TREE])


def all_errors(root=MincliError):
    return {root.__name__}.union(*(all_errors(child) for child in root.__subclasses__()))


def test_the_tree_is_complete():
    assert all_errors() == {"MincliError", *(row[0] for row in TREE)}


def test_the_docstring_draws_the_tree():
    drawn = re.findall(r"^    (?:│   )?[├└]── (\w+) +(\d?)", errors.__doc__, re.MULTILINE)
    own_code = {"MincliError": True, "InputError": False, "EngineError": False}
    assert drawn == [(name, str(code) if own_code.get(parent) else "") for name, code, parent, _ in TREE]
    inner = re.findall(r"^    │   [├└]── (\w+)", errors.__doc__, re.MULTILINE)
    assert inner == [name for name, _, parent, _ in TREE if parent != "MincliError"]


@pytest.mark.parametrize(("name", "code", "parent", "builtin"), TREE, ids=[row[0] for row in TREE])
def test_exit_code_parent_and_builtin(name, code, parent, builtin):
    error = getattr(errors, name)
    assert error.exit_code == code
    assert issubclass(error, getattr(errors, parent))
    assert issubclass(error, builtin)


def test_an_error_of_no_kind_is_a_fault_of_mincli():
    assert MincliError.exit_code == 70


@pytest.mark.parametrize(
    ("details", "hint", "text"),
    [
        pytest.param((), "", "what happened", id="message"),
        pytest.param(["allowed", "drawing"], "", "what happened\n  allowed\n  drawing", id="details"),
        pytest.param((), "next step", "what happened\n  hint: next step", id="hint"),
        pytest.param(["allowed"], "next step", "what happened\n  allowed\n  hint: next step", id="all"),
    ],
)
@every_error
def test_text(name, details, hint, text):
    error = getattr(errors, name)("what happened", details=details, hint=hint)
    assert str(error) == text
    assert (error.message, error.details, error.hint) == ("what happened", tuple(details), hint)
    assert error.args == ("what happened",)


@every_error
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_keeps_everything(name, protocol):
    error = getattr(errors, name)("what", details=["allowed"], hint="next")
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is type(error)
    assert (again.message, again.details, again.hint, str(again)) == ("what", ("allowed",), "next", str(error))


@every_error
def test_copying_keeps_everything(name):
    error = getattr(errors, name)("what", details=["allowed"], hint="next")
    assert vars(copy.copy(error)) == vars(copy.deepcopy(error)) == vars(error)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("weights/a b.npy", "weights/a b.npy", id="plain"),
        pytest.param("", "''", id="empty"),
        pytest.param("größe/数据-é.npz:m", "größe/数据-é.npz:m", id="letters-of-the-world"),
        pytest.param("[bold]x[/] :x:", "[bold]x[/] :x:", id="markup-is-only-text"),
        pytest.param("a\x1b[31m.npy", r"a\x1b[31m.npy", id="escape-sequence"),
        pytest.param("a\x1b]0;title\x07", r"a\x1b]0;title\x07", id="title-sequence"),
        pytest.param("a\x9b31m", r"a\x9b31m", id="eight-bit-escape"),
        pytest.param("a\nerror: b", r"a\nerror: b", id="newline"),
        pytest.param("a\rb\tc\x00d\x7f", r"a\rb\tc\x00d\x7f", id="controls"),
        pytest.param("a\u2028b\u2029c\x85", r"a\u2028b\u2029c\x85", id="other-newlines"),
        pytest.param("a\udcffb", r"a\udcffb", id="undecodable-byte"),
        pytest.param("\ud800", r"\ud800", id="lone-surrogate"),
        pytest.param("a\u202eypn.b", r"a\u202eypn.b", id="bidi-override"),
        pytest.param("\u2066a\u2069", r"\u2066a\u2069", id="bidi-isolate"),
        pytest.param("a\u200bb", r"a\u200bb", id="zero-width"),
        pytest.param("\U000e0041", r"\U000e0041", id="tag"),
    ],
)
def test_printable(name, shown):
    assert ascii(printable(name)) == ascii(shown)  # so that a failure can be reported, too


@given(st.text(st.characters(exclude_categories=())))
def test_anything_printed_is_safe(name):
    shown = printable(name)
    assert shown.isprintable()
    assert shown.encode().decode() == shown
    assert printable(shown) == shown


def test_numbers_of_things():
    assert [counted(number, "node") for number in (0, 1, 2)] == ["0 nodes", "1 node", "2 nodes"]
