"""Tests of ONNX models."""
