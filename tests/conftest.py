"""Settings for all tests."""

from hypothesis import settings

settings.register_profile("mincli", deadline=None, derandomize=True)
settings.load_profile("mincli")
