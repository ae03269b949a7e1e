"""Pages of the area Service."""
