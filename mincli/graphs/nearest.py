"""The name that was meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the one of some names that is most like another, whatever its case; "" if none is.

    >>> nearest("RELUX", ["Elu", "Relu"])
    'Relu'
    """
    folded = {own.lower(): own for own in names}
    return next((folded[own] for own in get_close_matches(name.lower(), list(folded), 1)), "")
