"""Tests of the forms that findings are shown in."""
