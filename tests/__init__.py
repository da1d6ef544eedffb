"""The tests of mincli, laid out like the package."""
