"""Tests of mincli.models."""
