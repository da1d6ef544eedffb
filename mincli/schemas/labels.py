"""The words of the pages that are not of a schema: labels, headings, and how their values are put."""

from mincli.schemas.language import Language, Words
from mincli.schemas.page import Page, Parameter
from mincli.spec.operators import opsets_in_words

NAME = Words("name", "名稱")
DOMAIN = Words("domain", "領域")
SINCE_VERSION = Words("since_version", "起始版本")
VERSIONS = Words("versions", "所有版本")
DEPRECATED = Words("deprecated", "已棄用")

SUMMARY = Words("Summary", "摘要")
FUNCTION_BODY = Words("Function body", "函式主體")
ATTRIBUTES = Words("Attributes", "屬性")
INPUTS = Words("Inputs", "輸入")
OUTPUTS = Words("Outputs", "輸出")
TYPE_CONSTRAINTS = Words("Type constraints", "型別限制")
RULES = Words("What the standard leaves open, and what mincli does", "標準未規定之處，以及 mincli 的做法")
EXAMPLES = Words("Examples", "範例")

YES = Words("yes", "是")
NO = Words("no", "否")
REQUIRED = Words("required", "必要")
OPTIONAL = Words("optional", "選用")
DEFAULT = Words("default {}", "預設 {}")
REFUSED = Words("refused", "拒絕")

OPTIONS = {"single": REQUIRED, "optional": OPTIONAL, "variadic": Words("variadic", "個數可變")}
HOMOGENEOUS = Words("homogeneous", "同一型別")
HETEROGENEOUS = Words("heterogeneous", "可為不同型別")
DIFFERENTIABLE = Words("differentiable", "可微分")
NOT_DIFFERENTIABLE = Words("not differentiable", "不可微分")

OLD_VERSION = Words("old version", "舊版本")
NEW_VERSION = Words("new version", "新版本")
BREAKING = Words("breaking", "破壞相容性")
CHANGES_MEANING = Words("changes meaning", "意義改變")
NONE_KNOWN = Words("none is known", "未知有此改變")
SIMILARITY = Words("similarity", "相似度")
LINES = Words("lines", "行數")
DIFF = Words("Unified diff of the text", "文字差異")
ADDED = Words("added", "新增")
REMOVED = Words("removed", "移除")
NOTHING = Words("nothing changes", "沒有任何改變")
JUDGED_BY_SCHEMA = Words(
    "judged by types, attributes, inputs and outputs; what only the text says is not judged",
    "依型別、屬性、輸入與輸出判斷；只寫在說明文字中的規定不在判斷之列",
)
OF_WORDS = Words("of the words", "以字詞計")

FIELDS = {
    "deprecated": DEPRECATED,
    "function": Words("function", "函式"),
    "support_level": Words("support_level", "支援等級"),
    "shape_inference": Words("shape inference", "形狀推論"),
    "broadcasting": Words("broadcasting", "廣播"),
    "negative_axes": Words("negative axes", "負的軸"),
    "empty_axes": Words("absent or empty axes", "未給或為空的 axes"),
    "min_inputs": Words("least number of inputs", "輸入最少個數"),
    "max_inputs": Words("greatest number of inputs", "輸入最多個數"),
    "min_outputs": Words("least number of outputs", "輸出最少個數"),
    "max_outputs": Words("greatest number of outputs", "輸出最多個數"),
    "type": Words("type", "型別"),
    "option": Words("presence", "必要性"),
    "required": REQUIRED,
    "default": Words("default value", "預設值"),
    "homogeneous": HOMOGENEOUS,
    "differentiable": DIFFERENTIABLE,
}
"""What the fields of a page are called."""


def yes_or_no(value: bool, language: Language) -> str:
    """Return a truth value in words.

    Args:
        value: any.
        language: of the words.
    """
    return (YES if value else NO).of(language)


def deprecated(page: Page) -> str:
    """Return whether a page's version is deprecated, in words.

    Args:
        page: of ONNX.
    """
    since = page.since_version
    if not page.deprecated:
        return NO.of(page.language)
    return Words(
        f"yes, models of opset {since} and newer may not use it", f"是，opset {since} 起的模型不得使用"
    ).of(page.language)  # fmt: skip


def pair(label: str, value: object, language: Language) -> str:
    """Return a label with its value.

    Args:
        label: in the language.
        value: of the label.
        language: of both.
    """
    return Words(f"{label}: {value}", f"{label}：{value}").of(language)


def remark(text: object, note: str, language: Language) -> str:
    """Return a text with a remark in brackets.

    Args:
        text: any.
        note: the remark.
        language: of both.
    """
    return Words(f"{text} ({note})", f"{text}（{note}）").of(language)


def opsets(page: Page) -> str:
    """Return the opsets that mean a page's version, in words.

    Args:
        page: of ONNX.
    """
    first, last = page.since_version, page.last_opset
    assert first is not None
    chinese = "起" if last is None else f"到 {last}" if last > first else ""
    return Words(opsets_in_words(first, last), f"opset {first} {chinese}".rstrip()).of(page.language)


def count(low: int, high: int, language: Language) -> str:
    """Return how many inputs or outputs there may be, in words.

    Args:
        low: at least so many.
        high: at most so many.
        language: of the words.
    """
    if low == high:
        return (Words(f"exactly {low}", f"恰好 {low} 個") if low else Words("none", "無")).of(language)
    return Words(f"between {low} and {high}", f"{low} 到 {high} 個").of(language)


def traits(parameter: Parameter, language: Language) -> str:
    """Return what a parameter is beside its type, in words.

    Args:
        parameter: of a page.
        language: of the words.
    """
    words = [OPTIONS[parameter.option]]
    if parameter.option == "variadic":
        words.append(HOMOGENEOUS if parameter.homogeneous else HETEROGENEOUS)
    if parameter.differentiable is not None:
        words.append(DIFFERENTIABLE if parameter.differentiable else NOT_DIFFERENTIABLE)
    return Words(", ", "、").of(language).join(word.of(language) for word in words)
