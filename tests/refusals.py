"""What is refused: the name of the error, and its whole text."""

from collections.abc import Callable
from typing import Any

import pytest

from mincli.errors import MincliError


def refusal(call: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[str, str]:
    """Return the name of the error that a call raises, and its whole text."""
    with pytest.raises(MincliError) as caught:
        call(*arguments, **options)
    return type(caught.value).__name__, str(caught.value)


def refused(call: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """Return both as one text, `Name: text`."""
    return ": ".join(refusal(call, *arguments, **options))
