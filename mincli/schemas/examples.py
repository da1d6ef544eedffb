"""Examples of the minimum operators: small calls with their results, each shown where it is true.

The values are written by hand; `tests/schemas/test_examples.py` works each out by plain loops.
"""

from collections.abc import Callable
from math import inf, nan
from typing import NamedTuple

from mincli.schemas.language import Language, Words
from mincli.schemas.page import Example, Value
from mincli.spec.operators import EmptyAxes, OperatorVersion, Standard


class _Case(NamedTuple):
    """A call; `result` is None if it is refused, and `title` then says why.

    `axes`, `keepdims` and `noop` are None where they are not given.
    """

    title: Words
    applies: Callable[[OperatorVersion], bool]
    type: str
    operands: tuple[Value, ...]
    result: Value
    axes: list[int] | None = None
    keepdims: int | None = None
    noop: int | None = None


def _always(row: OperatorVersion) -> bool:
    return True


def _is_onednn(row: OperatorVersion) -> bool:
    return row.standard is Standard.ONEDNN


def _does_not_broadcast(row: OperatorVersion) -> bool:
    return not row.broadcasts


_MINIMUM = (
    _Case(Words("element by element", "逐元素比較"), _always, "float", ([1.0, 5.0, 3.0], [4.0, 2.0, 6.0]),
          [1.0, 2.0, 3.0]),
    _Case(Words("any number of inputs", "任意個數的輸入"), lambda row: not _is_onednn(row), "float",
          ([3.0, 7.0], [5.0, 1.0], [4.0, 2.0]), [3.0, 1.0]),
    _Case(Words("one input is copied", "只有一個輸入時照原樣複製"), lambda row: not _is_onednn(row), "float",
          ([3.0, -1.0],), [3.0, -1.0]),
    _Case(Words("any NaN gives NaN", "任一為 NaN，結果就是 NaN"), _always, "float",
          ([nan, 1.0, 2.0], [0.0, nan, 3.0]), [nan, nan, 2.0]),
    _Case(Words("-0 is less than +0, in either order", "-0 小於 +0，與順序無關"), _always, "float",
          ([0.0, -0.0], [-0.0, 0.0]), [-0.0, -0.0]),
    _Case(Words("integers are exact", "整數完全精確"), lambda row: "int64" in row.types, "int64",
          ([9007199254740993], [9007199254740994]), [9007199254740993]),
    _Case(Words("a column and a row are broadcast", "一行與一列互相廣播"), lambda row: row.broadcasts, "float",
          ([[1.0], [4.0]], [2.0, 3.0]), [[1.0, 1.0], [2.0, 3.0]]),
    _Case(Words("a scalar is broadcast", "純量會廣播"), lambda row: row.broadcasts, "float",
          ([2.0, -3.0, 5.0], 0.0), [0.0, -3.0, 0.0]),
    _Case(Words("sizes 0 and 1 give 0", "大小 0 與 1 得 0"), lambda row: row.broadcasts, "float", ([], [5.0]), []),
    _Case(Words("shapes that differ: this version does not broadcast", "形狀不同：此版本不支援廣播"),
          _does_not_broadcast, "float", ([[1.0], [4.0]], [2.0, 3.0]), None),
)  # fmt: skip

_REDUCTION = (
    _Case(Words("along axis 1, which stays with size 1", "沿第 1 軸縮減，該軸保留、大小為 1"), _always, "float",
          ([[3.0, 1.0], [2.0, 5.0]],), [[1.0], [2.0]], axes=[1], keepdims=1),
    _Case(Words("along axis 1, which is removed", "沿第 1 軸縮減，該軸移除"), _always, "float",
          ([[3.0, 1.0], [2.0, 5.0]],), [1.0, 2.0], axes=[1], keepdims=0),
    _Case(Words("no axes: all are reduced", "未給 axes：縮減所有軸"), lambda row: not _is_onednn(row), "float",
          ([[3.0, 1.0], [2.0, 5.0]],), [[1.0]]),
    _Case(Words("empty axes: all are reduced", "axes 為空：縮減所有軸"), lambda row: not _is_onednn(row), "float",
          ([[3.0, 1.0], [2.0, 5.0]],), [[1.0]], axes=[]),
    _Case(Words("empty axes, noop_with_empty_axes: the identity", "axes 為空，noop_with_empty_axes 為 1：原樣輸出"),
          lambda row: row.empty_axes is EmptyAxes.ALL_OR_NOOP, "float",
          ([[3.0, 1.0], [2.0, 5.0]],), [[3.0, 1.0], [2.0, 5.0]], axes=[], noop=1),
    _Case(Words("empty axes: the identity", "axes 為空：原樣輸出"), _is_onednn, "float",
          ([[3.0, 1.0], [2.0, 5.0]],), [[3.0, 1.0], [2.0, 5.0]], axes=[]),
    _Case(Words("a negative axis counts from the end", "負的軸從最後往前數"), lambda row: row.negative_axes, "float",
          ([[3.0, 1.0], [2.0, 5.0]],), [[1.0], [2.0]], axes=[-1], keepdims=1),
    _Case(Words("a negative axis: this version has none", "負的軸：此版本不接受"), lambda row: not row.negative_axes,
          "float", ([[3.0, 1.0], [2.0, 5.0]],), None, axes=[-1]),
    _Case(Words("a NaN anywhere gives NaN", "任何位置有 NaN，結果就是 NaN"), _always, "float",
          ([[1.0, nan], [2.0, 3.0]],), [nan, 2.0], axes=[1], keepdims=0),
    _Case(Words("-0 is less than +0", "-0 小於 +0"), _always, "float", ([0.0, -0.0],), [-0.0], axes=[0], keepdims=1),
    _Case(Words("the minimum of no floats is +inf", "沒有浮點數時，最小值為 +inf"), _always, "float",
          ([[], []],), [inf, inf], axes=[1], keepdims=0),
    _Case(Words("the minimum of no integers is the greatest", "沒有整數時，最小值為該型別的最大值"),
          lambda row: "int32" in row.types, "int32", ([[], []],), [2147483647, 2147483647], axes=[1], keepdims=0),
    _Case(Words("False is less than True", "False 小於 True"), lambda row: "bool" in row.types, "bool",
          ([[True, False], [True, True]],), [False, True], axes=[1], keepdims=0),
    _Case(Words("a scalar has no axes", "純量沒有軸"), lambda row: not _is_onednn(row), "float", (5.0,), 5.0),
)  # fmt: skip


def examples_of(row: OperatorVersion, language: Language) -> tuple[Example, ...]:
    """Return the examples that are true for an operator version, with its names.

    Args:
        row: of any of the four operators.
        language: of the titles.
    """
    cases = _REDUCTION if row.reduces else _MINIMUM
    return tuple(_example(case, row, language) for case in cases if case.applies(row))


def _example(case: _Case, row: OperatorVersion, language: Language) -> Example:
    inputs = dict(zip(_names(row, len(case.operands)), case.operands, strict=True))
    attributes: dict[str, Value] = {}
    if case.axes is not None:
        (attributes if row.has_attribute("axes") else inputs)["axes"] = case.axes
    if case.keepdims is not None:
        attributes |= {"keep_dims": bool(case.keepdims)} if _is_onednn(row) else {"keepdims": case.keepdims}
    if case.noop is not None:
        attributes["noop_with_empty_axes"] = case.noop
    refused = case.result is None
    outputs = {} if refused else {_output(row): case.result}
    return Example(case.title.of(language), case.type, inputs, attributes, outputs, refused)


def _names(row: OperatorVersion, count: int) -> list[str]:
    """Return names for the operands: the one variadic input of Min stands for as many as there are."""
    if row.max_inputs > len(row.inputs):
        return [f"{row.inputs[0].removesuffix('0')}{place}" for place in range(count)]
    return list(row.inputs[:count])


def _output(row: OperatorVersion) -> str:
    if _is_onednn(row):
        return "dst"
    return "reduced" if row.reduces else "min"
