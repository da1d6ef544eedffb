"""Tests of the benchmark: what it measures, whom, and what it writes; nothing here looks at a clock."""
