"""The Chinese pages are complete: every type, attribute and input is named, every text is Chinese, none is left out."""

import re

import pytest

from mincli.schemas import page_of
from mincli.schemas.language import Language
from mincli.schemas.text import lines_of, sections
from mincli.spec.operators import versions

ROWS = versions("Min") + versions("ReduceMin")
every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.label)

MIN_13 = """\
Min-13
  名稱：Min
  領域：ai.onnx
  起始版本：13（opset 13 起）
  所有版本：1、6、8、12、13
  已棄用：否
  函式：否
  支援等級：COMMON
  形狀推論：是
  廣播：是

摘要
  逐元素取各輸入張量的最小值，支援 NumPy 式的多向廣播：
  各形狀由最後一軸對齊，同一軸的大小必須相等，或其中之一為 1。
  所有輸入與輸出的資料型別必須相同。

輸入（1 到 2147483647 個）
  data_0：T（個數可變、同一型別、可微分）
    要取最小值的張量，一個以上。

輸出（恰好 1 個）
  min：T（必要、可微分）
    輸出張量，形狀為各輸入廣播後的形狀。

型別限制
  T：tensor(bfloat16), tensor(double), tensor(float), tensor(float16), tensor(int16), tensor(int32), tensor(int64), \
tensor(int8), tensor(uint16), tensor(uint32), tensor(uint64), tensor(uint8)
    輸入與輸出的型別限為浮點數、整數張量。

標準未規定之處，以及 mincli 的做法
  NaN：運算元中只要有 NaN，結果就是 NaN，與順序和位置無關；NaN 的酬載不予規定
  有號零：-0 小於 +0，與 IEEE 754-2019 的 minimum 相同
  結果的值：逐位元等於其中一個運算元（NaN 除外）
  整數：絕不會先轉成浮點數
  大小為 0 的軸：依 NumPy 的規則：0 與 1 得 0，0 與 2 則拒絕
  不同的元素型別：不論輸入幾個都拒絕，絕不自動轉換
  輸入中有空的名稱：拒絕
  只有一個輸入：照原樣複製

範例
  逐元素比較（float）
    data_0: [1.0, 5.0, 3.0]
    data_1: [4.0, 2.0, 6.0]
    -> min: [1.0, 2.0, 3.0]
"""


def pages(row):
    """Return the pages of a version in English and in Chinese."""
    return [page_of(row.name, row.since_version, language=language) for language in Language]


def is_chinese(text):
    return bool(re.search("[\u4e00-\u9fff]", text))


def test_text():
    assert "\n".join(lines_of(sections(page_of("Min", language=Language.ZH_TW)))).startswith(MIN_13)


@every_row
def test_what_is_no_text_is_the_same(row):
    english, chinese = pages(row)
    assert chinese.language is Language.ZH_TW
    assert english.language is Language.EN
    for name in ("standard", "domain", "name", "since_version", "last_opset", "versions", "min_inputs", "max_inputs"):
        assert getattr(chinese, name) == getattr(english, name)
    for name in ("attributes", "inputs", "outputs", "type_constraints"):
        pairs = list(zip(getattr(english, name), getattr(chinese, name), strict=True))
        for one, other in pairs:
            fields = {key: value for key, value in vars(one).items() if key != "description"}
            assert fields == {key: value for key, value in vars(other).items() if key != "description"}
    for one, other in zip(english.examples, chinese.examples, strict=True):
        assert repr((one.type, one.inputs, one.attributes, one.outputs)) == repr(
            (other.type, other.inputs, other.attributes, other.outputs)
        )


@every_row
def test_every_text_is_chinese(row):
    english, chinese = pages(row)
    parts = (*chinese.attributes, *chinese.inputs, *chinese.outputs, *chinese.type_constraints)
    assert [part.name for part in parts if not is_chinese(part.description)] == []
    assert is_chinese(chinese.summary)
    assert [example.title for example in chinese.examples if not is_chinese(example.title)] == []
    assert len(chinese.rules) == len(english.rules)
    assert [rule.question for rule in chinese.rules if not is_chinese(rule.rule)] == []


@every_row
def test_every_name_is_there(row):
    _, chinese = pages(row)
    text = "\n".join(lines_of(sections(chinese)))
    for name in [f"tensor({name})" for name in row.types]:
        assert name in text
    for attribute in row.attributes:
        assert f"\n  {attribute.name}：{attribute.type}（" in text
    for name in row.inputs:
        assert f"\n  {name}：" in text
    assert ("不接受負值" in text) == (row.name == "ReduceMin" and row.since_version == 1)
    assert ("False 小於 True" in text) == ("bool" in row.types)


@every_row
def test_headings_and_labels_are_chinese(row):
    _, chinese = pages(row)
    facts, *others = sections(chinese)
    assert [part.heading for part in others if not is_chinese(part.heading)] == []
    assert [line for line in facts.lines if not is_chinese(line.partition("：")[0])] == []


@every_row
def test_it_is_written_as_in_taiwan(row):
    _, chinese = pages(row)
    text = "\n".join(lines_of(sections(chinese)))
    assert [
        word for word in ("张", "标量", "算子", "數組", "默認", "類型", "支持", "維數", "函數", "秩") if word in text
    ] == []
