"""Tests of what `check-schema` says of models."""
