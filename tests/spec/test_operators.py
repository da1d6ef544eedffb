"""The rows of operator versions against the schemas of the installed onnx, and against oneDNN's documentation."""

import onnx
import pytest

from mincli.errors import UsageError
from mincli.spec.operators import (
    NEWEST_OPSET,
    OPERATOR_VERSIONS,
    Attribute,
    EmptyAxes,
    OperatorVersion,
    Standard,
    resolve,
    versions,
)

SCHEMAS = {
    (schema.name, schema.since_version): schema
    for schema in onnx.defs.get_all_schemas_with_history()
    if schema.domain == "" and schema.name in ("Min", "ReduceMin")
}
ONNX_ROWS = [row for row in OPERATOR_VERSIONS if row.standard is Standard.ONNX]
every_onnx_row = pytest.mark.parametrize("row", ONNX_ROWS, ids=lambda row: row.label)


def schema_of(row: OperatorVersion) -> onnx.defs.OpSchema:
    return SCHEMAS[row.name, row.since_version]


def axes_text(schema: onnx.defs.OpSchema) -> str:
    """Return what a schema of ReduceMin says about axes, whether they are an attribute or an input."""
    described = [*schema.attributes.values(), *schema.inputs]
    (text,) = [part.description for part in described if part.name == "axes"]
    return text


def test_versions_are_those_that_onnx_knows():
    assert sorted((row.name, row.since_version) for row in ONNX_ROWS) == sorted(SCHEMAS)


def test_newest_opset_is_that_of_onnx():
    assert onnx.defs.onnx_opset_version() == NEWEST_OPSET


@every_onnx_row
def test_types_are_those_of_the_schema(row):
    (constraint,) = schema_of(row).type_constraints
    assert sorted(f"tensor({name})" for name in row.types) == sorted(constraint.allowed_type_strs)


@every_onnx_row
def test_attributes_are_those_of_the_schema(row):
    schema = schema_of(row)
    expected = {
        name: (attribute.type.name, onnx.helper.get_attribute_value(attribute.default_value))
        if attribute.default_value.type
        else (attribute.type.name, None)
        for name, attribute in schema.attributes.items()
    }
    assert {attribute.name: (attribute.type, attribute.default) for attribute in row.attributes} == expected
    assert not any(attribute.required for attribute in schema.attributes.values())


@every_onnx_row
def test_inputs_are_those_of_the_schema(row):
    schema = schema_of(row)
    assert list(row.inputs) == [parameter.name for parameter in schema.inputs]
    assert (row.min_inputs, row.max_inputs) == (schema.min_input, schema.max_input)


@pytest.mark.parametrize("row", versions("Min"), ids=lambda row: row.label)
def test_min_broadcasts_where_the_schema_says_so(row):
    assert row.broadcasts == ("Numpy-style" in schema_of(row).doc)
    assert row.empty_axes is None


@pytest.mark.parametrize("row", versions("ReduceMin"), ids=lambda row: row.label)
def test_axes_rules_are_those_of_the_schema(row):
    text = axes_text(schema_of(row))
    assert row.negative_axes == ("[-r, r-1]" in text)
    assert (row.empty_axes is EmptyAxes.ALL_OR_NOOP) == ("'noop_with_empty_axes'" in text)
    assert (row.empty_axes is EmptyAxes.ALL) == ("reduce over all the dimensions" in text)


@pytest.mark.parametrize("name", ["Min", "ReduceMin"])
def test_every_opset_resolves_as_in_onnx(name):
    opsets = range(1, onnx.defs.onnx_opset_version() + 1)
    expected = {opset: onnx.defs.get_schema(name, opset, "").since_version for opset in opsets}
    assert {opset: resolve(name, opset).since_version for opset in opsets} == expected


@pytest.mark.parametrize(("name", "since"), [("Min", 13), ("ReduceMin", 20)])
def test_no_opset_is_the_newest(name, since):
    assert resolve(name) is resolve(name, NEWEST_OPSET)
    assert resolve(name).since_version == since


@pytest.mark.parametrize("name", ["Min", "ReduceMin"])
@pytest.mark.parametrize("opset", [-1, 0, NEWEST_OPSET + 1])
def test_unknown_opset(name, opset):
    with pytest.raises(UsageError) as caught:
        resolve(name, opset)
    assert str(caught.value) == f"there is no opset {opset}\n  hint: opsets 1 to {NEWEST_OPSET} are known"


@pytest.mark.parametrize("name", ["Min", "ReduceMin"])
def test_versions_come_oldest_first(name):
    since = [row.since_version for row in versions(name)]
    assert since == sorted(since)


@pytest.mark.parametrize(
    ("name", "opset", "label", "opsets"),
    [
        pytest.param("Min", 1, "Min-1", "opset 1 to 5", id="first"),
        pytest.param("Min", 11, "Min-8", "opset 8 to 11", id="between"),
        pytest.param("Min", 12, "Min-12", "opset 12", id="one-opset"),
        pytest.param("Min", 28, "Min-13", "opset 13 and newer", id="last"),
        pytest.param("ReduceMin", 10, "ReduceMin-1", "opset 1 to 10", id="reduce-first"),
        pytest.param("ReduceMin", 19, "ReduceMin-18", "opset 18 to 19", id="reduce-between"),
        pytest.param("ReduceMin", 20, "ReduceMin-20", "opset 20 and newer", id="reduce-last"),
    ],
)
def test_label_and_opsets_in_words(name, opset, label, opsets):
    row = resolve(name, opset)
    assert (row.label, row.opsets) == (label, opsets)


def test_onednn_minimum():
    row = resolve("Minimum", standard=Standard.ONEDNN)
    assert row.label == "oneDNN Minimum"
    assert set(row.types) == {"float", "bfloat16", "float16"}
    assert (row.inputs, row.min_inputs, row.max_inputs) == (("src_0", "src_1"), 2, 2)
    assert row.attributes == (Attribute("auto_broadcast", "STRING", "numpy"),)
    assert row.broadcasts


def test_onednn_reduce_min():
    row = resolve("ReduceMin", standard=Standard.ONEDNN)
    assert row.label == "oneDNN ReduceMin"
    assert set(row.types) == {"float", "bfloat16", "float16"}
    assert (row.inputs, row.min_inputs, row.max_inputs) == (("src", "axes"), 1, 2)
    assert row.attributes == (Attribute("axes", "INTS"), Attribute("keep_dims", "BOOL", 0))
    assert row.negative_axes
    assert row.empty_axes is EmptyAxes.IDENTITY


def test_onednn_has_one_version_of_each_operator():
    rows = [row.name for row in OPERATOR_VERSIONS if row.standard is Standard.ONEDNN]
    assert rows == ["Minimum", "ReduceMin"]


@pytest.mark.parametrize(
    ("label", "name", "expected"),
    [
        pytest.param("Min-1", "consumed_inputs", True, id="min-1"),
        pytest.param("Min-6", "consumed_inputs", False, id="min-6"),
        pytest.param("ReduceMin-13", "axes", True, id="axes-are-an-attribute"),
        pytest.param("ReduceMin-18", "axes", False, id="axes-are-an-input"),
        pytest.param("ReduceMin-13", "noop_with_empty_axes", False, id="before-noop"),
        pytest.param("ReduceMin-18", "noop_with_empty_axes", True, id="noop"),
        pytest.param("oneDNN ReduceMin", "keepdims", False, id="onednn-spells-keep_dims"),
    ],
)
def test_has_attribute(label, name, expected):
    (row,) = [row for row in OPERATOR_VERSIONS if row.label == label]
    assert row.has_attribute(name) is expected
