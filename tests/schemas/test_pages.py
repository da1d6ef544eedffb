"""The pages: exact texts of some, every field of every operator against `onnx.defs`, and what is not there."""

import onnx
import pytest
from onnx import helper
from onnx.defs import OpSchema

from mincli.errors import UsageError
from mincli.schemas import defined, page_of, registry
from mincli.schemas.language import Language
from mincli.schemas.page import Attribute, Behaviour, Parameter, TypeConstraint
from mincli.schemas.text import lines_of, sections
from mincli.spec.operators import Standard, versions

SCHEMAS = onnx.defs.get_all_schemas_with_history()


def text_of(page):
    return "\n".join(lines_of(sections(page))) + "\n"


MIN_6 = """\
Min-6
  name: Min
  domain: ai.onnx
  since_version: 6 (opset 6 to 7)
  versions: 1, 6, 8, 12, 13
  deprecated: no
  function: no
  support_level: COMMON
  shape inference: yes
  broadcasting: no

Summary
  Element-wise min of each of the input tensors. All inputs and outputs must
  have the same shape and data type.

Inputs (between 1 and 2147483647)
  data_0: T (variadic, homogeneous)
    List of tensors for Min

Outputs (exactly 1)
  min: T (required)
    Output tensor. Same dimension as inputs.

Type constraints
  T: tensor(double), tensor(float), tensor(float16)
    Constrain input and output types to float tensors.

What the standard leaves open, and what mincli does
  NaN: any NaN among the operands gives NaN, whatever the order or place; which payload is unspecified
  signed zero: -0 is less than +0, as in IEEE 754-2019 minimum
  the value: is one of the operands, bit for bit (NaN aside)
  mixed element types: refused at any arity, never promoted
  an empty name among the inputs: refused
  one input: a copy

Examples
  element by element (float)
    data_0: [1.0, 5.0, 3.0]
    data_1: [4.0, 2.0, 6.0]
    -> min: [1.0, 2.0, 3.0]
  any number of inputs (float)
    data_0: [3.0, 7.0]
    data_1: [5.0, 1.0]
    data_2: [4.0, 2.0]
    -> min: [3.0, 1.0]
  one input is copied (float)
    data_0: [3.0, -1.0]
    -> min: [3.0, -1.0]
  any NaN gives NaN (float)
    data_0: [nan, 1.0, 2.0]
    data_1: [0.0, nan, 3.0]
    -> min: [nan, nan, 2.0]
  -0 is less than +0, in either order (float)
    data_0: [0.0, -0.0]
    data_1: [-0.0, 0.0]
    -> min: [-0.0, -0.0]
  shapes that differ: this version does not broadcast (float)
    data_0: [[1.0], [4.0]]
    data_1: [2.0, 3.0]
    -> refused
"""

ONEDNN_REDUCE_MIN = """\
oneDNN ReduceMin
  name: ReduceMin
  domain: oneDNN Graph
  negative axes: yes
  absent or empty axes: reduce no axis

Summary
  Minimum of a tensor along axes. Exactly one of the attribute axes and the input axes gives them; \
empty ones make it the identity. A reduced axis stays with size 1 if keep_dims is true, else it is removed.

Attributes
  axes: s64[] (default [])
    The axes to reduce, each once, in [-r, r-1] where r is the rank of src; none of them: the identity.
  keep_dims: bool (default false)
    Whether a reduced axis stays with size 1.

Inputs (between 1 and 2)
  src: T (required)
    What is reduced.
  axes: s32 (optional)
    The axes to reduce, each once, in [-r, r-1] where r is the rank of src; none of them: the identity.

Outputs (exactly 1)
  dst: T (required)
    The minimum.

Type constraints
  T: bf16, f16, f32
    One type for the operands and the result.

What the standard leaves open, and what mincli does
  NaN: any NaN among the operands gives NaN, whatever the order or place; which payload is unspecified
  signed zero: -0 is less than +0, as in IEEE 754-2019 minimum
  the value: is one of the operands, bit for bit (NaN aside)
  empty reduction: +inf

Examples
  along axis 1, which stays with size 1 (float)
    src: [[3.0, 1.0], [2.0, 5.0]]
    axes: [1]
    keep_dims: true
    -> dst: [[1.0], [2.0]]
"""

UPSAMPLE_10 = """\
Upsample-10
  name: Upsample
  domain: ai.onnx
  since_version: 10 (opset 10 and newer)
  versions: 1, 7, 9, 10
  deprecated: yes, models of opset 10 and newer may not use it
  function: no
  support_level: COMMON
  shape inference: yes

Summary
"""


def test_text():
    assert text_of(page_of("Min", 7)) == MIN_6


@pytest.mark.parametrize(
    ("page", "start"),
    [
        pytest.param(page_of("ReduceMin", standard=Standard.ONEDNN), ONEDNN_REDUCE_MIN, id="onednn"),
        pytest.param(page_of("Upsample"), UPSAMPLE_10, id="deprecated"),
    ],
)
def test_start_of_text(page, start):
    assert text_of(page)[: len(start)] == start


@pytest.mark.parametrize(
    ("name", "opset", "lines"),
    [
        pytest.param(
            "Clip",
            6,
            ["  max: FLOAT (default 3.4028235e+38)", "  min: FLOAT (default -3.4028235e+38)"],
            id="shortest-float",
        ),
        pytest.param("HardSigmoid", 6, ["  alpha: FLOAT (default 0.2)"], id="float"),
        pytest.param("Pad", None, ['  mode: STRING (default "constant")'], id="string"),
        pytest.param("Cast", None, ["  to: INT (required)"], id="required"),
        pytest.param("Constant", 1, ["Outputs (exactly 1)"], id="no-inputs"),
        pytest.param("Loop", None, ["  v_initial: V (variadic, heterogeneous)"], id="heterogeneous"),
        pytest.param("Clip", None, ["  min: T (optional, not differentiable)"], id="not-differentiable"),
        pytest.param("Softmax", None, ["  function: yes"], id="function-of-a-context"),
        pytest.param(
            "LessOrEqual",
            16,
            ["  function: yes", "Function body", "  LessOrEqual (A, B) => (C)", "     C = Or (O1, O2)"],
            id="function-body",
        ),
        pytest.param("ai.onnx.ml:Scaler", None, ["ai.onnx.ml:Scaler-1", "  domain: ai.onnx.ml"], id="domain"),
        pytest.param("ai.onnx:Min", None, ["Min-13"], id="default-domain-by-name"),
        pytest.param("ReduceMin", 18, ["  since_version: 18 (opset 18 to 19)"], id="opsets"),
        pytest.param("ReduceMin", 12, ["  since_version: 12 (opset 12)"], id="one-opset"),
        pytest.param("Min", None, ["Inputs (between 1 and 2147483647)"], id="arity"),
    ],
)
def test_lines(name, opset, lines):
    found = text_of(page_of(name, opset)).splitlines()
    assert [line for line in lines if line not in found] == []


def test_empty_sections_are_left_out():
    headings = [part.heading for part in sections(page_of("Constant", 1))]
    assert headings == ["Constant-1", "Summary", "Attributes", "Outputs (exactly 1)", "Type constraints"]


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: f"{schema.domain}:{schema.name}-{schema.since_version}")
def test_every_field_is_that_of_the_schema(schema):
    page = page_of(f"{schema.domain}:{schema.name}", schema.since_version)
    assert (page.name, page.domain, page.since_version) == (
        schema.name, schema.domain or "ai.onnx", schema.since_version
    )  # fmt: skip
    assert (page.deprecated, page.support_level) == (schema.deprecated, str(schema.support_level).split(".")[1])
    assert page.function == (schema.has_function or schema.has_context_dependent_function)
    assert page.shape_inference == schema.has_type_and_shape_inference_function
    assert (page.min_inputs, page.max_inputs) == (schema.min_input, schema.max_input)
    assert (page.min_outputs, page.max_outputs) == (schema.min_output, schema.max_output)
    assert [each.name for each in page.attributes] == sorted(schema.attributes)
    for each in page.attributes:
        attribute = schema.attributes[each.name]
        assert (each.type, each.required) == (str(attribute.type).split(".")[1], attribute.required)
        assert (each.default is None) == (not attribute.default_value.type)
        assert each.description == attribute.description
    for ours, theirs in ((page.inputs, schema.inputs), (page.outputs, schema.outputs)):
        assert [
            (each.name, each.type, each.option, each.homogeneous, set(each.types), each.description) for each in ours
        ] == [
            (p.name, p.type_str, str(p.option).split(".")[1].lower(), p.is_homogeneous, p.types, p.description)
            for p in theirs
        ]
    assert [(each.name, each.types, each.description) for each in page.type_constraints] == [
        (each.type_param_str, tuple(sorted(each.allowed_type_strs)), each.description)
        for each in schema.type_constraints
    ]
    summary = next(part.lines for part in sections(page) if part.heading == "Summary")
    assert [line.strip() for line in summary] == [line.strip() for line in schema.doc.strip("\n").rstrip().splitlines()]


def test_last_opset_is_the_one_before_the_next_version():
    assert [page_of("ReduceMin", opset).last_opset for opset in (1, 11, 12, 13, 18, 20)] == [10, 11, 12, 17, 19, None]
    assert page_of("ReduceMin").versions == (1, 11, 12, 13, 18, 20)


@pytest.mark.parametrize("name", ["Min", "ReduceMin"])
def test_every_opset_has_the_page_of_its_version(name):
    for opset in range(1, onnx.defs.onnx_opset_version() + 1):
        assert page_of(name, opset).since_version == onnx.defs.get_schema(name, opset, "").since_version


@pytest.mark.parametrize(
    ("name", "opset", "standard", "behaviour"),
    [
        pytest.param("Min", 1, "onnx", Behaviour(False, None, None), id="min-1"),
        pytest.param("Min", 8, "onnx", Behaviour(True, None, None), id="min-8"),
        pytest.param("ReduceMin", 1, "onnx", Behaviour(None, False, "reduce all axes"), id="reduce-min-1"),
        pytest.param(
            "ReduceMin",
            18,
            "onnx",
            Behaviour(None, True, "reduce all axes, or none with noop_with_empty_axes"),
            id="reduce-min-18",
        ),
        pytest.param("Minimum", None, "onednn", Behaviour(True, None, None), id="onednn-minimum"),
        pytest.param("ReduceMin", None, "onednn", Behaviour(None, True, "reduce no axis"), id="onednn-reduce-min"),
        pytest.param("Max", None, "onnx", None, id="other"),
    ],
)
def test_behaviour(name, opset, standard, behaviour):
    assert page_of(name, opset, Standard(standard)).behaviour == behaviour


def test_other_operators_have_no_rules_and_examples():
    assert (page_of("Max").rules, page_of("Max").examples) == ((), ())


QUESTIONS = {
    ("Min", 1): "NaN, signed zero, the value, mixed element types, an empty name among the inputs, one input",
    ("Min", 8): "NaN, signed zero, the value, axes of size 0, mixed element types, an empty name among the inputs, "
    "one input",
    ("Min", 12): "NaN, signed zero, the value, integers, axes of size 0, mixed element types, "
    "an empty name among the inputs, one input",
    ("ReduceMin", 1): "NaN, signed zero, the value, integers, empty reduction, axes that are given but empty, "
    "repeated axes, negative axes, keepdims other than 0 or 1",
    ("ReduceMin", 11): "NaN, signed zero, the value, integers, empty reduction, axes that are given but empty, "
    "repeated axes, keepdims other than 0 or 1",
    ("ReduceMin", 18): "NaN, signed zero, the value, integers, empty reduction, repeated axes, the input axes, "
    "keepdims other than 0 or 1",
}


@pytest.mark.parametrize(("version", "questions"), QUESTIONS.items(), ids=lambda value: str(value)[:20])
def test_rules(version, questions):
    assert ", ".join(rule.question for rule in page_of(*version).rules) == questions


@pytest.mark.parametrize("row", versions("Minimum", Standard.ONEDNN) + versions("ReduceMin", Standard.ONEDNN))
def test_onednn_pages_are_of_their_rows(row):
    page = page_of(row.name, standard=Standard.ONEDNN)
    assert page.label == row.label
    assert [each.name for each in page.attributes] == [each.name for each in row.attributes]
    assert [each.name for each in page.inputs] == list(row.inputs)
    assert (page.min_inputs, page.max_inputs) == (row.min_inputs, row.max_inputs)
    assert page.type_constraints[0].types == ("bf16", "f16", "f32")
    facts = (page.since_version, page.last_opset, page.function, page.support_level, page.shape_inference)
    assert facts == (None, None, None, None, None)


def test_onednn_minimum():
    page = page_of("Minimum", standard=Standard.ONEDNN)
    types = ("bf16", "f16", "f32")
    assert page.attributes == (
        Attribute("auto_broadcast", "string", False, "numpy", '"numpy" broadcasts; "none" needs equal shapes.'),
    )
    assert page.inputs == (
        Parameter("src_0", "T", "single", True, None, types, "The first operand."),
        Parameter("src_1", "T", "single", True, None, types, "The second operand."),
    )
    assert page.outputs == (Parameter("dst", "T", "single", True, None, types, "The minimum."),)
    assert page.type_constraints == (TypeConstraint("T", types, "One type for the operands and the result."),)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["min"], "knows no operator min\n  hint: did you mean Min?", id="case"),
        pytest.param(["ReduceMini"], "knows no operator ReduceMini\n  hint: did you mean ReduceMin?", id="nearest"),
        pytest.param(["Scaler"], "knows no operator Scaler\n  hint: did you mean ai.onnx.ml:Scaler?", id="domain"),
        pytest.param(["x.y:Min"], "knows no operator x.y:Min\n  hint: did you mean Min?", id="other-domain"),
        pytest.param(
            ["Minimum"], "knows no operator Minimum\n  hint: Minimum is of oneDNN: add --spec onednn", id="of-onednn"
        ),
        pytest.param(
            ["\x1b[31m"],
            "knows no operator \\x1b[31m\n  hint: names are as in ONNX: Min, ReduceMin, ai.onnx.ml:Scaler",
            id="nothing-near",
        ),
    ],
)
def test_no_such_operator(arguments, message):
    with pytest.raises(UsageError) as caught:
        page_of(*arguments)
    assert str(caught.value) == f"onnx {onnx.__version__} {message}"


@pytest.mark.parametrize(
    ("name", "opset", "message"),
    [
        pytest.param(
            "GridSample", 15, "opset 15 has no GridSample\n  hint: GridSample exists from opset 16 on", id="no"
        ),
        pytest.param(
            "Min",
            0,
            f"there is no opset 0 of ai.onnx\n  hint: onnx {onnx.__version__} knows opsets 1 to "
            f"{onnx.defs.onnx_opset_version()}",
            id="zero",
        ),
        pytest.param(
            "ai.onnx.ml:Scaler",
            99,
            f"there is no opset 99 of ai.onnx.ml\n  hint: onnx {onnx.__version__} knows opsets 1 to "
            f"{onnx.defs.C.schema_version_map()['ai.onnx.ml'][1]}",
            id="of-another-domain",
        ),
    ],
)
def test_no_such_opset(name, opset, message):
    with pytest.raises(UsageError) as caught:
        page_of(name, opset)
    assert str(caught.value) == message


def test_no_such_operator_of_onednn():
    with pytest.raises(UsageError) as caught:
        page_of("Min", standard=Standard.ONEDNN)
    assert str(caught.value) == (
        "mincli knows no operator Min of oneDNN Graph\n  hint: it knows Minimum and ReduceMin"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "standard", "label"),
    [("Relu", "onnx", page_of("Relu").label), ("Minimum", "onednn", "oneDNN Minimum")],
)
def test_no_such_language(name, standard, label):
    with pytest.raises(UsageError) as caught:
        page_of(name, standard=Standard(standard), language=Language.ZH_TW)
    assert str(caught.value) == (
        f"there is no page of {label} in zh-TW\n  zh-TW is there for Min and ReduceMin of ONNX\n  hint: --lang en"
    )


@pytest.fixture
def odd_schema():
    tensor = helper.make_tensor("t", onnx.TensorProto.FLOAT, [1], [2.5])
    return OpSchema(
        "Odd",
        "x.test",
        1,
        doc="",
        attributes=[
            OpSchema.Attribute("strings", helper.make_attribute("strings", ["a", "b"]), ""),
            OpSchema.Attribute("tensor", helper.make_attribute("tensor", tensor), ""),
        ],
    )


def test_odd_defaults(odd_schema):
    strings, tensor = defined.page_of(registry.Found(odd_schema, None, (1,))).attributes
    assert strings.default == ["a", "b"]
    assert "2.5" in tensor.default


def test_a_version_that_mincli_does_not_know_is_a_plain_page(monkeypatch):
    schemas = {2: OpSchema("Min", "", 2, doc="")}
    monkeypatch.setattr(registry, "history", lambda: {registry.Operator("ai.onnx", "Min"): schemas})
    page = page_of("Min")
    assert (page.since_version, page.behaviour, page.rules, page.examples) == (2, None, (), ())
    with pytest.raises(UsageError):
        page_of("Min", language=Language.ZH_TW)
