"""Scripts behind ./dev."""
