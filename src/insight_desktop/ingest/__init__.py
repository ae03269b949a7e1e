"""Discover and read: paths in, Arrow batches out. Knows no database and no Qt."""
