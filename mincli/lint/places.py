"""Places of findings in words."""

from mincli.findings import Place
from mincli.graphs.nodes import label


def in_words(place: Place) -> str:
    """Return where something is: `function own:f > node 3 (Conv-11 /body/conv)`; "" is the model or its main graph."""
    node = label(place.node, place.operator, place.name) if place.node is not None else ""
    return f"{place.path}{node}".removesuffix(" > ")
