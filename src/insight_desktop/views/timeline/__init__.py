"""The timeline canvas and the parts around it."""
