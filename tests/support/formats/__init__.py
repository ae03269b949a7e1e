"""Readers of made-up formats for tests of imports; found through INSIGHT_READERS."""
