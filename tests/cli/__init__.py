"""Tests of mincli.cli."""
