"""Nodes in words."""

from onnx import helper

from mincli.graphs.nodes import node_label


def test_nodes_in_words():
    assert node_label(3, helper.make_node("Conv", [], [], "/a\x1b")) == "node 3 (Conv /a\\x1b)"
    assert node_label(0, helper.make_node("Conv", [], [])) == "node 0 (Conv)"
