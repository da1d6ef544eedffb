"""What a model says of itself: versions, imports, metadata; texts and places of each rule."""

import onnx
import pytest

from mincli.findings import Place
from mincli.findings.table import RULES
from mincli.lint import findings_in
from mincli.lint.scopes import opsets_of
from tests.lint.told import codes, proto, said

BODY = "g (float[2] x) => (float[2] y) { y = Relu (x) }"
UPGRADE = "pip install --upgrade onnx"
KNOWN = f"the installed onnx {onnx.__version__} knows those up to"
NEWEST = onnx.defs.onnx_opset_version()


def headed(header, body=BODY):
    return f"<{header}> {body}"


@pytest.mark.parametrize(
    ("header", "findings"),
    [
        (
            'opset_import: ["" : 21]',
            [("MC103", "", "it says no IR version", "a version from 1 on", "set ModelProto.ir_version")],
        ),
        (
            'ir_version: 1000, opset_import: ["" : 21]',
            [("MC104", "", "it has IR version 1000", f"{KNOWN} {onnx.IR_VERSION}", UPGRADE)],
        ),
        (
            "ir_version: 10",
            [
                (
                    "MC105",
                    "",
                    "it imports no opset",
                    "a model of IR version 10 has to (from 3 on)",
                    "set ModelProto.opset_import",
                )
            ],
        ),
        (
            'ir_version: 2, opset_import: ["" : 6]',
            [
                (
                    "MC106",
                    "",
                    "it imports opsets",
                    "a model of IR version 2 may not (from 3 on)",
                    "set ModelProto.ir_version to 3 or more",
                )
            ],
        ),
        (
            'ir_version: 10, opset_import: ["" : 20, "ai.onnx" : 21]',
            [
                (
                    "MC107",
                    "",
                    "the opsets 20, 21 of ONNX are imported",
                    "one; the highest binds, 21",
                    "import that alone",
                )
            ],
        ),
        (
            'ir_version: 10, opset_import: ["" : 1000]',
            [("MC109", "", "it imports opset 1000", f"{KNOWN} {NEWEST}", UPGRADE)],
        ),
        (
            'ir_version: 10, opset_import: ["" : 21, "ai.onnx.ml" : 99]',
            [("MC109", "", "it imports opset 99 of ai.onnx.ml", f"{KNOWN} 5", UPGRADE)],
        ),
        (
            'ir_version: 10, opset_import: ["" : 0]',
            [("MC110", "", "it imports opset 0", f"opsets from 1 to {NEWEST}", "set OperatorSetIdProto.version")],
        ),
        (
            'ir_version: 10, opset_import: ["" : 21], metadata_props: ["a" : "1", "a" : "2", "b" : "3"]',
            [("MC112", "", "metadata_props has the key a 2 times", "", "keep one")],
        ),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)
def test_what_a_model_says_of_itself(header, findings):
    assert said(headed(header)) == findings


@pytest.mark.parametrize(
    ("header", "finding"),
    [
        (
            'ir_version: 10, opset_import: ["" : 21, "com.example" : 1]',
            (
                "MC108",
                "",
                f"onnx {onnx.__version__} has no operators of com.example: its nodes are not judged",
                "",
                "",
            ),
        ),
        (
            'ir_version: 10, opset_import: ["" : 21], producer_version: "1.0"',
            ("MC113", "", "producer_version is 1.0, and producer_name is not set", "", ""),
        ),
        (
            'ir_version: 8, opset_import: ["" : 21]',
            (
                "MC114",
                "",
                "it imports opset 21 in IR version 8",
                "IR version 10 or more",
                "set ModelProto.ir_version to 10",
            ),
        ),
    ],
)
def test_notes(header, finding):
    assert said(headed(header), notes=True) == [finding]


def test_a_domain_of_the_models_own_functions_is_not_foreign():
    function = '<domain: "own", opset_import: ["" : 21]> f (a) => (b) { b = Relu (a) }'
    body = f"g (float[2] x) => (float[2] y) {{ y = own.f (x) }}\n{function}"
    assert codes(headed('ir_version: 10, opset_import: ["" : 21, "own" : 1]', body)) == []


def test_the_imports_of_functions_are_looked_at_too():
    function = '<domain: "own", opset_import: ["" : 1000]> f (a) => (b) { b = Relu (a) }'
    body = f"g (float[2] x) => (float[2] y) {{ y = own.f (x) }}\n{function}"
    assert said(headed('ir_version: 10, opset_import: ["" : 21, "own" : 1]', body)) == [
        ("MC109", "function own:f", "it imports opset 1000", f"{KNOWN} {NEWEST}", UPGRADE)
    ]


def test_every_graph_has_a_name():
    model = proto(RULES["MC205"].right)
    model.graph.ClearField("name")
    model.graph.node[1].attribute[0].g.ClearField("name")
    expected = ("the graph has no name", "", "set GraphProto.name")
    assert said(model) == [("MC111", "", *expected), ("MC111", "node 1 (If) then_branch", *expected)]


def test_training_information_is_not_judged():
    model = proto(headed('ir_version: 10, opset_import: ["" : 21]'))
    model.training_info.add()
    assert said(model, notes=True) == [("MC115", "", "the model has training_info", "", "")]


def test_in_ir_version_1_and_2_nodes_are_of_opset_1():
    assert codes("<ir_version: 2> g (float[2] x) => (float[2] y) { y = Relu (x) }") == []


def test_all_faults_are_said_in_one_run():
    model = proto(headed('opset_import: ["" : 0], metadata_props: ["a" : "1", "a" : "2"]'))
    model.graph.ClearField("name")
    model.graph.node.add(op_type="Neg", input=["gone"], output=["y"])
    assert sorted(codes(model)) == ["MC103", "MC110", "MC111", "MC112", "MC201", "MC204"]


def test_of_several_imports_of_a_domain_the_highest_binds():
    imports = [("", 9), ("ai.onnx", 12), ("", 11), ("ai.onnx.ml", 2), ("own", -1)]
    assert opsets_of(onnx.helper.make_opsetid(*pair) for pair in imports) == {"": 12, "ai.onnx.ml": 2, "own": -1}


def test_a_finding_of_the_model_has_no_place():
    (finding,) = findings_in(proto(headed('ir_version: 10, opset_import: ["" : 0]')))
    assert finding.place == Place()
