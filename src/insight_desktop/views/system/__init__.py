"""Pages of the System tabs."""
