"""Rules of nodes: operators, arity, attributes."""
