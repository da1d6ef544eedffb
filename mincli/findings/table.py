"""The table of all rules, by code."""

from mincli.findings import Rule, engine, functions, graph, migration, model, nodes, shapes, types

FAMILIES = (model, graph, nodes, types, shapes, functions, migration, engine)
RULES = {rule.code: rule for family in FAMILIES for rule in vars(family).values() if isinstance(rule, Rule)}
"""Every rule by its code, in the order of the codes."""
