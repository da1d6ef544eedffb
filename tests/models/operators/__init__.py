"""Tests of the operators that stand in for onnx's own."""
