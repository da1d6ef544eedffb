"""Rules of shapes: broadcasting, axes, declared shapes."""
