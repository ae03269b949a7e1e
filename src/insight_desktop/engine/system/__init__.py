"""Named queries of the System tabs."""
