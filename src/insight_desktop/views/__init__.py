"""View: the only Qt code. Holds no SQL."""
