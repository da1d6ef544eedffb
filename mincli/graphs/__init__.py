"""ONNX models as they are in files: read, their nodes named, the operator versions that they mean."""
