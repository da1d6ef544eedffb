"""Findings as text: for people, for scripts, for code scanning and for continuous integration."""
