"""What the standards leave open about the minimum operators, and what mincli does, row by row."""

from collections.abc import Callable
from typing import NamedTuple

from mincli.schemas.language import Language, Words
from mincli.schemas.page import Behaviour, Rule
from mincli.spec.operators import EmptyAxes, OperatorVersion, Standard

EMPTY_AXES = {
    EmptyAxes.ALL: Words(EmptyAxes.ALL.value, "縮減所有軸"),
    EmptyAxes.ALL_OR_NOOP: Words(EmptyAxes.ALL_OR_NOOP.value, "縮減所有軸；noop_with_empty_axes 為 1 時則不縮減任何軸"),
    EmptyAxes.IDENTITY: Words(EmptyAxes.IDENTITY.value, "不縮減任何軸"),
}
"""What axes that are absent, or given but empty, mean."""


class _Rule(NamedTuple):
    applies: Callable[[OperatorVersion], bool]
    question: Words
    rule: Words


def _is_onnx(row: OperatorVersion) -> bool:
    return row.standard is Standard.ONNX


_RULES = (
    _Rule(
        lambda row: True,
        Words("NaN", "NaN"),
        Words(
            "any NaN among the operands gives NaN, whatever the order or place; which payload is unspecified",
            "運算元中只要有 NaN，結果就是 NaN，與順序和位置無關；NaN 的酬載不予規定",
        ),
    ),
    _Rule(
        lambda row: True,
        Words("signed zero", "有號零"),
        Words("-0 is less than +0, as in IEEE 754-2019 minimum", "-0 小於 +0，與 IEEE 754-2019 的 minimum 相同"),
    ),
    _Rule(
        lambda row: True,
        Words("the value", "結果的值"),
        Words("is one of the operands, bit for bit (NaN aside)", "逐位元等於其中一個運算元（NaN 除外）"),
    ),
    _Rule(
        lambda row: "int64" in row.types,
        Words("integers", "整數"),
        Words("never pass through floats", "絕不會先轉成浮點數"),
    ),
    _Rule(
        lambda row: row.reduces and not _is_onnx(row),
        Words("empty reduction", "空集合的縮減"),
        Words("+inf", "得 +inf"),
    ),
    _Rule(
        lambda row: row.reduces and _is_onnx(row),
        Words("empty reduction", "空集合的縮減"),
        Words(
            "+inf for floats, the greatest value for integers, True for bool, in every version",
            "浮點數得 +inf，整數得該型別的最大值，布林得 True；各版本皆同",
        ),
    ),
    _Rule(
        lambda row: row.empty_axes is EmptyAxes.ALL,
        Words("axes that are given but empty", "給了 axes 但為空"),
        Words("reduce all axes, as absent ones do", "與未給時相同，縮減所有軸"),
    ),
    _Rule(
        lambda row: row.reduces and _is_onnx(row),
        Words("repeated axes", "重複的軸"),
        Words("refused, also an axis given by both its signs", "拒絕；同一軸以正負兩種寫法各給一次也一樣"),
    ),
    _Rule(
        lambda row: row.reduces and not row.negative_axes,
        Words("negative axes", "負的軸"),
        Words("refused before ReduceMin-11", "ReduceMin-11 以前一律拒絕"),
    ),
    _Rule(
        lambda row: row.reduces and _is_onnx(row) and not row.has_attribute("axes"),
        Words("the input axes", "輸入 axes"),
        Words("an int64 vector only", "只接受 int64 向量"),
    ),
    _Rule(
        lambda row: row.reduces and _is_onnx(row),
        Words("keepdims other than 0 or 1", "keepdims 不是 0 或 1"),
        Words("any non-zero value keeps the axes", "非零的值都視為保留"),
    ),
    _Rule(
        lambda row: row.broadcasts,
        Words("axes of size 0", "大小為 0 的軸"),
        Words("NumPy's rule: 0 with 1 gives 0, 0 with 2 is refused", "依 NumPy 的規則：0 與 1 得 0，0 與 2 則拒絕"),
    ),
    _Rule(
        lambda row: not row.reduces,
        Words("mixed element types", "不同的元素型別"),
        Words("refused at any arity, never promoted", "不論輸入幾個都拒絕，絕不自動轉換"),
    ),
    _Rule(
        lambda row: not row.reduces and _is_onnx(row),
        Words("an empty name among the inputs", "輸入中有空的名稱"),
        Words("refused", "拒絕"),
    ),
    _Rule(
        lambda row: not row.reduces and _is_onnx(row),
        Words("one input", "只有一個輸入"),
        Words("a copy", "照原樣複製"),
    ),
)


def rules_of(row: OperatorVersion, language: Language) -> tuple[Rule, ...]:
    """Return the rules that concern an operator version.

    Args:
        row: of any of the four operators.
        language: of the texts.
    """
    return tuple(Rule(each.question.of(language), each.rule.of(language)) for each in _RULES if each.applies(row))


def behaviour_of(row: OperatorVersion, language: Language) -> Behaviour:
    """Return what the row knows beside the schema, and ONNX says in prose only.

    Args:
        row: of any of the four operators.
        language: of the texts.
    """
    if row.empty_axes is None:
        return Behaviour(row.broadcasts, None, None)
    return Behaviour(None, row.negative_axes, EMPTY_AXES[row.empty_axes].of(language))
