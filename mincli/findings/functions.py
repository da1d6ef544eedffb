"""Rules of functions and subgraphs."""
