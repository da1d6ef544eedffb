"""Rules of element types: the type constraints of a node's operator version."""
