"""What changes between versions: hand-written for Min and ReduceMin, in both directions, and for some others."""

from itertools import pairwise

import pytest

from mincli.schemas import page_of, registry
from mincli.schemas.difference import Change, between
from mincli.schemas.difference_text import sections
from mincli.schemas.language import Language
from mincli.schemas.text import lines_of

INTEGERS = ("int16", "int32", "int64", "int8", "uint16", "uint32", "uint64", "uint8")


def tensors(*names):
    return tuple(f"tensor({name})" for name in names)


# name, old, new, reasons, types added, types removed, attributes added, removed, inputs added, removed
CHANGES = [
    ("Min", 1, 6, ["the attribute consumed_inputs is gone"], (), (), (), ("consumed_inputs",), (), ()),
    ("Min", 6, 1, [], (), (), ("consumed_inputs",), (), (), ()),
    ("Min", 6, 8, [], (), (), (), (), (), ()),
    ("Min", 8, 6, ["shapes are no longer broadcast"], (), (), (), (), (), ()),
    ("Min", 8, 12, [], tensors(*INTEGERS), (), (), (), (), ()),
    ("Min", 12, 8, ["T may no longer be " + ", ".join(tensors(*INTEGERS))], (), tensors(*INTEGERS), (), (), (), ()),
    ("Min", 12, 13, [], tensors("bfloat16"), (), (), (), (), ()),
    ("Min", 13, 12, ["T may no longer be tensor(bfloat16)"], (), tensors("bfloat16"), (), (), (), ()),
    ("ReduceMin", 1, 11, [], (), (), (), (), (), ()),
    ("ReduceMin", 11, 1, ["negative axes are refused"], (), (), (), (), (), ()),
    ("ReduceMin", 11, 12, [], tensors("int8", "uint8"), (), (), (), (), ()),
    ("ReduceMin", 12, 11, ["T may no longer be tensor(int8), tensor(uint8)"], (), tensors("int8", "uint8"), (), (),
     (), ()),
    ("ReduceMin", 12, 13, [], tensors("bfloat16"), (), (), (), (), ()),
    ("ReduceMin", 13, 12, ["T may no longer be tensor(bfloat16)"], (), tensors("bfloat16"), (), (), (), ()),
    ("ReduceMin", 13, 18, ["the attribute axes is an input now"], (), (), ("noop_with_empty_axes",), ("axes",),
     ("axes",), ()),
    ("ReduceMin", 18, 13, ["the attribute noop_with_empty_axes is gone", "the input axes is an attribute now",
                           "the greatest number of inputs is 1 instead of 2"], (), (), ("axes",),
     ("noop_with_empty_axes",), (), ("axes",)),
    ("ReduceMin", 18, 20, [], tensors("bool"), (), (), (), (), ()),
    ("ReduceMin", 20, 18, ["T may no longer be tensor(bool)"], (), tensors("bool"), (), (), (), ()),
    ("Min", 1, 13, ["the attribute consumed_inputs is gone"], tensors("bfloat16", *INTEGERS), (), (),
     ("consumed_inputs",), (), ()),
]  # fmt: skip


def compared(name, old, new, language=Language.EN):
    return between(page_of(name, old, language=language), page_of(name, new, language=language))


@pytest.mark.parametrize("row", CHANGES, ids=[f"{name}-{old}-to-{new}" for name, old, new, *_ in CHANGES])
def test_changes(row):
    name, old, new, reasons, gained, lost, attributes, attributes_gone, inputs, inputs_gone = row
    found = compared(name, old, new)
    assert list(found.reasons) == reasons
    assert found.breaking is bool(reasons)
    assert [(t.name, t.added, t.removed) for t in found.types] == ([("T", gained, lost)] if gained or lost else [])
    assert (found.attributes.added, found.attributes.removed) == (attributes, attributes_gone)
    assert (found.inputs.added, found.inputs.removed) == (inputs, inputs_gone)
    assert (found.outputs.added, found.outputs.removed) == ((), ())


def test_every_pair_of_neighbours_is_in_the_table():
    pairs = {(name, old, new) for name, old, new, *_ in CHANGES}
    for name in ("Min", "ReduceMin"):
        versions = page_of(name).versions
        for old, new in pairwise(versions):
            assert {(name, old, new), (name, new, old)} <= pairs


@pytest.mark.parametrize(
    ("name", "old", "new", "properties"),
    [
        pytest.param("Min", 1, 6, [("shape_inference", False, True)], id="shape-inference"),
        pytest.param("Min", 6, 8, [("broadcasting", False, True)], id="broadcasting"),
        pytest.param("ReduceMin", 1, 11, [("negative_axes", False, True)], id="negative-axes"),
        pytest.param(
            "ReduceMin",
            13,
            18,
            [
                ("max_inputs", 1, 2),
                ("empty_axes", "reduce all axes", "reduce all axes, or none with noop_with_empty_axes"),
            ],
            id="axes-move",
        ),
        pytest.param("Upsample", 9, 10, [("deprecated", False, True)], id="deprecated"),
        pytest.param("Softmax", 11, 13, [("function", False, True)], id="function"),
        pytest.param("Upsample", 1, 7, [("support_level", "EXPERIMENTAL", "COMMON")], id="support-level"),
    ],
)
def test_properties(name, old, new, properties):
    found = [(change.field, change.old, change.new) for change in compared(name, old, new).properties]
    assert [change for change in found if change in properties] == properties
    if name in ("Min", "ReduceMin"):
        assert found == properties


def test_what_changed_about_an_attribute_and_a_parameter():
    found = compared("Softmax", 11, 13)
    assert found.attributes.changed == (Change("axis", "default", 1, -1),)
    assert found.inputs.changed == (Change("input", "differentiable", None, True),)
    assert found.reasons == ()


@pytest.mark.parametrize(
    ("name", "old", "new", "reasons"),
    [
        pytest.param("Cast", 1, 6, ["the attribute to is INT instead of STRING"], id="attribute-type"),
        pytest.param("BatchNormalization", 6, 1, ["the attribute consumed_inputs is required"], id="required"),
        pytest.param("Upsample", 9, 10, ["the operator is deprecated"], id="deprecated"),
        pytest.param("Upsample", 10, 9, [], id="nothing-was-valid"),
        pytest.param("Loop", 1, 11, [], id="fewer-inputs-needed"),
        pytest.param("Loop", 11, 1, ["the least number of inputs is 3 instead of 2"], id="more-inputs-needed"),
        pytest.param(
            "BatchNormalization", 9, 14, ["the greatest number of outputs is 3 instead of 5"], id="fewer-outputs"
        ),
        pytest.param(
            "BatchNormalization",
            15,
            14,
            [
                "X and scale need one type",
                "X and B need one type",
                "scale and Y need one type",
                "B and Y need one type",
            ],
            id="types-tied",
        ),
        pytest.param("BatchNormalization", 14, 15, [], id="types-untied"),
        pytest.param(
            "Resize",
            13,
            11,
            [
                "the least number of inputs is 3 instead of 1",
                "T1 may no longer be tensor(bfloat16)",
                "roi may not be left out",
                "scales may not be left out",
            ],
            id="optional-inputs",
        ),
        pytest.param(
            "Dropout",
            7,
            10,
            ["mask may no longer be tensor(double), tensor(float), tensor(float16)"],
            id="output-type",
        ),
    ],
)
def test_reasons_of_other_operators(name, old, new, reasons):
    assert list(compared(name, old, new).reasons) == reasons


def test_type_variables_are_compared_by_what_is_of_them():
    floats = tensors("double", "float", "float16")
    for old, new, gained, lost in ((10, 12, floats, ()), (12, 10, (), floats)):
        found = compared("Dropout", old, new).types
        assert [(own.name, own.added, own.removed) for own in found] == [("T1", gained, lost)]


def test_a_difference_with_itself():
    found = compared("Min", 9, 11)
    assert (found.breaking, found.similarity, found.lines_added, found.lines_removed, found.diff) == (
        False, 1.0, 0, 0, ()
    )  # fmt: skip


def test_measures_of_the_text():
    found = compared("Min", 1, 6)
    # Gone are an empty line and the three lines "Attributes", "consumed_inputs: INTS (optional)" and
    # "legacy optimization attribute.": seven words beside the 61 that are the same.
    assert (found.lines_added, found.lines_removed) == (0, 4)
    assert found.similarity == round(2 * 61 / (61 + 61 + 7), 4)
    assert [line for line in found.diff if line.startswith("-")] == [
        "--- Min-1",
        "-",
        "-Attributes",
        "-  consumed_inputs: INTS (optional)",
        "-    legacy optimization attribute.",
    ]


DIFFERENCE = """\
Min-8 -> Min-13
  old version: Min-8 (opset 8 to 11)
  new version: Min-13 (opset 13 and newer)
  breaking: no
  changes meaning: no
  similarity: 0.88 (of the words)
  lines: 4 added, 4 removed

Type constraints
  T added: tensor(bfloat16), tensor(int16), tensor(int32), tensor(int64), tensor(int8), tensor(uint16), \
tensor(uint32), tensor(uint64), tensor(uint8)

Inputs
  data_0 differentiable: not given -> yes

Outputs
  min differentiable: not given -> yes
"""


def test_text():
    lines = list(lines_of(sections(compared("Min", 8, 13))))
    place = lines.index("Unified diff of the text")
    assert "\n".join(lines[:place]) == DIFFERENCE
    assert lines[place + 1 :] == [
        "  --- Min-8",
        "  +++ Min-13",
        "  @@ -4,13 +4,13 @@",
        "     This operator supports **multidirectional (i.e., Numpy-style) broadcasting**; for more details please"
        " check [the doc](Broadcasting.md).",
        "",
        "   Inputs (between 1 and 2147483647)",
        "  -  data_0: T (variadic, homogeneous)",
        "  +  data_0: T (variadic, homogeneous, differentiable)",
        "       List of tensors for min.",
        "",
        "   Outputs (exactly 1)",
        "  -  min: T (required)",
        "  +  min: T (required, differentiable)",
        "       Output tensor.",
        "",
        "   Type constraints",
        "  -  T: tensor(double), tensor(float), tensor(float16)",
        "  -    Constrain input and output types to float tensors.",
        "  +  T: tensor(bfloat16), tensor(double), tensor(float), tensor(float16), tensor(int16), tensor(int32),"
        " tensor(int64), tensor(int8), tensor(uint16), tensor(uint32), tensor(uint64), tensor(uint8)",
        "  +    Constrain input and output types to numeric tensors.",
    ]


CHINESE = """\
ReduceMin-13 -> ReduceMin-18
  舊版本：ReduceMin-13（opset 13 到 17）
  新版本：ReduceMin-18（opset 18 到 19）
  破壞相容性：是
    屬性 axes 改為輸入
  意義改變：否
  輸入最多個數：1 -> 2
  未給或為空的 axes：縮減所有軸 -> 縮減所有軸；noop_with_empty_axes 為 1 時則不縮減任何軸
"""


def test_text_in_chinese():
    text = "\n".join(lines_of(sections(compared("ReduceMin", 13, 18, Language.ZH_TW))))
    assert text.startswith(CHINESE)
    assert "\n屬性\n  新增：noop_with_empty_axes\n  移除：axes\n" in text
    assert "\n文字差異\n  --- ReduceMin-13\n  +++ ReduceMin-18\n" in text


def test_what_the_text_alone_says_is_not_judged():
    lines = list(lines_of(sections(compared("Softmax", 11, 13))))
    assert lines[3] == (
        "  breaking: no (judged by types, attributes, inputs and outputs; what only the text says is not judged)"
    )


def test_every_operator_compares():
    for operator, versions in registry.history().items():
        pages = [page_of(str(operator), version) for version in versions]
        for old, new in pairwise(pages):
            lines = list(lines_of(sections(between(old, new))))
            assert lines[0] == f"{old.label} -> {new.label}"
