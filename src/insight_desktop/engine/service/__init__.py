"""Serving runs: canonical tables, named queries."""
