"""Tests of mincli.kernels."""
