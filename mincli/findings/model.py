"""Rules of files and models: versions, opset imports, external data."""
