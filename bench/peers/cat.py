"""`cat`: no minimum at all, but the limit of what reading the inputs and writing the output can cost."""

from collections.abc import Sequence

from bench.case import Case
from bench.peers.peer import Peer


class Cat(Peer):
    """Reads the inputs to /dev/null, then writes as many bytes as the result has."""

    computes = False

    def command(self, case: Case, inputs: Sequence[str], output: str) -> list[str]:
        write = f"head -c {case.written}" if case.axes else "cat"
        return ["sh", "-c", f'cat "$@" > /dev/null; {write} "$1" > "$0"', output, *inputs]
