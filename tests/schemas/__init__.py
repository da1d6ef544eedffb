"""Tests of mincli.schemas."""
