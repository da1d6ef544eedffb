"""Which of the arrays in a file is meant: `file:member`, or `file` if it holds only one."""

from collections.abc import Sequence

from mincli.errors import FileError, FormatError, printable

MAX_LISTED = 20
"""Names that a message lists."""


def choose(names: Sequence[str], member: str, name: str, what: str) -> str:
    """Return the one of `names` that is meant.

    Args:
        names: of all that the file holds.
        member: the name that was asked for; "" for the only one.
        name: what to call the file in messages.
        what: what to call its members.

    Raises:
        FormatError: the file holds nothing.
        FileError: no such member, or several and none named.

    >>> choose(["weight"], "", "a.npz", "array")
    'weight'
    """
    if member in names:
        return member
    if not names:
        raise FormatError(f"{name} holds no {what}s")
    if not member and len(names) == 1:
        return names[0]
    listed = [printable(each) for each in names[:MAX_LISTED]]
    details = [f"it holds {', '.join(listed)}" + (", ..." if len(names) > MAX_LISTED else "")]
    if member:
        raise FileError(f"{name}: the file has no {what} of that name", details=details)
    hint = f"name one: {name.rstrip(':')}:{listed[0]}"
    raise FileError(f"{name} holds {len(names)} {what}s", details=details, hint=hint)
