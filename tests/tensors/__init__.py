"""Tests of mincli.tensors."""
