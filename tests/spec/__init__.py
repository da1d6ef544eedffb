"""Tests of mincli.spec."""
