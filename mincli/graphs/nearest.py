"""The name that was meant, as a question."""

from collections.abc import Iterable
from difflib import get_close_matches

from mincli.errors import printable

MOST_NAMES = 10
"""Of a graph or function that others like them are looked for to: that takes time."""


def did_you_mean(name: str, names: Iterable[str], likeness: float = 0.6) -> str:
    """Ask for the one of some names that is most like another, whatever its case; "" if none is.

    >>> did_you_mean("RELUX", ["Elu", "Relu"])
    'did you mean Relu?'
    """
    folded = {own.lower(): own for own in names}
    near = get_close_matches(name.lower(), folded, 1, likeness)
    return f"did you mean {printable(folded[near[0]])}?" if near else ""
