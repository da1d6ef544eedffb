"""Tests of mincli.streaming."""
