"""The pages of ONNX Min and ReduceMin in Traditional Chinese as it is written in Taiwan, in our own words."""

from dataclasses import replace

from mincli.schemas.language import Language
from mincli.schemas.page import Page
from mincli.spec.operators import EmptyAxes, OperatorVersion

_EMPTY_AXES = {
    EmptyAxes.ALL: "預設縮減輸入張量的所有軸。",
    EmptyAxes.ALL_OR_NOOP: "未給或為空時，由 noop_with_empty_axes 決定：為 0 則縮減所有軸，為 1 則不縮減任何軸。",
}


def translated(page: Page, row: OperatorVersion) -> Page:
    """Return a page with all of its texts in Chinese.

    Args:
        page: of ONNX Min or ReduceMin.
        row: of the same version.
    """
    axes = _axes(row)
    descriptions = {
        "consumed_inputs": "早期的最佳化屬性，已無作用。",
        "axes": axes,
        "keepdims": "是否保留被縮減的軸。預設值 1 表示保留，其大小為 1。",
        "noop_with_empty_axes": "axes 未給或為空時的行為。為 0（預設）時縮減所有軸，如同 NumPy 的 axis=None；"
        "為 1 時不縮減任何軸，如同 NumPy 的 axis=()，輸出等於輸入。",
        "data_0": "要取最小值的張量，一個以上。",
        "min": "輸出張量，" + ("形狀為各輸入廣播後的形狀。" if row.broadcasts else "形狀與輸入相同。"),
        "data": "輸入張量。",
        "reduced": "縮減後的輸出張量。",
    }
    return replace(
        page,
        language=Language.ZH_TW,
        summary=_reduction(row) if row.reduces else _minimum(row),
        attributes=tuple(replace(each, description=descriptions[each.name]) for each in page.attributes),
        inputs=tuple(replace(each, description=descriptions[each.name]) for each in page.inputs),
        outputs=tuple(replace(each, description=descriptions[each.name]) for each in page.outputs),
        type_constraints=tuple(replace(each, description=_types(row)) for each in page.type_constraints),
    )


def _minimum(row: OperatorVersion) -> str:
    if not row.broadcasts:
        return "逐元素取各輸入張量的最小值。所有輸入與輸出的形狀和資料型別都必須相同。"
    return (
        "逐元素取各輸入張量的最小值，支援 NumPy 式的多向廣播：\n"
        "各形狀由最後一軸對齊，同一軸的大小必須相等，或其中之一為 1。\n"
        "所有輸入與輸出的資料型別必須相同。"
    )


def _reduction(row: OperatorVersion) -> str:
    sentences = [
        "沿指定的軸取輸入張量各元素的最小值。",
        "keepdims 為 1 時，結果的階數與輸入相同；為 0 時，被縮減的軸會移除。",
        "輸入可以是零階張量（純量）。空集合的最小值是正無限大；型別沒有無限大時，則是該型別的最大值。",
    ]
    if "bool" in row.types:
        sentences.append("布林值比較時，False 小於 True。")
    sentences.append("行為與 NumPy 相似，但 NumPy 的 keepdims 預設為 False，ONNX 則預設為 1（True）。")
    return "\n".join(sentences)


def _axes(row: OperatorVersion) -> str:
    """Return the description of axes, which is an attribute or an input; "" for Min, which has none."""
    if row.empty_axes is None:
        return ""
    allowed = "可接受的範圍是 [-r, r-1]" if row.negative_axes else "可接受的範圍是 [0, r-1]，不接受負值"
    return f"要縮減的軸，為整數的串列。{_EMPTY_AXES[row.empty_axes]}{allowed}，其中 r 為 data 的階數。"


def _types(row: OperatorVersion) -> str:
    """Return the description of the type constraint."""
    kinds = ["浮點數"]
    if "int32" in row.types:
        kinds.append("整數")
    if "bool" in row.types:
        kinds.append("布林")
    return f"輸入與輸出的型別限為{'、'.join(kinds)}張量。"
