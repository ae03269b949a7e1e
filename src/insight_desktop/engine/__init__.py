"""Store and query: Arrow in, Arrow out. Knows no Qt."""
