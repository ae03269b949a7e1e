"""Pages of the area Memory."""
