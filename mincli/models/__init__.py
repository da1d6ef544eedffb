"""ONNX models: loaded, fed, evaluated by the rules of their opset, and compared."""
