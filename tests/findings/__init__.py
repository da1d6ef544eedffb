"""Tests of the findings themselves."""
