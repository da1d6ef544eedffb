"""Models of onnx's own suites that are invalid, and why: patterns of names (as in `fnmatch`).

`INVALID` are those in which mincli finds errors, with the codes of the errors. `REFUSED` are those that onnx's checker
refuses although mincli finds no error.
"""

INVALID: dict[str, tuple[set[str], str]] = {}
"""By pattern: the codes, and the reason."""

REFUSED: dict[str, str] = {}
"""By pattern: the reason."""

REFUSED_WORDS: dict[str, str] = {}
"""What the checker says of models that are right by the standard: regular expressions, each with the reason."""
