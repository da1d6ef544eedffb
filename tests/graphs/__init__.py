"""Tests of reading models, and of what is in them."""
